using System.Text;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>A nested message of the same type is read into the same array, which may have to move for it. What follows the nested message
/// belongs into the new array: behind every construct, in every group of a wide message's fields, and for fields of every group.</summary>
public class StorageGrowthTests
{
    // Fields are read in groups of so many.
    const int group = 16;

    // An array begins with 16 elements and doubles: it moves while messages of the first sixteen levels are open, and again later.
    const int depth = 40;

    static readonly string[] links = ["single", "list", "entries", "choice"];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    public void What_follows_a_nested_message_is_kept(int groups)
    {
        using var workshop = new Workshop("tree.proto", Proto(groups));
        workshop.GenerateAll(_ => "SlabTrees");
        workshop.GenerateGoogle();
        var assembly = workshop.Compile();
        var google = (MessageDescriptor)assembly.GetType("Trees.Tree")!.GetProperty("Descriptor")!.GetValue(null)!;
        var bridge = Bridge.Of(assembly.GetType("SlabTrees.Tree")!);
        foreach (var (link, last) in
            from link in Enumerable.Range(0, groups * links.Length)
            from last in Enumerable.Range(0, groups)
            select (link, last))
        {
            var wire = Nest(Number(link / links.Length, link % links.Length), links[link % links.Length] == "entries",
                Number(last, links.Length));
            var expected = google.Parser.ParseFrom(wire);

            // Otherwise the array has the length that the last message needed, and does not move.
            RecycledMessages.Trim();
            var written = bridge.Rewrite(wire);
            Assert.True(expected.Equals(google.Parser.ParseFrom(written)) && wire.Length == written.Length,
                $"{groups} groups, {links[link % links.Length]} of group {link / links.Length}, then a number of group {last}");
        }
    }

    static string Proto(int groups)
    {
        var proto = new StringBuilder("syntax = \"proto3\";\npackage trees;\nmessage Tree {\n");
        for (var i = 0; i < groups; i++)
        {
            proto.Append($"  Tree single{i} = {Number(i, 0)};\n  repeated Tree list{i} = {Number(i, 1)};\n");
            proto.Append($"  map<int32, Tree> entries{i} = {Number(i, 2)};\n  oneof kind{i} {{ Tree choice{i} = {Number(i, 3)}; }}\n");
            for (var field = links.Length; field < (groups == 1 ? links.Length + 1 : group); field++)
                proto.Append($"  int32 number{i}_{field} = {Number(i, field)};\n");
        }

        return proto.Append('}').ToString();
    }

    static int Number(int inGroup, int field) => 1 + (inGroup * group) + field;

    static byte[] Nest(int link, bool isMap, int number)
    {
        var wire = Wire.Field(number, 0, Wire.Varint(depth));
        for (var level = depth - 1; level > 0; level--)
        {
            var nested = isMap ? Wire.Delimited(link, Wire.Field(1, 0, 1), Wire.Delimited(2, wire)) : Wire.Delimited(link, wire);
            wire = [.. nested, .. Wire.Field(number, 0, Wire.Varint((ulong)level))];
        }

        return wire;
    }
}

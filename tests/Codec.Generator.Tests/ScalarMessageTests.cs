using System.Reflection;
using System.Text;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Model;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>Messages of few numbers are written by code of their own: every kind of number behind tags of one to five bytes.</summary>
public class ScalarMessageTests
{
    static readonly int[] numbers = [1, 16, 2_048, 262_144, 536_870_909];

    // Short, so that a room that is stated too small is noticed: the fields before it do not leave room for any field.
    const int last = 536_870_911;

    [Fact]
    public void Every_number_behind_every_tag_is_written_as_Google_writes_it()
    {
        var kinds = WireScalar.All.Where(scalar => scalar.WireType != 2).ToList();
        var proto = new StringBuilder("syntax = \"proto3\";\npackage numbers;\nenum Kind { ZERO = 0; ONE = 1; TWO = 2; }\n");
        foreach (var kind in kinds)
        {
            proto.Append($"message {Message(kind)} {{\n");
            foreach (var number in numbers)
                proto.Append($"  {kind.Name} f{number} = {number};\n  optional {kind.Name} o{number} = {Optional(number)};\n");
            proto.Append($"  bool end = {last};\n}}\n");
        }

        using var workshop = new Workshop("numbers.proto", proto.ToString());
        workshop.GenerateAll(_ => "Slab.Numbers");
        workshop.GenerateGoogle();
        Assert.Equal(kinds.Count, workshop.Generated("numbers.proto").Split("int codec::ISlabMessage<").Count(part => part.Contains("ScalarRoom =>",
            StringComparison.Ordinal)));
        var assembly = workshop.Compile();
        foreach (var kind in kinds)
        {
            var name = Message(kind);
            var google = (MessageDescriptor)assembly.GetType("Numbers." + name)!.GetProperty("Descriptor")!.GetValue(null)!;
            var bridge = Bridge.Of(assembly.GetType("Slab.Numbers." + name)!);
            foreach (var value in kind.Values)
            {
                byte[] wire = [.. numbers.SelectMany(number => Fields(kind, number, value)), .. Wire.Field(last, 0, 1)];
                Assert.Equal(google.Parser.ParseFrom(wire).ToByteArray(), bridge.Rewrite(wire));
            }
        }
    }

    [Fact]
    public void The_runtime_has_room_for_the_small_messages_of_the_generator() => Assert.Equal(Layouts.SmallBytes,
        typeof(Runtime.WireWriter).GetField("SmallBytes", BindingFlags.NonPublic | BindingFlags.Static)!.GetRawConstantValue());

    static string Message(WireScalar kind) => "All" + char.ToUpperInvariant(kind.Name[0]) + kind.Name[1..];

    static int Optional(int number) => number + 1;

    static IEnumerable<byte> Fields(WireScalar kind, int number, byte[] value) =>
        [.. Wire.Field(number, kind.WireType, value), .. Wire.Field(Optional(number), kind.WireType, value)];
}

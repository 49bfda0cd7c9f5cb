using System.Reflection;
using System.Text.RegularExpressions;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>Each message of a chain is read, sized and written once, whichever construct links it. A counter is put into the generated
/// methods, because times are not certain: without the stored sizes the calls would be quadratic.</summary>
public partial class DeepMessageTests
{
    const string proto = """
        edition = "2023";
        message Chain {
          Chain single = 1;
          repeated Chain list = 2;
          map<int32, Chain> entries = 3;
          oneof kind { Chain choice = 4; }
          string name = 5;
          Chain group = 6 [features.message_encoding = DELIMITED];
        }
        message WideChain {
          WideChain single = 1;
          repeated WideChain list = 2;
          map<int32, WideChain> entries = 3;
          oneof kind { WideChain choice = 4; }
          WideChain group = 6 [features.message_encoding = DELIMITED];
        """;

    // a start tag
    const byte group = 0x33;

    const string counters = "static class Calls { public static int Parse, CalculateSize, Write; }";

    [GeneratedRegex(@"(static \S+ (Parse|CalculateSize|Write)(?:_Group)?\((?:[^()]|\(\))*\)\s*\{)")]
    private static partial Regex Method();

    [Fact]
    public void Each_message_of_a_chain_is_read_sized_and_written_once()
    {
        using var workshop = new Workshop("deep.proto",
            $"{proto}{string.Concat(Enumerable.Range(10, 30).Select(i => $"int32 f{i} = {i};"))}}}");
        workshop.GenerateAll(_ => "Deep");
        workshop.EditGenerated("deep.proto", text => Method().Replace(text, "$1 global::Calls.$2++;"));
        workshop.AddSource(counters);
        var assembly = workshop.Compile();
        var calls = new[] { "Parse", "CalculateSize", "Write" }.Select(name => assembly.GetType("Calls")!.GetField(name)!).ToArray();
        foreach (var type in new[] { "Deep.Chain", "Deep.WideChain" })
        {
            var bridge = Bridge.Of(assembly.GetType(type)!);
            foreach (var (link, entry) in new (byte, bool)[] { (0x0A, false), (0x12, false), (0x1A, true), (0x22, false), (group, false) })
            {
                var counts = new[] { 10, 30, 50 }.Select(depth => Count(calls, () => bridge.Rewrite(Wire(depth, link, entry)))).ToList();
                for (var i = 0; i < calls.Length; i++)
                {
                    var perMessage = (counts[1][i] - counts[0][i]) / 20;
                    Assert.True(perMessage > 0 && counts[1][i] == counts[0][i] + (20 * perMessage)
                        && counts[2][i] == counts[0][i] + (40 * perMessage),
                        $"{type}, tag {link:X2}: {calls[i].Name} was called {counts[0][i]}, {counts[1][i]}, {counts[2][i]} times "
                            + "at depths of 10, 30, 50");
                }
            }
        }
    }

    // the limit is 100 below the outermost message
    [Fact]
    public void A_message_that_is_read_at_once_is_a_level_too()
    {
        using var workshop = new Workshop("link.proto", """
            syntax = "proto3";
            message Link { Link next = 1; Point point = 2; }
            message Point { float x = 1; }
            """);
        workshop.GenerateAll(_ => "Deep");
        var bridge = Bridge.Of(workshop.Compile().GetType("Deep.Link")!);
        var deepest = Wire(100, 0x0A, isEntry: false, [0x12, 5, 0x0D, 0, 0, 0x80, 0x3F]);
        Assert.Equal(deepest, bridge.Rewrite(deepest));
        Assert.Throws<WireFormatException>(() => bridge.Rewrite([0x0A, .. Length(deepest), .. deepest]));
    }

    static int[] Count(FieldInfo[] calls, Action action)
    {
        foreach (var call in calls) call.SetValue(null, 0);
        action();
        return [.. calls.Select(call => (int)call.GetValue(null)!)];
    }

    /// <summary>A chain of so many messages, the last with the given content. An entry of a map is a message too.</summary>
    static byte[] Wire(int depth, byte link, bool isEntry, byte[]? content = null)
    {
        var wire = content ?? [];
        for (var i = 1; i < depth; i++)
        {
            if (isEntry) wire = [0x08, 1, 0x12, .. Length(wire), .. wire];
            wire = link == group ? [group, .. wire, group + 1] : [link, .. Length(wire), .. wire];
        }

        return wire;
    }

    static byte[] Length(byte[] wire) => wire.Length < 128 ? [(byte)wire.Length] : [(byte)(wire.Length | 0x80), (byte)(wire.Length >> 7)];
}

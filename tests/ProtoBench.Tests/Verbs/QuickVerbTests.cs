using ProtoBench.Results;

namespace ProtoBench.Tests;

/// <summary>What <c>quick</c> says. .ci/run measures with it.</summary>
public class QuickVerbTests
{
    [Fact]
    public void Each_library_has_a_sentence_with_its_interval_and_its_bytes()
    {
        var text = Write(MadeDuet.Result(
            MadeDuet.Pair("DeserializeRequestGoogle_ROM", "DeserializeRequestSlab_ROM", [0.1, 0.12, 0.11], oldBytes: 770_800),
            MadeDuet.Pair("SerializeRequestGoogle_BW", "SerializeRequestPBN_MS", [2, 2, 2])));
        Assert.Matches(@"Read \(Google.Protobuf: 100 ns\)\n  protobuf-net  not measured: it is not in this result\n"
            + @"  slab          takes 0\.11 of Google's time \[0\.\d\d to 0\.\d\d\], and allocates 0 B instead of 770,800 B\n", text);
        Assert.Matches(@"Write a message that exists \(Google.Protobuf: 100 ns\)\n"
            + @"  protobuf-net \(to a stream\)  takes 2\.00 of Google's time \[2\.00 to 2\.00\]\n", text);
        Assert.Contains("new ../my-bench", text, StringComparison.Ordinal);
        Assert.DoesNotContain(text.Split('\n'), line => line.Length > 120);
    }

    [Fact]
    public void Wide_intervals_and_failures_are_said()
    {
        const string busy = "Some intervals are wide.";
        var result = MadeDuet.Result(MadeDuet.Pair("SerializeRequestGoogle_BW", "SerializeRequestSlab_BW", [0.2, 0.4, 0.3]));
        Assert.Contains(busy, Write(result), StringComparison.Ordinal);
        var narrow = MadeDuet.Result(MadeDuet.Pair("SerializeRequestGoogle_BW", "SerializeRequestSlab_BW", [0.3, 0.3, 0.3]));
        Assert.DoesNotContain(busy, Write(narrow), StringComparison.Ordinal);
        var failed = narrow with
        {
            Failed =
            [
                new("N.T.SerializeRequestGoogle_BW", "N.T.SerializeRequestPBN_BW", "its process was killed"),
                new("N.T.SerializeRequestGoogle_BW", "N.T.SerializeRequestPBN_MS", "its process ended"),
            ],
        };
        Assert.Contains("protobuf-net (to a stream)  not measured: its process ended", Write(failed), StringComparison.Ordinal);
    }

    // 200 ns for 1,000 messages a second are 0.02 % of a core. Slab takes 10 + 30 of 200 ns, and 30 + 30 with .NET strings.
    [Fact]
    public void It_ends_with_a_recommendation_for_a_thousand_messages_a_second()
    {
        var text = Write(MadeDuet.Result(
            MadeDuet.Pair("DeserializeTouchRequestGoogle_ROM", "DeserializeTouchRequestSlab_ROM", [0.1, 0.1, 0.1]),
            MadeDuet.Pair("DeserializeStringsRequestGoogle_ROM", "DeserializeStringsRequestSlab_ROM", [0.3, 0.3, 0.3]),
            MadeDuet.Pair("DeserializeStringsRequestGoogle_ROM", "DeserializeStringsRequestPBN_ROM", [1.2, 1.2, 1.2]),
            MadeDuet.Pair("SerializeRequestGoogle_BW", "SerializeRequestSlab_BW", [0.3, 0.3, 0.3]),
            MadeDuet.Pair("SerializeRequestGoogle_BW", "SerializeRequestPBN_MS", [2, 2, 2])));
        Assert.Contains("""

            Recommendation
              For a service that reads every field of 1,000 messages a second and writes as many.
              Change nothing: all of it takes Google.Protobuf 0.02 % of a core. At 50,000 messages a second it takes 1 %.
              Protobuf's format, .NET strings: slab with .NET strings is surely faster.
                It takes 0.30 [0.30 to 0.30] of Google's time, and saves 0.01 % of a core.
              Protobuf's format, UTF-8 text: slab is surely faster.
                It takes 0.20 [0.20 to 0.20] of Google's time, and saves 0.02 % of a core.

            Next, each after:
            """.ReplaceLineEndings("\n"), text, StringComparison.Ordinal);
    }

    static string Write(DuetResult result)
    {
        using var output = new StringWriter { NewLine = "\n" };
        QuickVerb.Write(result, output);
        return output.ToString().ReplaceLineEndings("\n");
    }
}

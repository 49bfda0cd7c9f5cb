using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Tests;

public class SummaryTests
{
    [Theory]
    [InlineData(true, true, true)]
    [InlineData(false, true, false)] // a ratio to an INVALID baseline
    [InlineData(true, false, false)]
    [InlineData(false, false, false)]
    public void Ratios_rest_on_valid_runs_only(bool first, bool second, bool ratios)
    {
        var real = LoadResultFile.Read(Path.Combine(Golden.Root, "tests", "Report.Tests", "Data", "saved", "Load.json"));
        LoadVariant Judged(int at, bool valid) =>
            real.Variants[at] with { Verdict = new() { Valid = valid, Reasons = valid ? [] : ["made up"] } };
        var output = new StringWriter();
        Summary.Print(output, real with { Variants = [Judged(0, first), Judged(1, second)] },
            new() { Payload = HivePayload.Empty(), Interleave = true });
        Assert.Equal(ratios, output.ToString().Contains(" against ", StringComparison.Ordinal));
        Assert.Equal(!ratios, output.ToString().Contains("INVALID", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(2, true)]
    [InlineData(1, false)]
    public void Variants_that_did_not_take_turns_have_a_hint_and_no_ratio(int variants, bool hint)
    {
        var real = LoadResultFile.Read(Path.Combine(Golden.Root, "tests", "Report.Tests", "Data", "saved", "Load.json"));
        var output = new StringWriter();
        Summary.Print(output, real with { Variants = [.. real.Variants.Take(variants)] }, new() { Payload = HivePayload.Empty() });
        Assert.Equal(hint, output.ToString().Contains("add --interleave for a ratio", StringComparison.Ordinal));
        Assert.DoesNotContain(" against ", output.ToString(), StringComparison.Ordinal);
    }
}

using ProtoBench.Gpb;

namespace ProtoBench.Harness.Tests;

public class BenchmarkProgramTests
{
    [Fact]
    public void A_misspelled_verb_measures_nothing_and_the_verbs_are_named()
    {
        Assert.Equal(2, new BenchmarkProgram(typeof(MadeUpOrders), ForwardRequest.Parser, [])
            .Start(["versoins"], () => throw new InvalidOperationException("payloads were read")));
        Assert.Equal("'versoins' is not a verb; there are: duet, versions. Did you mean versions? Cells are chosen with --filter.",
            Assert.Throws<UsageException>(() => UnknownVerb.Refuse("versoins", ["duet", "versions"])).Message);
    }

    [Theory]
    [InlineData("--filtr", "*")]
    [InlineData("--")]
    [InlineData("--proceses", "10")]
    public void An_unknown_option_is_refused_before_the_payloads_are_read(params string[] args) =>
        Assert.Equal(2, new BenchmarkProgram(typeof(MadeUpOrders), ForwardRequest.Parser, [])
            .Start(args, () => throw new InvalidOperationException("payloads were read")));

    [Fact]
    public void A_misspelled_option_of_BenchmarkDotNet_is_named() =>
        Assert.Equal("Option 'iterationCont' is unknown. Did you mean --iterationCount? (--help lists all options)",
            Assert.Throws<InvalidDataException>(() =>
                BenchmarkArguments.Parse(["--iterationCont", "3"], BenchmarkDotNet.Configs.ManualConfig.CreateEmpty(), "--help")).Message);
}

using ProtoBench.Gpb;

namespace ProtoBench.Harness.Tests;

public class BenchmarkProgramTests
{
    [Fact]
    public void A_misspelled_verb_measures_nothing_and_the_verbs_are_named()
    {
        Assert.Equal(2, new BenchmarkProgram(typeof(MadeUpOrders), ForwardRequest.Parser, [])
            .Start(["versoins"], () => throw new InvalidOperationException("payloads were read")));
        Assert.Equal("'versoins' is not a verb; there are: duet, versions. Cells are chosen with --filter.",
            Assert.Throws<UsageException>(() => UnknownVerb.Refuse("versoins", ["duet", "versions"])).Message);
    }
}

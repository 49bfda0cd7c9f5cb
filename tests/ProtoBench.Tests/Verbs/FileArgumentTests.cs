using System.CommandLine;

namespace ProtoBench.Tests;

public class FileArgumentTests
{
    public static TheoryData<Command> Verbs => [CompareVerb.Create(), ReportVerb.Create()];

    [Theory]
    [MemberData(nameof(Verbs))]
    public void A_misspelled_option_is_not_taken_for_a_file(Command verb)
    {
        var (exit, _, error) = Sandbox.Run(verb, verb.Name == "report" ? "--uot" : "--fliter", "Order");
        Assert.Equal(2, exit);
        Assert.StartsWith(verb.Name == "report" ? "'--uot' is not an option here, did you mean --out?" : "'--fliter' is not an option here, did you mean --filter?", error, StringComparison.Ordinal);
    }
}

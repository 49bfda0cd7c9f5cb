using ProtoBench.Running;

namespace ProtoBench.Tests.Running;

public class OwnOptionsTests
{
    // Every run writes the full JSON with a node of ours; BenchmarkDotNet's own has the same file name.
    [Theory]
    [InlineData("--filter * --exporters fulljson", "--filter *")]
    [InlineData("--exporters fulljson --filter *", "--filter *")]
    [InlineData("-e fulljson html --filter *", "-e html --filter *")]
    [InlineData("-e json FullJson", "-e json")]
    [InlineData("--exporters=fulljson --filter *", "--filter *")]
    [InlineData("--filter fulljson", "--filter fulljson")]
    [InlineData("--exporters json --filter *", "--exporters json --filter *")]
    public void Nothing_is_written_over_our_report(string given, string handedOn) => Assert.Equal(handedOn.Split(' '), OwnOptions.Parse(given.Split(' ')).Rest);
}

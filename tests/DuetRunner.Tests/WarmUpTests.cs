namespace ProtoBench.DuetRunner.Tests;

public class WarmUpTests
{
    // The first line is what three of 48 processes showed on a busy machine:
    // the JIT had not even begun to count calls, and tier-0 code was measured.
    [Theory]
    [InlineData(364, 64, 60, false)]
    [InlineData(900, 64, 100, false)]
    [InlineData(4_100, 64, 300, true)] // nothing to compile again: TieredCompilation is off, or all of it was compiled ahead
    [InlineData(1_260, 944, 30, false)]
    [InlineData(1_450, 944, 50, true)]
    [InlineData(1_450, 944, 1, false)] // a long round: not every cell was called since
    public void Quiet_is_a_while_after_a_method_of_a_higher_tier(int elapsed, int lastCompiled, int rounds, bool quiet) =>
        Assert.Equal(quiet, WarmUp.IsQuiet(TimeSpan.FromMilliseconds(elapsed), TimeSpan.FromMilliseconds(lastCompiled), rounds));
}

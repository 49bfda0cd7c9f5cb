namespace ProtoBench.Results.Tests.Load;

public class SweepKneeTests
{
    // A figure is the p99 of a VALID step, a negative one that of an INVALID step, 0 stands for a step without a successful call. Steps are
    // at 20, 30, 40, ... %.
    [Theory]
    [InlineData(new double[] { 100, 110, 120, 200, 299, 300, 301, 5_000 }, 70,
    "the knee is at 70 %: at 80 % p99 is more than 3 times that of 20 %")]
    [InlineData(new double[] { 100, 100, 900, 100 }, 30, "the knee is at 30 %: at 40 % p99 is more than 3 times that of 20 %")]
    [InlineData(new double[] { 100, 301, 100 }, 20, "the knee is at 20 %: at 30 % p99 is more than 3 times that of 20 %")]
    [InlineData(new double[] { 100, 90, 90 }, null, "no knee up to 40 %: p99 stays within 3 times that of 20 %")]
    [InlineData(new double[] { 100, -9_000, 120, 900 }, 40, "the knee is at 40 %: at 50 % p99 is more than 3 times that of 20 %")]
    [InlineData(new double[] { 100, 110, -9_000, 0 }, null,
    "no knee up to 30 %: p99 stays within 3 times that of 20 %; all steps above are INVALID")]
    [InlineData(new double[] { -100, 110, 120 }, null, "no knee: the step at 20 %, with which the others are compared, is INVALID")]
    [InlineData(new double[] { -100, -110, -120 }, null, "no knee: every step is INVALID")]
    [InlineData(new double[] { 0, 0, 0 }, null, "no knee: every step is INVALID")]
    [InlineData(new double[] { 100 }, null, "no knee up to 20 %: p99 stays within 3 times that of 20 %")]
    [InlineData(new double[] { }, null, "no knee: there is no step")]
    public void It_is_the_last_valid_step_before_p99_is_three_times_that_of_the_first(double[] p99, int? percent, string sentence) =>
        Assert.Equal(new SweepKnee(percent, sentence), SweepKnee.Of([.. p99.Select((us, i) =>
            (20.0 + (10 * i), us == 0 ? (double?)null : Math.Abs(us), us > 0))]));
}

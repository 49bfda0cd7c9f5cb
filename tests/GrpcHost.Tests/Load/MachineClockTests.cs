namespace ProtoBench.GrpcHost.Tests;

public class MachineClockTests
{
    // 1e9 / 24e6 is no whole number: rounded to 41 ns a tick, a second has 984 ms.
    [Theory]
    [InlineData(24_000_000, 24_000_000, 1_000_000_000)]
    [InlineData(1, 24_000_000, 41)]
    [InlineData(3, 24_000_000, 125)]
    [InlineData(123_456_789, 1_000_000_000, 123_456_789)]
    [InlineData(3_579_545, 3_579_545, 1_000_000_000)]
    [InlineData(315_360_000 * 24_000_000L, 24_000_000, 315_360_000_000_000_000)] // ten years
    [InlineData(2_500_000_001, 5_000_000_000, 500_000_000)]
    public void Ticks_of_any_clock_are_nanoseconds(long ticks, long frequency, long nanoseconds) =>
        Assert.Equal(nanoseconds, MachineClock.Nanoseconds(ticks, frequency));
}

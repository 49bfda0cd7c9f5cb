namespace ProtoBench.Results.Tests;

public class FiguresTests
{
    [Theory]
    [InlineData(0, "0 ns")]
    [InlineData(0.00123456, "0.001235 ns")]
    [InlineData(1.5, "1.500 ns")]
    [InlineData(12.345, "12.35 ns")]
    [InlineData(250, "250 ns")]
    [InlineData(250.84, "250.8 ns")]
    [InlineData(999.96, "1.000 us")]
    [InlineData(1_072.19, "1.072 us")]
    [InlineData(12_345_678, "12.35 ms")]
    [InlineData(2e9, "2 s")]
    [InlineData(1.2345e13, "12,345 s")]
    public void Times_have_four_digits_and_the_unit_that_fits(double nanoseconds, string text) =>
        Assert.Equal(text, Figures.Of(Made.Time, nanoseconds));

    [Theory]
    [InlineData(0, "0")]
    [InlineData(24, "24")]
    [InlineData(8_592, "8,592")]
    [InlineData(290_699, "290,699")]
    [InlineData(0.5, "0.5")]
    [InlineData(812.34, "812.3")]
    public void Bytes_are_written_out(double value, string text) => Assert.Equal(text, Figures.Of(Made.Bytes, value));

    [Theory]
    [InlineData(1, "0.00%")]
    [InlineData(1.05, "+5.00%")]
    [InlineData(0.95, "-5.00%")]
    [InlineData(1.00001, "+0.00%")]
    [InlineData(0, "-100.00%")]
    [InlineData(15, "+1,400%")]
    [InlineData(double.PositiveInfinity, "?")]
    public void Changes_have_a_sign_unless_there_is_none(double factor, string text) => Assert.Equal(text, Figures.Percent(factor));

    [Theory, InlineData(0.0005, "<0.001"), InlineData(0.00794, "=0.008"), InlineData(1, "=1.000")]
    public void P_is_never_printed_as_zero(double p, string text) => Assert.Equal(text, Figures.P(p));
}

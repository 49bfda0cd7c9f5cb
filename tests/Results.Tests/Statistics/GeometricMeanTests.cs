namespace ProtoBench.Results.Tests;

public class GeometricMeanTests
{
    [Fact]
    public void It_is_benchstats_for_benchstats_own_data()
    {
        Assert.Equal(2294.891936453654, GeometricMean.Of([1718, 3065.5])!.Value, 1e-9);
        Assert.Equal(2089.754770302007, GeometricMean.Of([1422.5, 3070])!.Value, 1e-9);
    }

    [Fact]
    public void Zero_and_nothing_have_none()
    {
        Assert.Null(GeometricMean.Of([1, 0]));
        Assert.Null(GeometricMean.Of([]));
    }
}

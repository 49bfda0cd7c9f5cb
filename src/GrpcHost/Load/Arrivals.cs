namespace ProtoBench.GrpcHost.Load;

/// <summary>The schedule of an open loop, in nanoseconds from its start. Times
/// are absolute and not rounded, so errors do not accumulate.</summary>
abstract class Arrivals
{
    /// <summary>The time of the next call; later than the one before.</summary>
    public abstract double Next();

    /// <summary>The same gap between all calls.</summary>
    public static Arrivals Constant(double perSecond) => new ConstantArrivals(perSecond);

    /// <summary>Independent calls: exponentially distributed gaps.</summary>
    public static Arrivals Poisson(double perSecond, int seed) => new PoissonArrivals(perSecond, seed);

    sealed class ConstantArrivals(double perSecond) : Arrivals
    {
        long number;

        public override double Next() => number++ * 1e9 / perSecond;
    }

    sealed class PoissonArrivals(double perSecond, int seed) : Arrivals
    {
        readonly Random random = new(seed);
        double time;

        public override double Next() => time += -Math.Log(1 - random.NextDouble()) * 1e9 / perSecond;
    }
}

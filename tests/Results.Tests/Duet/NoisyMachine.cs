namespace ProtoBench.Results.Tests.Duet;

/// <summary>A machine that is busy half of the time and then takes twice as long, in stays of 2 s on average, and a program whose code
/// layout differs between processes: the noise of the issue, as it was measured on shared machines.</summary>
sealed class NoisyMachine(int seed)
{
    const double stay = 2.0;
    const double busyFactor = 2;
    const double jitter = 0.02;

    readonly Random random = new(seed);
    bool busy;

    /// <summary>The relative deviation of a process's layout from that of others.</summary>
    public double LayoutDeviation { get; init; } = 0.02;

    /// <summary>The share of processes that a layout hits by a further 15 %, as was seen with Serialize.</summary>
    public double UnluckyLayouts { get; init; }

    /// <summary>What layout does to one side in one process: a factor on its times.</summary>
    public double Layout() => Math.Exp(LayoutDeviation * Normal()) * (random.NextDouble() < UnluckyLayouts ? 1.15 : 1);

    /// <summary>One process: pairs of slices of a millisecond in random order.</summary>
    /// <param name="change">New by old.</param>
    public (SliceSide Old, SliceSide New) Process(double change, int pairs)
    {
        var (old, @new) = (new double[pairs], new double[pairs]);
        var (oldFactor, newFactor) = (Layout(), change * Layout());
        for (var i = 0; i < pairs; i++)
        {
            if (random.Next(2) == 0)
                (old[i], @new[i]) = (Slice(oldFactor), Slice(newFactor));
            else
                (@new[i], old[i]) = (Slice(newFactor), Slice(oldFactor));
        }

        return (new(old, new bool[pairs], 1, 0), new(@new, new bool[pairs], 1, 0));
    }

    // A slice in nanoseconds; one in fifty is hit by something that the other one of its pair does not see.
    double Slice(double factor) => 1e6 * Pass(0.001) * factor * (1 + (jitter * Normal())) * (random.Next(50) == 0 ? 3 : 1);

    // How much longer work of that length takes now; the machine may change its state within.
    double Pass(double seconds)
    {
        if (random.NextDouble() < seconds / stay)
            busy = !busy;
        return busy ? busyFactor : 1;
    }

    double Normal() => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}

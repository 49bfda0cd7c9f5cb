using System.Diagnostics.Metrics;

namespace ProtoBench.Allocators;

/// <summary>The meter <c>ProtoBench.Allocators</c>: the statistics of all pools of the process. They are read only while a listener is
/// attached. They are published a second after the first pool is made: .NET's meters took 8 of the 26 ms of the first message of a process,
/// and beside it, on another thread, they compete with it for the JIT. A thread waits that second, because the first timer of a process
/// takes 1.2 ms longer to make. Names and units follow OpenTelemetry's conventions. The tag is the
/// pool's name; pools of the same name are added up.</summary>
static class SlabMeter
{
    const string tag = "protobench.slab.pool";

    static readonly TimeSpan delay = TimeSpan.FromSeconds(1);
    static readonly List<WeakReference<SlabPool>> pools = [];
    static Meter? meter;
    static bool isPublishing;

    static void PublishLater()
    {
        Thread.Sleep(delay);
        Publish();
    }

    /// <summary>Makes the instruments.</summary>
    static void Publish()
    {
        meter = new("ProtoBench.Allocators");
        Sum("live", "By", "Bytes handed out from slabs", numbers => numbers.LiveBytes);
        Sum("held", "By", "Bytes of all slabs, lent and idle", numbers => numbers.HeldBytes);
        Sum("idle", "By", "Bytes of the slabs that wait in the pool", numbers => numbers.IdleBytes);
        Sum("slack", "By", "Bytes of lent slabs that carry nothing live", numbers => numbers.SlackBytes);
        Sum("slices", "{slice}", "References to counted slices", numbers => numbers.LiveSlices);
        Sum("lent", "{slab}", "Slabs that are lent", numbers => numbers.LentSlabs);
        Count("rents", "{slab}", "Slabs rented", numbers => numbers.Rents);
        Count("oversize", "{slab}", "Rents of more than a regular slab", numbers => numbers.OversizeRents);
        Count("unpooled", "{slab}", "Rents served beyond the cap", numbers => numbers.UnpooledRents);
        Count("stranded", "{slab}", "Slabs whose owner was collected without returning them", numbers => numbers.StrandedSlabs);
        Count("trims", "{slab}", "Idle slabs dropped", numbers => numbers.TrimmedSlabs);
    }

    internal static void Add(SlabPool pool)
    {
        lock (pools)
        {
            if (pools.Count > 0) RemoveGone();
            pools.Add(new(pool));
            if (isPublishing) return;
            isPublishing = true;
            if (OperatingSystem.IsBrowser()) PublishLaterWithoutThread();
            else new Thread(PublishLater) { IsBackground = true, Name = "slab meter" }.UnsafeStart();
        }
    }

    // These are methods of their own: the JIT loads all types that a method mentions, and the first pool of a process needs none of these.

    static void RemoveGone() => pools.RemoveAll(IsGone);

    static void PublishLaterWithoutThread() => Task.Delay(delay).ContinueWith(_ => Publish(), TaskScheduler.Default);

    static bool IsGone(WeakReference<SlabPool> pool) => !pool.TryGetTarget(out _);

    static void Sum(string name, string unit, string description, Func<SlabPoolSnapshot, long> read) =>
        meter!.CreateObservableUpDownCounter("protobench.slab." + name, () => Measure(read), unit, description);

    static void Count(string name, string unit, string description, Func<SlabPoolSnapshot, long> read) =>
        meter!.CreateObservableCounter("protobench.slab." + name, () => Measure(read), unit, description);

    static List<Measurement<long>> Measure(Func<SlabPoolSnapshot, long> read)
    {
        lock (pools)
        {
            return [.. pools
                .Select(reference => reference.TryGetTarget(out var pool) ? pool : null)
                .OfType<SlabPool>()
                .GroupBy(pool => pool.Name)
                .Select(group => new Measurement<long>(group.Sum(pool => read(pool.Snapshot())), [new(tag, group.Key)]))];
        }
    }
}

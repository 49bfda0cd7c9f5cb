namespace ProtoBench.GrpcHost;

/// <summary>Says when calls are due. A call of a closed loop is due when its caller's last one has ended. An open loop does not depend on
/// replies. The threads of a load share it, and nothing is allocated for a call.</summary>
sealed class CallSchedule(RunCancellation cancellation)
{
    long begun;
    long windowEnd = long.MaxValue;

    public RunCancellation Cancellation => cancellation;

    public required long Start { get; init; }

    /// <summary>The time after which no call begins.</summary>
    public long Last { get; init; } = long.MaxValue;

    /// <summary>The time at which calls are cancelled.</summary>
    public long GiveUp { get; init; } = long.MaxValue;

    public long Requests { get; init; } = long.MaxValue;

    /// <summary>Creates the arrivals of the open loop, once for each thread that sends calls. Null for the closed loop.</summary>
    public Func<Arrivals>? Arrivals { get; init; }

    /// <summary>The number of calls in flight above which the open loop skips calls, because a queue would make it a closed one.</summary>
    public int MaxInFlight { get; init; } = int.MaxValue;

    /// <summary>Calls above <see cref="MaxInFlight"/> wait instead of being skipped. Their latency includes the wait.</summary>
    public bool NeverSkips { get; init; }

    /// <summary>The time that a caller of a stack waits after a failed call.</summary>
    public TimeSpan AfterFailure { get; init; }

    /// <summary>Called in the thread in which a call ended: nanoseconds since it was due, and its failure; null to call nothing. A message
    /// of a stream of the event loop is a call: with the time to its answer if it waits for it, otherwise since the one before.</summary>
    public Action<long, string?>? OnEnd { get; init; }

    /// <summary>Where each call is written; null for nowhere.</summary>
    public RoundLog? Log { get; init; }

    /// <summary>The statuses that are no failures; null for OK.</summary>
    public IReadOnlySet<string>? Expected { get; init; }

    public bool Spin { get; init; }

    public long WindowEnd => Math.Min(Volatile.Read(ref windowEnd), Arrivals is null ? long.MaxValue : Last);

    /// <summary>Returns whether a caller of the closed loop begins a call now, and the number of the call, from 0.</summary>
    public bool TryBegin(long now, out long number)
    {
        number = -1;
        return now < Last && !cancellation.Token.IsCancellationRequested && (number = Interlocked.Increment(ref begun) - 1) < Requests;
    }

    public void EndWindow(long time) => Interlocked.CompareExchange(ref windowEnd, Math.Max(Start + 1, time), long.MaxValue);

    public Window WindowOf(CallStatistics calls, IReadOnlyList<CallerShare> callers)
    {
        // if a number of calls ends the loop, the window ends with the last call
        var byCount = Last == long.MaxValue || Volatile.Read(ref begun) >= Requests;
        long[] busy = [.. callers.Select(one => Math.Max(1, one.End - Start))];
        var length = byCount ? busy.Max() : Math.Max(1, Length(callers, busy));
        // From its first call to the end of its last, a caller is always in a call except for its checks. So this count of the calls in
        // flight is independent of rate x latency, and Little's law can be checked with it. Callers begin one after the other, and if a
        // number of calls ends the loop, some end before others. Both sides have the same length, so that a caller whose last call hung
        // changes both.
        var inFlight = callers.Sum(one => one.End - one.Begin - one.CheckedNs) / (double)length;
        return new(calls, length, calls.Service.Count + calls.Failed.Count, 0, 0, Math.Max(0, inFlight),
            cancellation.Token.IsCancellationRequested)
        {
            MostInFlight = callers.Count,
        };
    }

    public Window WindowOf(CallStatistics calls, IReadOnlyCollection<DueTimes> times, long largestBacklog, int mostInFlight)
    {
        // a host that is behind answers the rest after the window, and its rate is not that of the schedule
        var length = Math.Max(WindowEnd, calls.LastSuccess) - Start;
        return new(calls, length, times.Sum(one => one.Attempted), times.Sum(one => one.Skipped), largestBacklog, 0,
            cancellation.Token.IsCancellationRequested)
        {
            DueNs = WindowEnd - Start,
            MostInFlight = mostInFlight,
        };
    }

    /// <summary>Returns the length of a window that a time ends. No call begins after that time, and each caller's part of the window ends
    /// with its own last call. If all parts ended at that time, calls would be divided by less time than they took. If later calls were
    /// left out, these would be the long ones. The rate is the sum of the callers' rates, so a call that hangs affects its own caller
    /// only.</summary>
    static long Length(IReadOnlyList<CallerShare> callers, long[] busy)
    {
        var (calls, rate) = (0L, 0.0);
        foreach (var (caller, time) in callers.Zip(busy))
        {
            calls += caller.Calls;
            rate += caller.Calls / (double)time;
        }

        return calls == 0 ? busy.Max() : (long)Math.Round(calls / rate);
    }
}

/// <summary>The part of one caller in a closed loop: when its first call was sent and its last call ended, in nanoseconds.</summary>
readonly record struct CallerShare(long Begin, long End, long Calls, long CheckedNs);

/// <summary>The calls of an open loop that one thread sends. All threads draw the same times, and each uses its own part.</summary>
sealed class DueTimes
{
    readonly CallSchedule schedule;
    readonly Arrivals arrivals;
    readonly int index;
    readonly int threads;
    readonly int maxInFlight;
    long drawn;

    public DueTimes(CallSchedule schedule, int index = 0, int threads = 1)
    {
        (this.schedule, this.index, this.threads, arrivals) = (schedule, index, threads, schedule.Arrivals!());
        maxInFlight = Math.Max(1, schedule.MaxInFlight / threads);
        Advance();
    }

    /// <summary>The time at which the next call is due; <see cref="long.MaxValue"/> after the last.</summary>
    public long Due { get; private set; }

    public long Attempted { get; private set; }

    public long Skipped { get; private set; }

    /// <summary>Whether the next call is due and waits until another one has ended.</summary>
    public bool Waits { get; private set; }

    /// <summary>Takes the next call that is due, and skips those for which too many are in flight.</summary>
    public bool TryTake(long now, int inFlight, out long due)
    {
        Waits = false;
        while (Due <= now)
        {
            due = Due;
            var isFull = inFlight >= maxInFlight;
            if (isFull && schedule.NeverSkips)
            {
                Waits = true;
                return false;
            }

            Attempted++;
            Advance();
            if (!isFull)
                return true;
            Skipped++;
        }

        due = long.MaxValue;
        return false;
    }

    public void Stop(long now)
    {
        Due = long.MaxValue;
        schedule.EndWindow(now);
    }

    void Advance()
    {
        do
        {
            Due = schedule.Start + (long)arrivals.Next();
        }
        while (drawn++ % threads != index);
        if (Due >= schedule.Last)
            Due = long.MaxValue;
    }
}

/// <summary>Times in nanoseconds from the start. They are absolute and not rounded, so errors do not accumulate.</summary>
abstract class Arrivals
{
    public abstract double Next();

    public static Arrivals Constant(double perSecond) => new ConstantArrivals(perSecond);

    public static Arrivals Poisson(double perSecond, int seed) => new PoissonArrivals(perSecond, seed);

    /// <summary>A rate that changes evenly from one to another in a time in seconds. No call arrives after it.</summary>
    public static Arrivals Line(double from, double to, double seconds) =>
        from == to ? Constant(from) : new LineArrivals(from, (to - from) / seconds, seconds);

    sealed class LineArrivals(double from, double slope, double seconds) : Arrivals
    {
        // later than any schedule, and far from an overflow
        const double never = 1e18;
        long number;

        // from * t + slope * t * t / 2 calls have arrived at the time t
        public override double Next()
        {
            var square = (from * from) + (2 * slope * number++);
            var time = square < 0 ? seconds : (Math.Sqrt(square) - from) / slope;
            return time < seconds ? time * 1e9 : never;
        }
    }

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

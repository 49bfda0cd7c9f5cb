using System.Diagnostics;
using System.IO.Pipes;
using System.Runtime.ExceptionServices;
using System.Text;

namespace ProtoBench.DuetRunner;

/// <summary>Slices of two processes alternate. A byte in a pipe passes the turn, so only one of them is awake.</summary>
static class TurnTaking
{
    public static IReadOnlyList<RunnerPairOutput> Measure(CellCatalog catalog, RunnerJob job)
    {
        using var partner = Partner.Meet(job.Pipe!, job.RunsOld);
        return [.. job.Pairs.Select((pair, i) => Measure(catalog, job.RunsOld ? pair.Old : pair.New, job, job.RandomOf(i), partner))];
    }

    static RunnerPairOutput Measure(CellCatalog catalog, string name, RunnerJob job, Random random, Partner partner)
    {
        MeasuredCell? cell = null;
        try
        {
            PartnerFacts own;
            var (warm, quiet) = (0.0, false);
            try
            {
                cell = catalog.Find(name);
                var done = WarmUp.Run([cell], TimeSpan.FromSeconds(job.WarmUpLimitSeconds));
                if (done.Failed.TryGetValue(cell, out var thrown))
                    ExceptionDispatchInfo.Throw(thrown);
                (warm, quiet) = (done.Seconds, done.Quiet);
                var known = Calibration.Of(cell);
                own = new(null, known.CallNanoseconds, known.BytesPerOperation, known.Waits || !ThreadUse.IsKnown,
                    Thread.GetCurrentProcessorId());
            }
            catch (Exception e)
            {
                own = new(e is RunnerException ? e.Message : $"{e.GetType().Name}: {e.Message}", 0, 0, false, 0);
            }

            var other = partner.Exchange(own);
            if ((own.Error ?? other.Error) is { } error)
                return new() { Error = error };
            return Measure(cell!, job, random, partner, own, other) with { WarmUpSeconds = warm, Quiet = quiet };
        }
        finally
        {
            cell?.Dispose();
        }
    }

    static RunnerPairOutput Measure(MeasuredCell cell, RunnerJob job, Random random, Partner partner, PartnerFacts own, PartnerFacts other)
    {
        var waits = own.Waits || other.Waits;
        var slice = own.BytesPerOperation > 0 || other.BytesPerOperation > 0 ? job.AllocatingSliceMilliseconds : job.SliceMilliseconds;
        var log = new SliceLog(cell, new Calibration(own.CallNanoseconds, own.BytesPerOperation, own.Waits).CallsIn(slice));
        var callNanoseconds = EmptyCall.Nanoseconds();
        GC.Collect();
        GC.WaitForPendingFinalizers();

        // Cells that wait for other threads may need every core.
        using var bound = waits ? null : OneCore.Bind(job.RunsOld ? own.Core : other.Core);
        var handOver = partner.HandOverNanoseconds();
        TakeTurns(log, job, random, partner);
        var side = log.ToSide(own.BytesPerOperation);
        return new()
        {
            Old = job.RunsOld ? side : null,
            New = job.RunsOld ? null : side,
            Clock = waits ? "wall" : "cpu",
            CallNanoseconds = callNanoseconds,
            HandOverNanoseconds = handOver,
        };
    }

    // Both runners draw the same order from the same seed, so the byte that is passed only means "your turn" or "the end".
    static void TakeTurns(SliceLog log, RunnerJob job, Random random, Partner partner)
    {
        var clock = Stopwatch.StartNew();
        var mine = true; // nobody waits before the first slice
        for (var count = -OneProcess.DroppedPairs; ; count++)
        {
            var oldFirst = random.Next(2) == 0;
            if (count == 0)
            {
                log.Clear();
                clock.Restart();
            }

            for (var slot = 0; slot < 2; slot++)
            {
                var isOwn = (slot == 0 ? oldFirst : !oldFirst) == job.RunsOld;
                var first = count == -OneProcess.DroppedPairs && slot == 0;
                if (!isOwn)
                {
                    if (mine && !first)
                        partner.PassTurn();
                    mine = false;
                    continue;
                }

                if (!mine && !partner.AwaitTurn())
                    return;
                mine = true;
                log.Run();
            }

            // The runner with the turn after a pair checks the time, and ends the measurement for both.
            if (mine && count + 1 >= OneProcess.LeastPairs && clock.Elapsed.TotalSeconds >= job.Seconds)
            {
                partner.EndTurns();
                return;
            }
        }
    }
}

readonly record struct PartnerFacts(string? Error, double CallNanoseconds, double BytesPerOperation, bool Waits, int Core);

sealed class Partner : IDisposable
{
    const byte turn = 1;
    const byte end = 2;

    readonly PipeStream pipe;
    readonly byte[] one = new byte[1];

    Partner(PipeStream pipe) => this.pipe = pipe;

    public static Partner Meet(string name, bool opens)
    {
        if (opens)
        {
            var server = new NamedPipeServerStream(name, PipeDirection.InOut, 1);
            server.WaitForConnection();
            return new(server);
        }

        var client = new NamedPipeClientStream(".", name, PipeDirection.InOut);
        client.Connect();
        return new(client);
    }

    public PartnerFacts Exchange(PartnerFacts own)
    {
        using var writer = new BinaryWriter(pipe, Encoding.UTF8, leaveOpen: true);
        using var reader = new BinaryReader(pipe, Encoding.UTF8, leaveOpen: true);
        writer.Write(own.Error ?? "");
        writer.Write(own.CallNanoseconds);
        writer.Write(own.BytesPerOperation);
        writer.Write(own.Waits);
        writer.Write(own.Core);
        writer.Flush();
        var error = reader.ReadString();
        return new(error.Length == 0 ? null : error, reader.ReadDouble(), reader.ReadDouble(), reader.ReadBoolean(), reader.ReadInt32());
    }

    /// <summary>Returns the mean time to pass the turn, measured by passing it in both directions.</summary>
    public double HandOverNanoseconds()
    {
        const int rounds = 200;
        var opens = pipe is NamedPipeServerStream;
        for (var i = 0; i < 20; i++)
            Round(opens);
        var from = Stopwatch.GetTimestamp();
        for (var i = 0; i < rounds; i++)
            Round(opens);
        return Stopwatch.GetElapsedTime(from).TotalNanoseconds / rounds / 2;
    }

    public void PassTurn() => Write(turn);

    public void EndTurns() => Write(end);

    /// <summary>Sleeps until the turn of this runner. Returns false at the end of the measurement.</summary>
    public bool AwaitTurn() => pipe.Read(one, 0, 1) == 1 ? one[0] == turn : throw new RunnerException("the other process has ended");

    public void Dispose() => pipe.Dispose();

    void Round(bool begins)
    {
        if (begins)
            PassTurn();
        AwaitTurn();
        if (!begins)
            PassTurn();
    }

    void Write(byte what)
    {
        one[0] = what;
        pipe.Write(one, 0, 1);
    }
}

/// <summary>Binds the main thread on Linux, and the process on Windows, if the system allows it.</summary>
sealed class OneCore(nint before) : IDisposable
{
    public static OneCore? Bind(int core)
    {
        if ((!OperatingSystem.IsLinux() && !OperatingSystem.IsWindows()) || core >= 63)
            return null;
        try
        {
            using var process = Process.GetCurrentProcess();
            var before = process.ProcessorAffinity;
            process.ProcessorAffinity = (nint)(1L << core);
            return new(before);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return null; // a container may forbid it
        }
    }

    public void Dispose()
    {
        if (!OperatingSystem.IsLinux() && !OperatingSystem.IsWindows())
            return;
        using var process = Process.GetCurrentProcess();
        process.ProcessorAffinity = before;
    }
}

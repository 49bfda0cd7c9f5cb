namespace ProtoBench.DuetRunner;

/// <summary>Held by the one of several runners that measures. The others set up and
/// warm up meanwhile, which disturbs it no more than other programs do.</summary>
sealed class MeasuringTurn : IDisposable
{
    readonly Mutex? mutex;

    MeasuringTurn(Mutex? mutex) => this.mutex = mutex;

    /// <summary>Waits for the turn. The thread that waited has to dispose of it.</summary>
    /// <param name="name">The name of the mutex that the runners share; null where there is one runner.</param>
    public static MeasuringTurn Await(string? name)
    {
        if (name is null)
            return new(null);
        var mutex = new Mutex(initiallyOwned: false, name);
        try
        {
            mutex.WaitOne();
        }
        catch (AbandonedMutexException)
        {
            // A runner that was killed while it measured: now it is this one's.
        }

        return new(mutex);
    }

    public void Dispose()
    {
        mutex?.ReleaseMutex();
        mutex?.Dispose();
    }
}

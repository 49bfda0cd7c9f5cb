namespace ProtoBench.GrpcHost.Load;

/// <summary>How a run ends before its time: no new calls at once, and those under way are given up a little later.</summary>
sealed class Stopping : IDisposable
{
    static readonly TimeSpan grace = TimeSpan.FromSeconds(2);
    readonly CancellationTokenSource abandon = new();
    readonly CancellationTokenRegistration registration;

    public Stopping(CancellationToken stop)
    {
        Stop = stop;
        registration = stop.Register(() => abandon.CancelAfter(grace));
    }

    /// <summary>No new calls.</summary>
    public CancellationToken Stop { get; }

    /// <summary>Calls under way end now, uncounted.</summary>
    public CancellationToken Abandon => abandon.Token;

    public void Dispose()
    {
        registration.Dispose();
        abandon.Dispose();
    }
}

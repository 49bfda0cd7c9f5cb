namespace ProtoBench.GrpcHost.Load;

/// <summary>How a run ends before its time: no new calls at once, and those under way are given up a little later.</summary>
sealed class RunCancellation : IDisposable
{
    static readonly TimeSpan grace = TimeSpan.FromSeconds(2);
    readonly CancellationTokenSource abandon = new();
    readonly CancellationTokenRegistration registration;

    public RunCancellation(CancellationToken cancellationToken)
    {
        Token = cancellationToken;
        registration = cancellationToken.Register(() => abandon.CancelAfter(grace));
    }

    /// <summary>No new calls.</summary>
    public CancellationToken Token { get; }

    /// <summary>Calls under way end now, uncounted.</summary>
    public CancellationToken AbandonToken => abandon.Token;

    public void Dispose()
    {
        registration.Dispose();
        abandon.Dispose();
    }
}

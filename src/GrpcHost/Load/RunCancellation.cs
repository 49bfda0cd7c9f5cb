namespace ProtoBench.GrpcHost.Load;

/// <summary>Represents the early end of a run. New calls stop immediately, and calls in progress are abandoned a little later.</summary>
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

    /// <summary>Cancelled when no new calls may start.</summary>
    public CancellationToken Token { get; }

    /// <summary>Cancelled when calls in progress are abandoned. They are not counted.</summary>
    public CancellationToken AbandonToken => abandon.Token;

    public void Dispose()
    {
        registration.Dispose();
        abandon.Dispose();
    }
}

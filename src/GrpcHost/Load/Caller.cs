using ProtoBench.Rpc.Calls;

namespace ProtoBench.GrpcHost.Load;

/// <summary>Makes one call after the other, always the same, and checks what comes back. One call at a time.</summary>
abstract class Caller : IDisposable
{
    /// <summary>Sends a request and receives its reply.</summary>
    /// <exception cref="RpcException">The call failed.</exception>
    public abstract ValueTask SendAsync(CancellationToken cancellationToken);

    /// <summary>Checks the reply of the last call, which succeeded, and lets go of it.</summary>
    /// <param name="deep">Compare every byte, not only counts and lengths.</param>
    /// <returns>False when it is not the reply that was due.</returns>
    public abstract bool Finish(bool deep);

    /// <summary>Lets go of the request, when no call is under way.</summary>
    public abstract void Dispose();
}

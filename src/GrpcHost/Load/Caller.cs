
using Grpc.Core;
using ProtoBench.Rpc;
namespace ProtoBench.GrpcHost.Load;

/// <summary>Makes the same call repeatedly, one at a time, and checks the replies.</summary>
abstract class Caller : IDisposable
{
    /// <summary>Sends a request and receives its reply.</summary>
    /// <exception cref="RpcException">The call failed.</exception>
    public abstract ValueTask SendAsync(CancellationToken cancellationToken);

    /// <summary>Checks the reply of the last successful call and releases it.</summary>
    /// <param name="deep">Compare every byte, instead of counts and lengths only.</param>
    /// <returns>Whether it is the expected reply.</returns>
    public abstract bool Finish(bool deep);

    /// <summary>Releases the request. No call may be in progress.</summary>
    public abstract void Dispose();
}

using ProtoBench.Pbn;
using ProtoBuf.Grpc;
using ProtoBuf.Grpc.Configuration;

namespace ProtoBench.Stacks;

/// <summary>The echo as protobuf-net.Grpc's users write a service.</summary>
[Service("EchoPkg.Echo")]
public interface IEchoService
{
    /// <summary>Gives back what it got.</summary>
    [Operation("Echo")]
    ValueTask<Echo> EchoAsync(Echo request, CallContext context = default);
}

/// <summary>Answers with a new message.</summary>
sealed class EchoService : IEchoService
{
    public ValueTask<Echo> EchoAsync(Echo request, CallContext context = default) => new(new Echo { Body = request.Body });
}

using ProtoBench.Pbn;
using ProtoBuf.Grpc;
using ProtoBuf.Grpc.Configuration;

namespace ProtoBench.Rpc.Transports.ProtobufNetGrpc;

/// <summary>The service of <see cref="ITestProxy"/> with messages in recycled memory. The bytes on the wire are the same.</summary>
[Service("TestProxyPkg.TestProxy")]
public interface ITestProxyOnSlabs
{
    // The messages have no contract: the marshallers are ours, and protobuf-net's analyzer cannot see them.
#pragma warning disable PBN2008
    /// <summary>Answers each item.</summary>
    [Operation("Forward")]
    ValueTask<SlabResponse> ForwardAsync(SlabRequest request, CallContext context = default);
#pragma warning restore PBN2008
}

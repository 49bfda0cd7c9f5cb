using ProtoBench.Pbn;
using ProtoBuf.Grpc;
using ProtoBuf.Grpc.Configuration;

namespace ProtoBench.Rpc.Transports.ProtobufNetGrpc;

/// <summary>test_proxy.proto as code.</summary>
[Service("TestProxyPkg.TestProxy")]
public interface ITestProxy
{
    /// <summary>Answers each item.</summary>
    [Operation("Forward")]
    ValueTask<ForwardResponse> ForwardAsync(ForwardRequest request, CallContext context = default);
}

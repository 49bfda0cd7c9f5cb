using ProtoBench.Rpc.Tests.Contracts;
using ProtoBench.Rpc.Tests.Peers;

namespace ProtoBench.Rpc.Tests.Transports.GrpcDotnet;

public sealed class DotnetToDotnet(GrpcDotnetPeer peer) : GrpcClientTests(peer, "grpc-dotnet"), IClassFixture<GrpcDotnetPeer>;

public sealed class DotnetToDotnetTls(GrpcDotnetTlsPeer peer) : GrpcClientTests(peer, "grpc-dotnet"), IClassFixture<GrpcDotnetTlsPeer>;

public sealed class DotnetToDotnetUnix(GrpcDotnetUnixPeer peer) : GrpcClientTests(peer, "grpc-dotnet"), IClassFixture<GrpcDotnetUnixPeer>;

public sealed class DotnetToBuiltIn(BuiltInPeer peer) : GrpcClientTests(peer, "grpc-dotnet"), IClassFixture<BuiltInPeer>;

public sealed class BuiltInToDotnet(GrpcDotnetPeer peer) : GrpcClientTests(peer, "builtin"), IClassFixture<GrpcDotnetPeer>;

public sealed class DotnetToNode(NodePeer peer) : GrpcClientTests(peer, "grpc-dotnet"), IClassFixture<NodePeer>;

/// <summary>grpc-dotnet's server with the echo service.</summary>
public sealed class GrpcDotnetPeer : BuiltInPeer
{
    protected override string Stack => "grpc-dotnet";
}

/// <summary>The same under TLS.</summary>
public sealed class GrpcDotnetTlsPeer : BuiltInTlsPeer
{
    protected override string Stack => "grpc-dotnet";
}

/// <summary>The same on a Unix domain socket.</summary>
public sealed class GrpcDotnetUnixPeer : BuiltInUnixPeer
{
    protected override string Stack => "grpc-dotnet";
}

using ProtoBench.Rpc.Tests.Peers;

namespace ProtoBench.Rpc.Tests.GrpcDotnet;

public sealed class DotnetToDotnet(GrpcDotnetPeer peer) : GrpcClientTests(peer, "grpc-dotnet"), IClassFixture<GrpcDotnetPeer>;

public sealed class DotnetToDotnetTls(GrpcDotnetTlsPeer peer) : GrpcClientTests(peer, "grpc-dotnet"), IClassFixture<GrpcDotnetTlsPeer>;

public sealed class DotnetToDotnetUnix(GrpcDotnetUnixPeer peer) : GrpcClientTests(peer, "grpc-dotnet"), IClassFixture<GrpcDotnetUnixPeer>;

public sealed class DotnetToInbox(InboxPeer peer) : GrpcClientTests(peer, "grpc-dotnet"), IClassFixture<InboxPeer>;

public sealed class InboxToDotnet(GrpcDotnetPeer peer) : GrpcClientTests(peer, "inbox"), IClassFixture<GrpcDotnetPeer>;

public sealed class DotnetToNode(NodePeer peer) : GrpcClientTests(peer, "grpc-dotnet"), IClassFixture<NodePeer>;

/// <summary>grpc-dotnet's server with the echo service.</summary>
public sealed class GrpcDotnetPeer : InboxPeer
{
    protected override string Stack => "grpc-dotnet";
}

/// <summary>The same under TLS.</summary>
public sealed class GrpcDotnetTlsPeer : InboxTlsPeer
{
    protected override string Stack => "grpc-dotnet";
}

/// <summary>The same on a Unix domain socket.</summary>
public sealed class GrpcDotnetUnixPeer : InboxUnixPeer
{
    protected override string Stack => "grpc-dotnet";
}

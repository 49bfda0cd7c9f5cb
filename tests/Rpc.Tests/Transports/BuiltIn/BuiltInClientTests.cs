using ProtoBench.Rpc.Tests.Contracts;
using ProtoBench.Rpc.Tests.Peers;

namespace ProtoBench.Rpc.Tests.Transports.BuiltIn;

public sealed class BuiltInToBuiltIn(BuiltInPeer peer) : GrpcClientTests(peer, "builtin"), IClassFixture<BuiltInPeer>;

public sealed class BuiltInToBuiltInTls(BuiltInTlsPeer peer) : GrpcClientTests(peer, "builtin"), IClassFixture<BuiltInTlsPeer>;

public sealed class BuiltInToBuiltInUnix(BuiltInUnixPeer peer) : GrpcClientTests(peer, "builtin"), IClassFixture<BuiltInUnixPeer>;

public sealed class BuiltInToNode(NodePeer peer) : GrpcClientTests(peer, "builtin"), IClassFixture<NodePeer>;

public sealed class BuiltInToNodeTls(NodeTlsPeer peer) : GrpcClientTests(peer, "builtin"), IClassFixture<NodeTlsPeer>;

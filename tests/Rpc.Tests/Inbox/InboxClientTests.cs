using ProtoBench.Rpc.Tests.Peers;

namespace ProtoBench.Rpc.Tests.Inbox;

public sealed class InboxToInbox(InboxPeer peer) : GrpcClientTests(peer, "inbox"), IClassFixture<InboxPeer>;

public sealed class InboxToInboxTls(InboxTlsPeer peer) : GrpcClientTests(peer, "inbox"), IClassFixture<InboxTlsPeer>;

public sealed class InboxToInboxUnix(InboxUnixPeer peer) : GrpcClientTests(peer, "inbox"), IClassFixture<InboxUnixPeer>;

public sealed class InboxToNode(NodePeer peer) : GrpcClientTests(peer, "inbox"), IClassFixture<NodePeer>;

public sealed class InboxToNodeTls(NodeTlsPeer peer) : GrpcClientTests(peer, "inbox"), IClassFixture<NodeTlsPeer>;

using ProtoBench.GrpcHost.Hive;
using ProtoBench.GrpcHost.Load;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Runs;

/// <summary>The target of a load: its endpoint, and how calls are made.</summary>
abstract class LoadSubject
{
    /// <summary>The row's name in results and comparisons.</summary>
    public abstract string Name { get; }

    public abstract RpcTransport Stack { get; }

    /// <summary>The codec, or what takes its place.</summary>
    public abstract string Codec { get; }

    /// <summary>How messages are allocated on the client, in words.</summary>
    public abstract string Memory { get; }

    public abstract RpcEndpoint Endpoint { get; }

    /// <summary>The settings that are not the libraries' defaults, in words; null for none.</summary>
    public virtual string? Settings => Stack.Settings;

    /// <summary>Whether the host may have the control service. Another program's host is not asked for it.</summary>
    public abstract bool HasControl { get; }

    /// <summary>Bytes of a request, in the mean.</summary>
    public abstract int RequestBytes { get; }

    /// <summary>Bytes of a reply, in the mean.</summary>
    public abstract int ReplyBytes { get; }

    public abstract string PayloadSha256 { get; }

    /// <summary>A hint for the case that the first reply is not the expected one.</summary>
    public abstract string WrongReply { get; }

    /// <summary>A caller on a connection.</summary>
    public abstract Caller Call(IRpcClient client, RpcCallOptions? call, CallCounters counters);
}

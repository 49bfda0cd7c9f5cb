using System.Security.Cryptography.X509Certificates;
using ProtoBench.Rpc.Inbox;

namespace ProtoBench.Rpc;

/// <summary>The transports of this build, the reference first. An optional stack fills in its part where the build has it.</summary>
public static partial class RpcStacks
{
    /// <summary>All stacks of this build.</summary>
    public static IReadOnlyList<RpcStack> All { get; } = List();

    static List<RpcStack> List()
    {
        List<RpcStack> all = [new("inbox", InboxServer.StartAsync, (endpoint, limits) => new InboxClient(endpoint, limits))];
        AddGrpcDotnet(all);
        AddProtobufNetGrpc(all);
        return all;
    }

    static partial void AddGrpcDotnet(List<RpcStack> all);

    static partial void AddProtobufNetGrpc(List<RpcStack> all);
}

/// <summary>One transport: both of its sides.</summary>
/// <param name="Name">How options and result files spell it.</param>
/// <param name="StartAsync">Starts a server that answers these methods.</param>
/// <param name="Connect">Prepares a client with one connection.</param>
/// <param name="OnlyCodec">The one codec that it carries, by its name, because the codec is part of the stack; null for any.</param>
public sealed record RpcStack(
    string Name,
    Func<RpcEndpoint, IEnumerable<RpcHandler>, RpcLimits?, X509Certificate2?, Task<IRpcServer>> StartAsync,
    Func<RpcEndpoint, RpcLimits?, IRpcClient> Connect,
    string? OnlyCodec = null);

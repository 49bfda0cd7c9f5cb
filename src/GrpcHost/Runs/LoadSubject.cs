using ProtoBench.GrpcHost.Hive;
using ProtoBench.GrpcHost.Http2;
using ProtoBench.GrpcHost.Load;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Servers;
using ProtoBench.Rpc.Transports.GrpcDotnet;

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

    /// <summary>The limits of the client; null for the defaults.</summary>
    public RpcLimits? Limits { get; init; }

    /// <summary>The settings that are not the libraries' defaults, in words; null for none.</summary>
    /// <param name="client">What makes the calls.</param>
    public virtual string? Settings(string client) => client == EventLoopClient.Name
        ? $"server: {KestrelHost.Settings}; client: {EventLoopClient.Settings}" : Stack.Settings;

    /// <summary>Whether the host may have the control service. Another program's host is not asked for it.</summary>
    public abstract bool HasControl { get; }

    /// <summary>Bytes of a request, in the mean.</summary>
    public abstract int RequestBytes { get; }

    /// <summary>Bytes of a reply, in the mean.</summary>
    public abstract int ReplyBytes { get; }

    public abstract string PayloadSha256 { get; }

    /// <summary>A hint for the case that the first reply is not the expected one.</summary>
    public abstract string WrongReply { get; }

    /// <summary>What came back since the last time: calls, messages and bytes, where they are counted.</summary>
    public virtual long[] TakeReplies() => [];

    /// <summary>Adds what came back to another process.</summary>
    public virtual void CountReplies(long[] replies)
    {
    }

    /// <summary>The calls as bytes, for the event loop.</summary>
    public abstract PreparedCalls Prepare(CallCounters counters);

    /// <summary>A caller on a connection.</summary>
    public abstract Caller Call(IRpcClient client, RpcCallOptions? call, CallCounters counters);
}

/// <summary>A variant under load: a transport, a codec, and how the codec recycles message objects.</summary>
sealed record Variant(RpcTransport Stack, string Codec, string Root)
{
    /// <summary>The row's name in results and comparisons. The default root is left out.</summary>
    public string Name => $"{Stack.Name}-{Codec}{(Root == HiveCodecs.Roots[0] ? "" : "-" + Root)}";

    /// <summary>Every codec on every transport that carries it, with each root if the codec recycles roots.</summary>
    public static IReadOnlyList<Variant> Product(IEnumerable<RpcTransport> stacks, IReadOnlyList<string> codecs,
        IReadOnlyList<string> roots) =>
    [
        .. from stack in stacks
           from codec in codecs.Where(stack.Carries)
           from root in HiveCodecs.HasRoots(codec) ? roots : [HiveCodecs.Roots[0]]
           select new Variant(stack, codec, root),
    ];

    /// <summary>The combinations that <see cref="Product"/> leaves out, a sentence for each transport.</summary>
    public static IEnumerable<string> NotPossible(IEnumerable<RpcTransport> stacks, IReadOnlyList<string> codecs) =>
        from stack in stacks
        let others = codecs.Where(codec => !stack.Carries(codec)).ToList()
        where others.Count > 0
        select $"{stack.Name} with {string.Join(", ", others)}: that transport carries only {string.Join(", ", stack.OnlyCodecs!)}";
}

/// <summary>A host of this program with the hive's service.</summary>
/// <param name="variant">What the host runs.</param>
/// <param name="endpoint">Where the host listens.</param>
/// <param name="payload">What a call carries.</param>
/// <param name="clientCodec">The codec of the client, where it is another one than the host's: the bytes on the wire are the same. Null for
/// the host's codec.</param>
sealed class HiveSubject(Variant variant, RpcEndpoint endpoint, HivePayload payload, HiveCodec? clientCodec = null) : LoadSubject
{
    readonly HivePayload payload = payload;
    readonly HiveCodec codec = clientCodec ?? HiveCodecs.Create(variant.Codec, variant.Root);

    public override string Name => variant.Name;

    public override RpcTransport Stack => variant.Stack;

    public override string Codec => variant.Codec;

    public override string Memory => HiveCodecs.HasRoots(variant.Codec) ? $"{codec.Memory}, root {variant.Root}" : codec.Memory;

    public override RpcEndpoint Endpoint => endpoint;

    /// <summary>Whether each caller sends its requests on one stream, instead of a call for each.</summary>
    public bool Duplex { get; init; }

    public override string? Settings(string client)
    {
        var parts = string.Join("; ",
            new[] { base.Settings(client), Limits?.Tuning.InWords, Duplex ? "a duplex stream for each caller" : null }.OfType<string>());
        return parts.Length == 0 ? null : parts;
    }

    public override bool HasControl => true;

    public override int RequestBytes => payload.Request.Length;

    public override int ReplyBytes => payload.ReadyResponse.Length;

    public override string PayloadSha256 => payload.Sha256;

    public override string WrongReply => "do both sides have the same --payload and --items?";

    public override Caller Call(IRpcClient client, RpcCallOptions? call, CallCounters counters) =>
        Duplex && client is GrpcDotnetClient channel
            ? codec.Stream(channel, payload, counters) : codec.Call(client, payload, call, counters);

    public override PreparedCalls Prepare(CallCounters counters) => new PreparedHive(this, counters);

    /// <summary>The same request for each call. The length of each reply is checked, and now and then its content.</summary>
    sealed class PreparedHive(HiveSubject subject, CallCounters counters) : PreparedCalls
    {
        public override string Path => HiveCodec.Path[1..];

        public override bool ChecksBytes => true;

        public override int MaxReplyBytes => (subject.Limits ?? new()).MaxReceiveBytes;

        public override ReadOnlyMemory<byte> Next => subject.payload.Request;

        public override bool IsRight(Http2Call call)
        {
            counters.CountEncoded(0);
            counters.CountDecoded(0);
            return Math.Abs(call.ReplyBytes - subject.ReplyBytes) <= subject.codec.ReplySlack
                && (!call.KeepsReply || subject.codec.IsRight(call.Reply, subject.payload));
        }
    }
}

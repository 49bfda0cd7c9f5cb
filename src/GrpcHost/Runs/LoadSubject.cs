namespace ProtoBench.GrpcHost;

/// <summary>The target of a load: its endpoint, and how calls are made.</summary>
abstract class LoadSubject
{
    /// <summary>The name of the row in results and comparisons.</summary>
    public abstract string Name { get; }

    public abstract RpcTransport Stack { get; }

    /// <summary>The codec, or the name of its replacement.</summary>
    public abstract string Codec { get; }

    public abstract string Memory { get; }

    public abstract RpcEndpoint Endpoint { get; }

    public RpcLimits? Limits { get; init; }

    /// <summary>Returns a text with the settings that differ from the defaults of the libraries; null for none.</summary>
    public virtual string? Settings(string client) => client == EventLoopClient.Name
        ? $"server: {KestrelHost.Settings}; client: {EventLoopClient.Settings}" : Stack.Settings;

    /// <summary>Whose settings they are.</summary>
    public virtual string SettingsOf(string client) => Stack.Name;

    /// <summary>Whether the host may have the control service. Hosts of other programs do not have it.</summary>
    public abstract bool HasControl { get; }

    /// <summary>The mean size of a request in bytes.</summary>
    public abstract int RequestBytes { get; }

    /// <summary>The mean size of a reply in bytes.</summary>
    public abstract int ReplyBytes { get; }

    public abstract string PayloadSha256 { get; }

    /// <summary>A hint for the case that the first reply is not the expected one.</summary>
    public abstract string WrongReply { get; }

    /// <summary>Returns the counts of received calls, messages and bytes since the last call of this method, if they are counted.</summary>
    public virtual long[] TakeReplies() => [];

    public virtual void CountReplies(long[] replies)
    {
    }

    public abstract PreparedCalls Prepare(CallCounters counters);

    public abstract Caller Call(IRpcClient client, RpcCallOptions? call, CallCounters counters);
}

/// <summary>A variant under load: a transport, a codec, and how the codec recycles message objects.</summary>
sealed record Variant(RpcTransport Stack, string Codec, string Root)
{
    /// <summary>The name of the row in results and comparisons, without the default root.</summary>
    public string Name => $"{Stack.Name}-{Codec}{(Root == HiveServices.Roots[0] ? "" : "-" + Root)}";

    /// <summary>Returns every codec on every transport that supports it, with each root if the codec recycles roots.</summary>
    public static IReadOnlyList<Variant> Product(IEnumerable<RpcTransport> stacks, IReadOnlyList<string> codecs,
        IReadOnlyList<string> roots) =>
    [
        .. from stack in stacks
           from codec in codecs.Where(stack.Carries)
           from root in HiveServices.HasRoots(codec) ? roots : [HiveServices.Roots[0]]
           select new Variant(stack, codec, root),
    ];

    /// <summary>Returns the combinations that <see cref="Product"/> leaves out, one sentence for each transport.</summary>
    public static IEnumerable<string> NotPossible(IEnumerable<RpcTransport> stacks, IReadOnlyList<string> codecs) =>
        from stack in stacks
        let others = codecs.Where(codec => !stack.Carries(codec)).ToList()
        where others.Count > 0
        select $"{stack.Name} with {string.Join(", ", others)}: that transport carries only {string.Join(", ", stack.OnlyCodecs!)}";
}

/// <param name="clientCodec">Null for the codec of the host. The bytes on the wire are the same.</param>
sealed class HiveSubject(Variant variant, RpcEndpoint endpoint, HivePayload payload, HiveService? clientCodec = null) : LoadSubject
{
    readonly HivePayload payload = payload;
    readonly HiveService codec = clientCodec ?? HiveServices.Create(variant.Codec, variant.Root);

    public override string Name => variant.Name;

    public override RpcTransport Stack => variant.Stack;

    public override string Codec => variant.Codec;

    public override string Memory => HiveServices.HasRoots(variant.Codec) ? $"{codec.Memory}, root {variant.Root}" : codec.Memory;

    public override RpcEndpoint Endpoint => endpoint;

    /// <summary>Whether each caller sends its requests on one stream instead of a call for each.</summary>
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

    /// <summary>Calls with the same request. The length of each reply is checked, and the content of some.</summary>
    sealed class PreparedHive(HiveSubject subject, CallCounters counters) : PreparedCalls
    {
        public override string Path => HiveService.Path[1..];

        public override bool ChecksBytes => true;

        public override void Begin(Http2Call call, long number) => call.Request = subject.payload.Request;

        public override bool IsRight(Http2Call call)
        {
            counters.CountEncoded(0);
            counters.CountDecoded(0);
            return Math.Abs(call.ReplyBytes - subject.ReplyBytes) <= subject.codec.ReplySlack
                && (!call.KeepsReply || subject.codec.IsRight(call.Reply, subject.payload));
        }
    }
}

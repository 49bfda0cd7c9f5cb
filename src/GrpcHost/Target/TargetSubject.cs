using System.Buffers;
using System.Net;
using System.Security.Cryptography;
using Grpc.Core;

namespace ProtoBench.GrpcHost;

/// <summary>A method of any gRPC server. Requests are prepared bytes. Replies are counted and not decoded.</summary>
class TargetSubject(RpcEndpoint endpoint, TargetMethod method, RequestSource requests, Metadata? metadata) : LoadSubject
{
    readonly TargetMethod method = method;
    RpcEndpoint endpoint = endpoint;
    readonly RequestSource requests = requests;
    readonly Metadata? metadata = metadata;
    RpcCallOptions[] options = [];
    static readonly BytesMarshaller requestMarshaller = new();
    static readonly SizeMarshaller replyMarshaller = new();

    public override string Name => method.Path;

    public override RpcTransport Stack => RpcTransports.All[0];

    public override string? Settings(string client) => string.Join("; ", new[]
    {
        client == EventLoopClient.Name ? EventLoopClient.Settings : HttpConnection.Settings, Limits?.Tuning.InWords,
    }.OfType<string>());

    // nothing is known of the server
    public override string SettingsOf(string client) => $"the client {client}";

    public override string Codec => "bytes";

    public override string Memory => "prepared requests, replies counted";

    public override RpcEndpoint Endpoint => endpoint;

    public override bool HasControl => false;

    public override int RequestBytes => (int)requests.Payloads.Average(payload => payload.Bytes.Length);

    public override int ReplyBytes => (int)(Replies.Bytes / Math.Max(1, Replies.Calls));

    public override string PayloadSha256 => Hash(requests);

    public override string WrongReply => "it is empty";

    string? Encoding => Limits?.Tuning.Compression;

    /// <summary>The messages of a call's stream.</summary>
    public StreamPlan Stream { get; init; } = StreamPlan.None;

    /// <summary>Metadata that only one call has, by its number; then from the start again. Empty for none.</summary>
    public IReadOnlyList<Metadata> Differing { get; init; } = [];

    public ReplyCounts Replies { get; } = new();

    /// <summary>Sets the addresses that the parent of this process has resolved: another answer may have another order.</summary>
    public TargetSubject At(IReadOnlyCollection<string> addresses)
    {
        if (addresses.Count > 0)
            endpoint = endpoint with { Addresses = [.. addresses.Select(IPEndPoint.Parse)] };
        return this;
    }

    public override long[] TakeReplies() => Replies.Take();

    public override void CountReplies(long[] replies) => Replies.Add(replies);

    public override Caller Call(IRpcClient client, RpcCallOptions? call, CallCounters counters) =>
        new TargetCaller(this, client, Options(call?.Timeout), counters);

    public override PreparedCalls Prepare(CallCounters counters) => new PreparedTarget(this, counters);

    /// <summary>Whether a reply may have these numbers of messages and bytes.</summary>
    protected virtual bool IsRight(long messages, long bytes) => true;

    // made once, so that a call allocates none
    RpcCallOptions[] Options(TimeSpan? timeout)
    {
        if (options.Length == 0 || options[0].Timeout != timeout)
        {
            options = Differing.Count == 0 ? [new() { Timeout = timeout, Headers = metadata }]
                : [.. Differing.Select(one => new RpcCallOptions { Timeout = timeout, Headers = [.. metadata ?? [], .. one] })];
        }

        return options;
    }

    static string Hash(RequestSource requests)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var payload in requests.Payloads)
            hash.AppendData(payload.Bytes.Span);
        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }

    sealed class PreparedTarget(TargetSubject subject, CallCounters counters) : PreparedCalls
    {
        readonly RequestSource requests = subject.Encoding is null ? subject.requests : subject.requests.Compressed();
        readonly byte[][] differing = [.. subject.Differing.Select(one => HpackEncoder.Literals(Entries(one)))];

        public override string? Encoding => subject.Encoding;

        public override string Path => subject.method.Path;

        public override Metadata? Metadata => subject.metadata;

        public override bool IsStreaming => subject.method.IsServerStreaming;

        public override bool StreamsRequests => subject.method.IsClientStreaming;

        public override StreamPlan Stream => subject.Stream;

        public override void Begin(Http2Call call, long number)
        {
            if (!call.StreamsRequests)
            {
                number = requests.Take();
                call.Request = requests.Message(number);
            }

            if (differing.Length > 0)
                call.MoreHeaders = differing[number % differing.Length];
        }

        public override ReadOnlyMemory<byte> Message(long call, long number) =>
            requests.Message(subject.Stream.Messages == long.MaxValue ? number : (call * subject.Stream.Messages) + number);

        public override bool IsRight(Http2Call call)
        {
            counters.CountEncoded(0);
            counters.CountDecoded(0);
            subject.Replies.Count(call.Messages, call.ReplyBytes);
            return subject.IsRight(call.Messages, call.ReplyBytes);
        }
    }

    sealed class TargetCaller(TargetSubject subject, IRpcClient client, RpcCallOptions[] options, CallCounters counters) : Caller
    {
        readonly RpcMethod<ReadOnlyMemory<byte>, long> rpc = new("/" + subject.method.Path, requestMarshaller, replyMarshaller);
        long messages;
        long bytes;

        public override async ValueTask SendAsync(CancellationToken cancellationToken)
        {
            (messages, bytes) = (0, 0);
            var number = subject.requests.Take();
            var (request, call) = (subject.requests.Message(number), options[number % options.Length]);
            if (!subject.method.IsServerStreaming)
            {
                bytes = await client.UnaryAsync(rpc, request, call, cancellationToken);
                messages = 1;
                return;
            }

            await using var stream = ((GrpcDotnetClient)client).Stream(rpc, call, cancellationToken);
            await stream.WriteAsync(request);
            await stream.CompleteAsync();
            for (; await stream.ReadAsync() is { HasMessage: true } reply; messages++)
                bytes += reply.Message;
        }

        public override bool Finish(bool deep)
        {
            counters.CountEncoded(counters.Begin());
            counters.CountDecoded(counters.Begin());
            subject.Replies.Count(messages, bytes);
            return true;
        }
    }
}

/// <summary>Reads only the size of a message, to keep the work of the client small.</summary>
sealed class SizeMarshaller : Rpc.Marshaller<long>
{
    public override int Measure(long message) => throw new NotSupportedException("A size is only received.");

    public override void Write(long message, int size, IBufferWriter<byte> output) =>
        throw new NotSupportedException("A size is only received.");

    public override long Read(in ReadOnlySequence<byte> payload) => payload.Length;
}

sealed class BytesMarshaller : Rpc.Marshaller<ReadOnlyMemory<byte>>
{
    public override int Measure(ReadOnlyMemory<byte> message) => message.Length;

    public override void Write(ReadOnlyMemory<byte> message, int size, IBufferWriter<byte> output) => output.Write(message.Span);

    public override ReadOnlyMemory<byte> Read(in ReadOnlySequence<byte> payload) => payload.ToArray();
}

sealed class ReplyCounts
{
    long calls;
    long messages;
    long bytes;

    public long Calls => Volatile.Read(ref calls);

    public long Messages => Volatile.Read(ref messages);

    public long Bytes => Volatile.Read(ref bytes);

    public void Count(long callMessages, long callBytes) => Add([1, callMessages, callBytes]);

    /// <summary>Adds counts of calls, messages and bytes.</summary>
    public void Add(ReadOnlySpan<long> counts)
    {
        Interlocked.Add(ref calls, counts[0]);
        Interlocked.Add(ref messages, counts[1]);
        Interlocked.Add(ref bytes, counts[2]);
    }

    public long[] Take() => [Interlocked.Exchange(ref calls, 0), Interlocked.Exchange(ref messages, 0), Interlocked.Exchange(ref bytes, 0)];
}

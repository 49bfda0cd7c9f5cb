using System.Security.Cryptography;
using Grpc.Core;
using ProtoBench.GrpcHost.Hive;
using ProtoBench.GrpcHost.Load;
using ProtoBench.GrpcHost.Runs;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Clients;
using ProtoBench.Rpc.Transports.GrpcDotnet;

namespace ProtoBench.GrpcHost.Target;

/// <summary>A method of any gRPC server. Requests are sent as prepared bytes; replies are counted and not decoded.</summary>
sealed class TargetSubject(RpcEndpoint endpoint, TargetMethod method, RequestSource requests, Metadata? metadata) : LoadSubject
{
    static readonly BytesMarshaller requestMarshaller = new();
    static readonly SizeMarshaller replyMarshaller = new();

    public override string Name => method.Path;

    public override RpcTransport Stack => RpcTransports.All[0];

    public override string? Settings => $"client: {HttpConnection.Settings}";

    public override string Codec => "bytes";

    public override string Memory => "prepared requests, replies counted";

    public override RpcEndpoint Endpoint => endpoint;

    public override bool HasControl => false;

    public override int RequestBytes => (int)requests.Payloads.Average(payload => payload.Bytes.Length);

    public override int ReplyBytes => (int)(Replies.Bytes / Math.Max(1, Replies.Calls));

    public override string PayloadSha256 { get; } = Hash(requests);

    public override string WrongReply => "it is empty";

    /// <summary>What came back so far.</summary>
    public ReplyCounts Replies { get; } = new();

    public override Caller Call(IRpcClient client, RpcCallOptions? call, CallCounters counters)
    {
        var rpc = new RpcMethod<ReadOnlyMemory<byte>, long>("/" + method.Path, requestMarshaller, replyMarshaller);
        var own = new RpcCallOptions { Timeout = call?.Timeout, Headers = metadata };
        return method.IsServerStreaming
            ? new StreamCaller(client, rpc, own, this, requests, counters) : new UnaryCaller(client, rpc, own, this, requests, counters);
    }

    static string Hash(RequestSource requests)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var payload in requests.Payloads)
            hash.AppendData(payload.Bytes.Span);
        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }

    abstract class TargetCaller(TargetSubject subject, CallCounters counters) : Caller
    {
        protected long Messages { get; set; }

        protected long Bytes { get; set; }

        public override bool Finish(bool deep)
        {
            counters.CountEncoded(counters.Begin());
            counters.CountDecoded(counters.Begin());
            subject.Replies.Count(Messages, Bytes);
            return true;
        }

        public override void Dispose()
        {
        }
    }

    sealed class UnaryCaller(IRpcClient client, RpcMethod<ReadOnlyMemory<byte>, long> rpc, RpcCallOptions call, TargetSubject subject,
        RequestSource requests, CallCounters counters)
        : TargetCaller(subject, counters)
    {
        public override async ValueTask SendAsync(CancellationToken cancellationToken)
        {
            Bytes = await client.UnaryAsync(rpc, requests.Next, call, cancellationToken);
            Messages = 1;
        }
    }

    sealed class StreamCaller(IRpcClient client, RpcMethod<ReadOnlyMemory<byte>, long> rpc, RpcCallOptions call, TargetSubject subject,
        RequestSource requests, CallCounters counters)
        : TargetCaller(subject, counters)
    {
        public override async ValueTask SendAsync(CancellationToken cancellationToken)
        {
            await using var stream = ((GrpcDotnetClient)client).Stream(rpc, call, cancellationToken);
            await stream.WriteAsync(requests.Next);
            await stream.CompleteAsync();
            for ((Messages, Bytes) = (0, 0); await stream.ReadAsync() is { HasMessage: true } reply; Messages++)
                Bytes += reply.Message;
        }
    }
}

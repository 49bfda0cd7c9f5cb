using System.CommandLine.Parsing;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost;

/// <summary>A method with one reply uses the prepared ones in turn, and a duplex one for each request. A stream of replies is all of
/// them.</summary>
static class PreparedReplies
{
    public static RpcHandler Serve(TargetMethod method, IReadOnlyList<Payload> replies, ReplyDelay delay)
    {
        var rpc = new RpcMethod<long, ReadOnlyMemory<byte>>("/" + method.Path, new SizeMarshaller(), new BytesMarshaller());
        var source = new RequestSource(replies, null);
        return method is { IsServerStreaming: false, IsClientStreaming: false }
            ? RpcHandler.Unary(rpc, async (_, call) =>
            {
                await delay.WaitAsync(call.CancellationToken);
                return source.Next;
            })
            : RpcHandler.Stream(rpc, async stream =>
            {
                while ((await stream.ReadAsync()).HasMessage)
                {
                    if (method.IsServerStreaming && method.IsClientStreaming)
                        await AnswerAsync(source.Next);
                }

                foreach (var reply in method.IsClientStreaming ? method.IsServerStreaming ? [] : [new("", source.Next)] : replies)
                    await AnswerAsync(reply.Bytes);

                async ValueTask AnswerAsync(ReadOnlyMemory<byte> reply)
                {
                    await delay.WaitAsync(stream.Call.CancellationToken);
                    await stream.WriteAsync(reply);
                }
            });
    }
}

/// <summary>The delay of a prepared reply: constant, or exponentially distributed. Thread-safe.</summary>
sealed class ReplyDelay(TimeSpan mean, bool isExponential, int seed)
{
    readonly Random random = new(seed);
    readonly Lock gate = new();
    long waits;
    TimeSpan allAsked;
    TimeSpan allTook;

    public static ReplyDelay None { get; } = new(TimeSpan.Zero, false, 0);

    public bool IsNone => mean == TimeSpan.Zero;

    public TimeSpan Next
    {
        get
        {
            if (!isExponential)
                return mean;
            lock (gate)
                return mean * -Math.Log(1 - random.NextDouble());
        }
    }

    public async ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        if (IsNone)
            return;
        var asked = Next;
        var took = await DelayThread.Shared.WaitAsync(asked, cancellationToken);
        lock (gate)
        {
            waits++;
            allAsked += asked;
            allTook += took;
        }
    }

    /// <summary>A text with the mean requested and the mean actual delay; null if no reply was delayed.</summary>
    public string? Reached
    {
        get
        {
            lock (gate)
            {
                return waits == 0 ? null : $"delay of {waits} replies: {(allTook / waits).TotalMilliseconds:F3} ms on average, "
                    + $"{(allAsked / waits).TotalMilliseconds:F3} ms were asked for";
            }
        }
    }

    /// <summary>Parses <c>5ms</c>, <c>constant:5ms</c> or <c>exp:5ms</c>.</summary>
    public static (TimeSpan Mean, bool IsExponential) Parse(ArgumentResult result)
    {
        var text = result.Tokens.Single().Value;
        var parts = text.Split(':');
        if (parts.Length > 2 || (parts.Length == 2 && parts[0] is not ("exp" or "constant"))
            || Arguments.TryDuration(parts[^1]) is not { } mean)
        {
            result.AddError($"'{text}' is not a delay: 5ms, or exp:5ms for an exponential distribution with that mean");
            return default;
        }

        return (mean, parts[0] == "exp");
    }
}

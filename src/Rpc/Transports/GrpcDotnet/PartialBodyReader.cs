using System.Buffers;
using System.Buffers.Binary;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Http.Features;

namespace ProtoBench.Rpc;

/// <summary><see cref="RpcLimits.MaxPartialBytes"/>, for which grpc-dotnet has no option. What it reads begins with a message, and bytes
/// that were examined and not consumed are an incomplete one. One reader; not thread-safe.</summary>
sealed class PartialBodyReader(PipeReader body, PartialBudget budget) : PipeReader, IRequestBodyPipeFeature, IPartialHolder, IDisposable
{
    // a flag and a length before each message (grpc/grpc, doc/PROTOCOL-HTTP2.md)
    const int prefix = 5;

    ReadOnlySequence<byte> last;
    volatile RpcException? refusal;
    long held;

    public PipeReader Reader => this;

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public override async ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfRefused();
        var result = await body.ReadAsync(cancellationToken);
        if (IsTooLong(result.Buffer))
            refusal = RpcFailure.Of(StatusCode.ResourceExhausted, $"a message is longer than {Array.MaxLength} bytes");
        if (refusal is not null)
            body.AdvanceTo(result.Buffer.Start);
        ThrowIfRefused();
        last = result.Buffer;
        return result;
    }

    public override bool TryRead(out ReadResult result)
    {
        ThrowIfRefused();
        var there = body.TryRead(out result);
        last = result.Buffer;
        return there;
    }

    public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        Hold(examined.Equals(last.End) ? Math.Max(0, last.Slice(consumed).Length - prefix) : 0);
        last = default;
        body.AdvanceTo(consumed, examined);
    }

    public override void CancelPendingRead() => body.CancelPendingRead();

    public override void Complete(Exception? exception = null) => body.Complete(exception);

    public void Dispose() => Hold(0);

    public void Expire()
    {
        refusal = RpcFailure.Of(StatusCode.ResourceExhausted, "the rest of a message has not arrived in time");
        body.CancelPendingRead();
    }

    /// <summary>A length for which grpc-dotnet does not report its own limit, because it cannot represent it.</summary>
    static bool IsTooLong(in ReadOnlySequence<byte> messages)
    {
        if (messages.Length < prefix)
            return false;
        Span<byte> head = stackalloc byte[prefix];
        messages.Slice(0, prefix).CopyTo(head);
        return BinaryPrimitives.ReadUInt32BigEndian(head[1..]) > Array.MaxLength;
    }

    void Hold(long bytes)
    {
        if (bytes == held)
            return;
        try
        {
            budget.Change(this, held, bytes);
            held = bytes;
        }
        catch (RpcException e)
        {
            refusal = e; // the next read throws it, because this method must not fail
        }
    }

    void ThrowIfRefused()
    {
        if (refusal is { } failure)
            throw failure;
    }
}

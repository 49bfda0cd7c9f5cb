using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace ProtoBench.Rpc.Inbox;

/// <summary>One call on the server: frames in, frames out, and one status at the end, whoever ends it.</summary>
sealed class InboxServerCall(HttpContext context, RpcLimits limits, PartialBudget budget) : RpcMessageCall
{
    // Who may touch the response: nobody yet, a writer, or the one that ends the call.
    const int idle = 0, writing = 1, ended = 2;

    RpcMetadata? requestHeaders;
    CancellationTokenSource? deadline;
    CancellationTokenRegistration deadlineCloses;
    Task closing = Task.CompletedTask;
    long held;
    int response;
    bool started;
    bool requestsEnded;

    public override RpcMetadata RequestHeaders => requestHeaders ??= RpcMetadata.Of(context.Request.Headers);

    public override CancellationToken Stop => deadline?.Token ?? context.RequestAborted;

    bool DeadlinePassed => deadline is { IsCancellationRequested: true } && !context.RequestAborted.IsCancellationRequested;

    public async Task RunAsync(RpcHandler handler)
    {
        RpcException? failure = null;
        try
        {
            StartDeadline();
            await handler.RunAsync(this);
        }
        catch (RpcException e)
        {
            failure = e;
        }
        catch (BadHttpRequestException e)
        {
            failure = new(RpcStatus.ResourceExhausted, "the request exceeds a limit of the host", e);
        }
        catch (Exception e)
        {
            failure = context.RequestAborted.IsCancellationRequested ? new(RpcStatus.Cancelled, "cancelled by the caller", e)
                : DeadlinePassed ? new(RpcStatus.DeadlineExceeded, "the deadline has passed", e)
                // what a handler throws is not for the caller's eyes
                : new(RpcStatus.Unknown, "the handler failed", e);
        }
        finally
        {
            Hold(0);
        }

        if (Interlocked.CompareExchange(ref response, ended, idle) == idle)
            WriteStatus(failure?.Status ?? RpcStatus.Ok, failure?.Message ?? "", failure?.Trailers);
        // waits for the timer's callback if it is running: the context is reused after this method
        await deadlineCloses.DisposeAsync();
        deadline?.Dispose();
        await closing;
    }

    public Task RefuseAsync(RpcStatus status, string text)
    {
        WriteStatus(status, text, null);
        return Task.CompletedTask;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public override async ValueTask<Received<T>> ReadAsync<T>(Marshaller<T> marshaller)
    {
        if (requestsEnded)
            return default;

        var reader = context.Request.BodyReader;
        while (true)
        {
            ReadResult result;
            try
            {
                result = await reader.ReadAsync(Stop);
            }
            catch (IOException e) when (e is not BadHttpRequestException)
            {
                // a reset arrives here before RequestAborted fires
                throw new RpcException(RpcStatus.Cancelled, "cancelled by the caller", e);
            }

            var buffer = result.Buffer;
            if (buffer.Length >= FramePrefix.Size)
            {
                var end = FramePrefix.Size + ReadPrefix(buffer);
                if (buffer.Length >= end)
                {
                    Hold(0);
                    requestsEnded = result.IsCompleted && buffer.Length == end;
                    return RequestMessage.Take(reader, buffer.Slice(FramePrefix.Size, end - FramePrefix.Size), buffer.GetPosition(end), marshaller);
                }
            }

            if (result.IsCompleted)
            {
                reader.AdvanceTo(buffer.End);
                requestsEnded = true;
                if (buffer.IsEmpty)
                    return default;
                throw new RpcException(RpcStatus.Internal, "malformed message: the request ends in the middle of it");
            }

            Hold(buffer.Length);
            // all of it examined, so that the sender's window is opened again and a message larger than the window can arrive
            reader.AdvanceTo(buffer.Start, buffer.End);
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public override async ValueTask WriteAsync<T>(Marshaller<T> marshaller, T message, bool last = false)
    {
        var size = marshaller.Measure(message);
        if (size > limits.MaxSendBytes)
            throw new RpcException(RpcStatus.ResourceExhausted, $"a message of {size} bytes is larger than the limit of {limits.MaxSendBytes}");

        var before = Interlocked.CompareExchange(ref response, writing, idle);
        if (before == writing)
            throw new InvalidOperationException("two messages are written at the same time");
        if (before == ended)
            throw new OperationCanceledException("the call has ended");
        try
        {
            Start();
            var writer = context.Response.BodyWriter;
            FramePrefix.Write(writer.GetSpan(FramePrefix.Size), size);
            writer.Advance(FramePrefix.Size);
            marshaller.Write(message, size, writer);
            // without a flush, headers, message and status leave in one write
            if (!last && (await writer.FlushAsync(Stop)).IsCompleted)
                throw new OperationCanceledException("nobody reads the responses");
        }
        finally
        {
            Volatile.Write(ref response, idle);
            if (DeadlinePassed)
                CloseAtDeadline();
        }
    }

    int ReadPrefix(in ReadOnlySequence<byte> buffer)
    {
        var length = FramePrefix.Read(buffer, limits.MaxReceiveBytes, out var compressed);
        if (!compressed)
            return length;
        var failure = FramePrefix.Compressed(context.Request.Headers.GrpcEncoding);
        if (failure.Status == RpcStatus.Unimplemented && !started)
            context.Response.Headers.GrpcAcceptEncoding = "identity";
        throw failure;
    }

    void Hold(long bytes)
    {
        if (bytes == held)
            return;
        budget.Change(held, bytes);
        held = bytes;
    }

    void StartDeadline()
    {
        var header = context.Request.Headers.GrpcTimeout.ToString();
        if (header.Length == 0)
            return;
        if (!GrpcTimeout.TryParse(header, out var timeout))
            throw new RpcException(RpcStatus.Internal, "malformed grpc-timeout");
        deadline = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted);
        deadlineCloses = deadline.Token.UnsafeRegister(static call => ((InboxServerCall)call!).CloseAtDeadline(), this);
        deadline.CancelAfter(timeout);
    }

    /// <summary>Ends a call whose handler has not ended it by itself. The handler may go on, but speaks to nobody.</summary>
    void CloseAtDeadline()
    {
        if (!DeadlinePassed || Interlocked.CompareExchange(ref response, ended, idle) != idle)
            return;
        WriteStatus(RpcStatus.DeadlineExceeded, "the deadline has passed", null);
        closing = CloseAsync();
    }

    async Task CloseAsync()
    {
        await context.Response.CompleteAsync();
        context.Features.Get<IHttpResetFeature>()?.Reset(0);
    }

    void Start()
    {
        if (started)
            return;
        started = true;
        context.Response.ContentType = "application/grpc";
        foreach (var (name, value) in ResponseHeaders.Entries)
            context.Response.Headers.Append(name, value);
    }

    /// <summary>The status goes into the trailers, or into the headers when nothing was written: a reply that is one frame.</summary>
    void WriteStatus(RpcStatus status, string text, RpcMetadata? more)
    {
        var trailersOnly = !started && !context.Response.HasStarted;
        Start();
        var target = trailersOnly ? context.Response.Headers : context.Features.GetRequiredFeature<IHttpResponseTrailersFeature>().Trailers;
        target.GrpcStatus = statusNumbers[(int)status];
        if (text.Length > 0)
            target.GrpcMessage = StatusText.Encode(text);
        foreach (var (name, value) in Trailers.Entries)
            target.Append(name, value);
        foreach (var (name, value) in more?.Entries ?? [])
            target.Append(name, value);
    }

    static readonly string[] statusNumbers = [.. Enum.GetValues<RpcStatus>().Select(status => status.ToString("D"))];
}

using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Marshallers;
using ProtoBench.Rpc.Servers;

namespace ProtoBench.Rpc.Transports.BuiltIn;

/// <summary>One call on the server: it reads and writes frames, and ends with one status. Only one party writes the response at a time: the
/// handler, and at the end <see cref="RunAsync"/>, which alone writes the status.</summary>
sealed class BuiltInServerCall(HttpContext context, RpcLimits limits, PartialBudget budget) : RpcMessageCall
{
    // The response is free, a message is being written, one is being written and is the last, or the call has ended for the handler.
    const int idle = 0, writing = 1, writingLast = 2, ended = 3;

    // RFC 9113, 7
    const int noError = 0, cancel = 8;

    // How long a caller may take to read the end of a call whose deadline has passed.
    static readonly TimeSpan patience = TimeSpan.FromSeconds(5);

    readonly CancellationToken aborted = context.RequestAborted;
    RpcMetadata? requestHeaders;
    HostDeadline? deadline;
    PipeWriter? output;
    TaskCompletionSource? lastWritten;
    long held;
    int response;
    bool started;
    bool requestsEnded;
    bool refusesEncoding;

    public override RpcMetadata RequestHeaders => requestHeaders ??= RpcMetadata.Of(context.Request.Headers);

    public override CancellationToken CancellationToken => deadline?.Token ?? aborted;

    bool DeadlinePassed => deadline is { Passed: true };

    public async Task RunAsync(RpcHandler handler)
    {
        if (!TryReadTimeout(out var timeout))
        {
            await RefuseAsync(RpcStatus.Internal, "malformed grpc-timeout");
            return;
        }

        if (timeout is not { } limit)
        {
            await EndAsync(await HandleAsync(handler));
            return;
        }

        // taken here, before the handler can ask for it on another thread
        output = context.Response.BodyWriter;
        using (deadline = HostDeadline.Start(limit, aborted))
        {
            var handling = HandleAsync(handler).AsTask();
            if (handling.IsCompleted || await Task.WhenAny(handling, deadline.Reached) == handling)
            {
                await EndAsync(await handling);
                return;
            }

            await CloseAsync();
            // the context is used again after this method
            await handling;
        }
    }

    public Task RefuseAsync(RpcStatus status, string text)
    {
        WriteStatus(status, text);
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
                result = await reader.ReadAsync(CancellationToken);
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
                    return RequestMessage.Take(reader, buffer.Slice(FramePrefix.Size, end - FramePrefix.Size), buffer.GetPosition(end),
                        marshaller);
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

            Hold(Math.Max(0, buffer.Length - FramePrefix.Size));
            // all of it examined, so that the sender's window is opened again and a message larger than the window can arrive
            reader.AdvanceTo(buffer.Start, buffer.End);
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public override async ValueTask WriteAsync<T>(Marshaller<T> marshaller, T message, bool last = false)
    {
        var size = marshaller.Measure(message);
        if (size > limits.MaxSendBytes)
            throw new RpcException(RpcStatus.ResourceExhausted,
                $"a message of {size} bytes is larger than the limit of {limits.MaxSendBytes}");

        var before = Interlocked.CompareExchange(ref response, writing, idle);
        if (before == writing)
            throw new InvalidOperationException("two messages are written at the same time");
        if (before != idle)
            throw new OperationCanceledException("the call has ended");
        try
        {
            if (DeadlinePassed)
                throw new OperationCanceledException("the deadline has passed");
            Start(ResponseHeaders);
            output ??= context.Response.BodyWriter;
            FramePrefix.Write(output.GetSpan(FramePrefix.Size), size);
            output.Advance(FramePrefix.Size);
            marshaller.Write(message, size, output);
            if (last)
                return; // without a flush, headers, message and status leave in one write
            // Without a token: where one fires during a flush, Kestrel resets the call with INTERNAL_ERROR, and no status can follow.
            var flushed = await output.FlushAsync(CancellationToken.None);
            if (flushed.IsCanceled)
                throw new OperationCanceledException("the deadline has passed");
            if (flushed.IsCompleted)
                throw new OperationCanceledException("nobody reads the responses");
        }
        finally
        {
            if (Interlocked.CompareExchange(ref response, idle, writing) == writingLast)
            {
                Volatile.Write(ref response, ended);
                lastWritten!.SetResult();
            }
        }
    }

    /// <summary>Runs the handler to its end.</summary>
    /// <returns>What failed; null for a call that has succeeded.</returns>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    async ValueTask<RpcException?> HandleAsync(RpcHandler handler)
    {
        try
        {
            await handler.RunAsync(this);
            return null;
        }
        catch (RpcException e)
        {
            return e;
        }
        catch (BadHttpRequestException e)
        {
            return new(RpcStatus.ResourceExhausted, "the request exceeds a limit of the host", e);
        }
        catch (Exception e)
        {
            return aborted.IsCancellationRequested ? new(RpcStatus.Cancelled, "cancelled by the caller", e)
                : DeadlinePassed ? new(RpcStatus.DeadlineExceeded, "the deadline has passed", e)
                // the message of a handler's exception is not sent to the caller
                : new(RpcStatus.Unknown, "the handler failed", e);
        }
        finally
        {
            Hold(0);
        }
    }

    /// <summary>Ends a call whose handler has returned.</summary>
    async ValueTask EndAsync(RpcException? failure)
    {
        await TakeResponseAsync();
        WriteStatus(failure?.Status ?? RpcStatus.Ok, failure?.Message ?? "", ResponseHeaders, Trailers, failure?.Trailers);
    }

    /// <summary>Ends a call whose handler has not returned in time. The handler may continue, but its messages are not sent. Its metadata
    /// is not sent either, because the handler may be changing it.</summary>
    async Task CloseAsync()
    {
        // a message that waits for the caller to read waits no longer; the rest of it is sent before the status
        output!.CancelPendingFlush();
        await TakeResponseAsync();
        try
        {
            WriteStatus(RpcStatus.DeadlineExceeded, "the deadline has passed");
            var reset = context.Features.Get<IHttpResetFeature>();
            var completing = context.Response.CompleteAsync();
            await completing.WaitAsync(patience).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            // the request need not be sent to its end; and a caller that does not read its status is not waited for
            reset?.Reset(completing.IsCompleted ? noError : cancel);
        }
        catch (Exception e) when (e is IOException or InvalidOperationException or OperationCanceledException)
        {
            // the caller has disconnected
        }
    }

    /// <summary>Prevents the handler from writing. A message that is being written is completed first.</summary>
    async ValueTask TakeResponseAsync()
    {
        while (Interlocked.CompareExchange(ref response, ended, idle) != idle)
        {
            lastWritten ??= new(TaskCreationOptions.RunContinuationsAsynchronously);
            if (Interlocked.CompareExchange(ref response, writingLast, writing) == writing)
            {
                await lastWritten.Task;
                return;
            }
        }
    }

    int ReadPrefix(in ReadOnlySequence<byte> buffer)
    {
        var length = FramePrefix.Read(buffer, limits.MaxReceiveBytes, out var compressed);
        if (!compressed)
            return length;
        var failure = FramePrefix.Compressed(context.Request.Headers.GrpcEncoding);
        refusesEncoding = failure.Status == RpcStatus.Unimplemented;
        throw failure;
    }

    void Hold(long bytes)
    {
        if (bytes == held)
            return;
        budget.Change(held, bytes);
        held = bytes;
    }

    /// <summary>False for a header that is malformed.</summary>
    bool TryReadTimeout(out TimeSpan? timeout)
    {
        var header = context.Request.Headers.GrpcTimeout.ToString();
        timeout = null;
        if (header.Length == 0)
            return true;
        var valid = GrpcTimeout.TryParse(header, out var time);
        timeout = time;
        return valid;
    }

    void Start(RpcMetadata? headers)
    {
        if (started)
            return;
        started = true;
        context.Response.ContentType = "application/grpc";
        foreach (var (name, value) in headers?.Entries ?? [])
            context.Response.Headers.Append(name, value);
    }

    /// <summary>The status goes into the trailers, or into the headers when nothing was written: a reply that is one frame.</summary>
    void WriteStatus(RpcStatus status, string text, RpcMetadata? headers = null, RpcMetadata? trailers = null, RpcMetadata? more = null)
    {
        var trailersOnly = !started && !context.Response.HasStarted;
        Start(headers);
        var target = trailersOnly ? context.Response.Headers : context.Features.GetRequiredFeature<IHttpResponseTrailersFeature>().Trailers;
        if (trailersOnly && refusesEncoding)
            target.GrpcAcceptEncoding = "identity";
        target.GrpcStatus = statusNumbers[(int)status];
        if (text.Length > 0)
            target.GrpcMessage = StatusText.Encode(text);
        foreach (var (name, value) in trailers?.Entries ?? [])
            target.Append(name, value);
        foreach (var (name, value) in more?.Entries ?? [])
            target.Append(name, value);
    }

    static readonly string[] statusNumbers = [.. Enum.GetValues<RpcStatus>().Select(status => status.ToString("D"))];
}

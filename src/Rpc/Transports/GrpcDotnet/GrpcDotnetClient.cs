using System.Collections.Concurrent;
using Grpc.Net.Client;
using Grpc.Net.Client.Configuration;
using ProtoBench.Codec.Grpc;

namespace ProtoBench.Rpc;

public class GrpcDotnetClient : IRpcClient
{
    readonly ConcurrentDictionary<object, IMethod> methods = new();
    readonly RpcEndpoint endpoint;
    readonly HttpConnection connection;
    readonly GrpcChannel channel;
    readonly RpcLimits limits;
    readonly Action retried;
    readonly Metadata? compression;
    string? protocol;
    long retries;

    public GrpcDotnetClient(RpcEndpoint endpoint, RpcLimits? limits = null)
    {
        this.limits = limits ?? new();
        this.endpoint = endpoint;
        // the header in which grpc-dotnet expects the encoding of a request; one object is used for all calls
        compression = this.limits.Tuning.Compression is { } name ? new Metadata { { "grpc-internal-encoding-request", name } } : null;
        connection = new(endpoint, limits: this.limits);
        var options = new GrpcChannelOptions { HttpHandler = connection.Handler };
        Apply(this.limits.Tuning, options);
        if (!this.limits.AreLibraryDefaults)
            options.MaxReceiveMessageSize = this.limits.MaxReceiveBytes;
        channel = GrpcChannel.ForAddress(endpoint.Url, options);
        Invoker = channel.CreateCallInvoker();
        retried = () => Interlocked.Increment(ref retries);
    }

    /// <summary>For generated and code-first stubs. Code that calls it directly calls <see cref="Replied"/> after each reply.</summary>
    public CallInvoker Invoker { get; }

    public RpcConnectionFacts Connection => connection.Facts with { Protocol = protocol, HiddenRetries = Volatile.Read(ref retries) };

    public async ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, TRequest request, RpcCallOptions? call = null, CancellationToken cancellationToken = default)
    {
        var sent = new LentRequest<TRequest>(method.Request, request, retried);
        using var messages = method.Response.Recycles ? new CallMessages().Enter() : null;
        var deadline = Deadline(call);
        try
        {
            using var unary = Invoker.AsyncUnaryCall(
                Method(method, MethodType.Unary), null, Options(call, deadline, cancellationToken), sent);
            if (call?.ResponseHeaders is { } headers)
                Add(await unary.ResponseHeadersAsync, headers);
            var response = await unary.ResponseAsync;
            Replied();
            if (call?.Trailers is { } trailers)
                Add(unary.GetTrailers(), trailers);
            return response.Take();
        }
        catch (RpcException e)
        {
            throw Failure(e, call, deadline, cancellationToken);
        }
        finally
        {
            sent.End();
        }
    }

    public GrpcDotnetStream<TRequest, TResponse> Stream<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, RpcCallOptions? call = null, CancellationToken cancellationToken = default)
    {
        var deadline = Deadline(call);
        var options = Options(call, deadline, cancellationToken);
        return new(this, Invoker.AsyncDuplexStreamingCall(Method(method, MethodType.DuplexStreaming), null, options),
            method, call, deadline, cancellationToken);
    }

    /// <summary>A function that calls a generated or code-first stub, with the exceptions of <see cref="UnaryAsync"/>.</summary>
    public Func<TRequest, CancellationToken, ValueTask<TResponse>> ByStub<TRequest, TResponse>(
        RpcCallOptions? call, Func<TRequest, CallOptions, ValueTask<TResponse>> stub) => async (request, cancellationToken) =>
    {
        var deadline = Deadline(call);
        try
        {
            var response = await stub(request, Options(call, deadline, cancellationToken));
            Replied();
            return response;
        }
        catch (RpcException e)
        {
            throw Failure(e, call, deadline, cancellationToken);
        }
    };

    static DateTime? Deadline(RpcCallOptions? call) => call?.Timeout is { } timeout ? DateTime.UtcNow + timeout : null;

    CallOptions Options(RpcCallOptions? call, DateTime? deadline, CancellationToken cancellationToken) =>
        new(Headers(call), deadline, cancellationToken);

    Metadata? Headers(RpcCallOptions? call)
    {
        if (compression is null || call?.Headers is null)
            return compression ?? call?.Headers;
        Metadata both = [];
        Add(call.Headers, both);
        Add(compression, both);
        return both;
    }

    static void Apply(RpcTuning tuning, GrpcChannelOptions options)
    {
        if (tuning.Compression == BrotliCompression.Name)
            options.CompressionProviders = [new BrotliCompression()];
        if (!tuning.Retries)
            return;
        options.ServiceConfig = new()
        {
            MethodConfigs =
            {
                new MethodConfig
                {
                    Names = { MethodName.Default },
                    RetryPolicy = new()
                    {
                        MaxAttempts = 3,
                        InitialBackoff = TimeSpan.FromSeconds(1),
                        MaxBackoff = TimeSpan.FromSeconds(5),
                        BackoffMultiplier = 1.5,
                        RetryableStatusCodes = { StatusCode.Unavailable },
                    },
                },
            },
        };
    }

    /// <param name="deadline">Other statuses after it become DEADLINE_EXCEEDED, unless the host sent them.</param>
    /// <param name="cancellationToken">Other statuses after its cancellation become CANCELLED.</param>
    internal RpcException Failure(RpcException failure, RpcCallOptions? call, DateTime? deadline, CancellationToken cancellationToken)
    {
        if (call?.Trailers is { } trailers)
            Add(failure.Trailers, trailers);
        var (code, text) = (failure.StatusCode, failure.Status.Detail);
        var isUnclear = code is StatusCode.Internal or StatusCode.Unknown or StatusCode.Unavailable;
        if (isUnclear && cancellationToken.IsCancellationRequested)
            return RpcFailure.Of(StatusCode.Cancelled, "cancelled by the caller", failure);
        // If the deadline passes while a reply arrives, grpc-dotnet 2.85 reports UNAVAILABLE for some calls: the read fails before the
        // call has its status. Only a failure of the client has an exception.
        if (isUnclear && failure.Status.DebugException is not null && deadline <= DateTime.UtcNow)
            return RpcFailure.Of(StatusCode.DeadlineExceeded, "the deadline has passed", failure);
        if (limits.Tuning.KeepAlive is not null && TransportFailure.OfKeepAlive(failure.Status.DebugException, endpoint) is { } silent)
            return silent;
        if (failure.Status.DebugException is HttpRequestException cause
            && TransportFailure.OfConnection(cause, endpoint, answered: protocol is not null) is { } lost)
            return lost;
        if (text.Length == 0)
            text = code == StatusCode.DeadlineExceeded ? "the deadline has passed" : "the call failed without a message";
        return RpcFailure.Of(code, text, failure, failure.Trailers);
    }

    internal static void Add(Metadata received, Metadata target)
    {
        foreach (var entry in received)
            target.Add(entry);
    }

    /// <summary>grpc-dotnet refuses replies that are not HTTP/2, so a reply's protocol is the one that was negotiated.</summary>
    public void Replied() => protocol ??= $"HTTP/{connection.Negotiated?.Major}";

    public ValueTask DisposeAsync()
    {
        channel.Dispose();
        connection.Dispose();
        GC.SuppressFinalize(this);
        return ValueTask.CompletedTask;
    }

    Method<RpcMessage<TRequest>, RpcMessage<TResponse>> Method<TRequest,
        TResponse>(RpcMethod<TRequest, TResponse> method, MethodType type) =>
        (Method<RpcMessage<TRequest>, RpcMessage<TResponse>>)methods.GetOrAdd(method,
            static (key, type) => GrpcDotnetTypes.Method((RpcMethod<TRequest, TResponse>)key, type), type);
}

/// <summary>One writer and one reader may work at the same time. Disposing it before its end was read cancels the call.</summary>
public sealed class GrpcDotnetStream<TRequest, TResponse> : IAsyncDisposable
{
    readonly GrpcDotnetClient client;
    readonly AsyncDuplexStreamingCall<RpcMessage<TRequest>, RpcMessage<TResponse>> stream;
    readonly RpcMethod<TRequest, TResponse> method;
    readonly RpcCallOptions? call;
    readonly DateTime? deadline;
    readonly CancellationToken cancellationToken;
    readonly CallMessages messages = new();
    bool headersRead;
    volatile bool ended;

    internal GrpcDotnetStream(GrpcDotnetClient client, AsyncDuplexStreamingCall<RpcMessage<TRequest>, RpcMessage<TResponse>> stream,
        RpcMethod<TRequest, TResponse> method, RpcCallOptions? call, DateTime? deadline, CancellationToken cancellationToken) =>
        (this.client, this.stream, this.method, this.call, this.deadline, this.cancellationToken) =
            (client, stream, method, call, deadline, cancellationToken);

    /// <summary>Sends a message. Returns false when the peer has ended the call; the next read then returns the status.</summary>
    public async ValueTask<bool> WriteAsync(TRequest message)
    {
        if (ended)
            return false;
        try
        {
            await stream.RequestStream.WriteAsync(new RpcMessage<TRequest>(method.Request, message, isOwned: false));
            return true;
        }
        catch (Exception e) when (IsEnd(e))
        {
            return false;
        }
    }

    public async ValueTask CompleteAsync()
    {
        try
        {
            await stream.RequestStream.CompleteAsync();
        }
        catch (Exception e) when (IsEnd(e))
        {
            // the call has ended already, and the read reports its status
        }
    }

    /// <summary>Reads the next message, which the caller releases, or the end of a successful call.</summary>
    public async ValueTask<Received<TResponse>> ReadAsync()
    {
        if (ended)
            return default;
        if (method.Response.Recycles)
            messages.Enter();
        try
        {
            if (!headersRead && call?.ResponseHeaders is { } headers)
                GrpcDotnetClient.Add(await stream.ResponseHeadersAsync, headers);
            headersRead = true;
            var more = await stream.ResponseStream.MoveNext(CancellationToken.None);
            client.Replied();
            if (more)
                return new(true, stream.ResponseStream.Current.Take());

            ended = true;
            if (call?.Trailers is { } trailers)
                GrpcDotnetClient.Add(stream.GetTrailers(), trailers);
            return default;
        }
        catch (RpcException e)
        {
            ended = true;
            throw client.Failure(e, call, deadline, cancellationToken);
        }
    }

    public ValueTask DisposeAsync()
    {
        ended = true;
        stream.Dispose();
        messages.Dispose();
        return ValueTask.CompletedTask;
    }

    /// <summary>Whether a write failed because the call has ended. The read reports the reason.</summary>
    static bool IsEnd(Exception failure) =>
        failure is RpcException or InvalidOperationException or OperationCanceledException or IOException;
}

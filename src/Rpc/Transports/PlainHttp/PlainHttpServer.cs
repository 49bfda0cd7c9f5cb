using System.Collections.Frozen;
using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Connections;
using ProtoBench.Rpc.Marshallers;
using ProtoBench.Rpc.Servers;

namespace ProtoBench.Rpc.Transports.PlainHttp;

/// <summary>Unary calls as POST requests on Kestrel, over HTTP/1.1 or HTTP/2,
/// without the framing, trailers and status of gRPC. No streams.</summary>
public static class PlainHttpServer
{
    /// <summary>The header that carries the number of a status other than OK; the body is its text.</summary>
    internal const string StatusHeader = "rpc-status";

    /// <summary>Starts a server for HTTP/1.1.</summary>
    /// <inheritdoc cref="StartRpcServer"/>
    public static Task<IRpcServer> StartHttp1Async(
        RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, RpcLimits? limits = null, X509Certificate2? certificate = null) =>
        StartAsync(endpoint, handlers, HttpProtocols.Http1, limits, certificate);

    /// <summary>Starts a server for HTTP/2.</summary>
    /// <inheritdoc cref="StartRpcServer"/>
    public static Task<IRpcServer> StartHttp2Async(
        RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, RpcLimits? limits = null, X509Certificate2? certificate = null) =>
        StartAsync(endpoint, handlers, HttpProtocols.Http2, limits, certificate);

    static async Task<IRpcServer> StartAsync(
        RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, HttpProtocols protocols, RpcLimits? limits, X509Certificate2? certificate)
    {
        limits ??= new();
        var methods = handlers.ToFrozenDictionary(handler => handler.Path, StringComparer.Ordinal);
        var budget = new PartialBudget(limits.MaxPartialBytes);
        return await KestrelHost.StartAsync(endpoint, app => app.Run(context => ServeAsync(context, methods, limits, budget)), limits,
            certificate, protocols);
    }

    static async Task ServeAsync(HttpContext context, FrozenDictionary<string, RpcHandler> methods, RpcLimits limits, PartialBudget budget)
    {
        try
        {
            if (!HttpMethods.IsPost(context.Request.Method) || !methods.TryGetValue(context.Request.Path.Value!, out var handler))
                throw new RpcException(RpcStatus.Unimplemented, "no such method");
            var call = new Call(context, limits, budget);
            await handler.RunAsync(call);
            if (!call.Answered)
                throw new RpcException(RpcStatus.Internal, "the handler has ended without a response");
        }
        catch (RpcException e)
        {
            await FailAsync(context, e.Status, e.Message);
        }
        catch (Exception) when (!context.RequestAborted.IsCancellationRequested)
        {
            // the message of a handler's exception is not sent to the caller
            await FailAsync(context, RpcStatus.Unknown, "the handler failed");
        }
    }

    static async Task FailAsync(HttpContext context, RpcStatus status, string text)
    {
        if (context.Response.HasStarted)
        {
            context.Abort();
            return;
        }

        context.Response.Clear();
        context.Response.StatusCode = status switch
        {
            RpcStatus.Unimplemented => StatusCodes.Status404NotFound,
            RpcStatus.InvalidArgument => StatusCodes.Status400BadRequest,
            RpcStatus.ResourceExhausted => StatusCodes.Status413PayloadTooLarge,
            _ => StatusCodes.Status500InternalServerError,
        };
        context.Response.Headers[StatusHeader] = ((int)status).ToString(CultureInfo.InvariantCulture);
        await context.Response.Body.WriteAsync(Encoding.UTF8.GetBytes(text), context.RequestAborted);
    }

    sealed class Call(HttpContext context, RpcLimits limits, PartialBudget budget) : RpcMessageCall
    {
        bool read;

        /// <summary>A response was written.</summary>
        public bool Answered { get; private set; }

        public override RpcMetadata RequestHeaders { get; } = new();

        public override CancellationToken CancellationToken => context.RequestAborted;

        public override async ValueTask<Received<T>> ReadAsync<T>(Marshaller<T> marshaller)
        {
            if (read)
                return default;
            read = true;
            if (context.Request.ContentLength > limits.MaxReceiveBytes)
                throw TooLarge();
            var reader = context.Request.BodyReader;
            var held = 0L;
            try
            {
                while (true)
                {
                    var result = await reader.ReadAsync(CancellationToken);
                    var buffer = result.Buffer;
                    if (buffer.Length > limits.MaxReceiveBytes)
                        throw TooLarge();
                    if (result.IsCompleted)
                        return RequestMessage.Take(reader, buffer, buffer.End, marshaller);
                    var part = buffer.Length == context.Request.ContentLength ? 0 : buffer.Length;
                    budget.Change(held, part);
                    held = part;
                    reader.AdvanceTo(buffer.Start, buffer.End);
                }
            }
            catch (IOException e) when (e is not Microsoft.AspNetCore.Http.BadHttpRequestException)
            {
                throw new RpcException(RpcStatus.Cancelled, "cancelled by the caller", e);
            }
            finally
            {
                budget.Change(held, 0);
            }
        }

        public override async ValueTask WriteAsync<T>(Marshaller<T> marshaller, T message, bool last = false)
        {
            if (!last)
                throw new RpcException(RpcStatus.Unimplemented, "this transport has no streams");
            var size = marshaller.Measure(message);
            if (size > limits.MaxSendBytes)
                throw new RpcException(RpcStatus.ResourceExhausted,
                    $"a message of {size} bytes is larger than the limit of {limits.MaxSendBytes}");
            Answered = true;
            context.Response.ContentLength = size;
            context.Response.ContentType = PlainHttpClient.ContentType;
            var writer = context.Response.BodyWriter;
            _ = writer.GetSpan(size); // Google.Protobuf advances by 0 before it asks for memory, which Kestrel refuses
            marshaller.Write(message, size, writer);
            await writer.FlushAsync(CancellationToken);
        }

        RpcException TooLarge() => new(RpcStatus.ResourceExhausted, $"a message is larger than the limit of {limits.MaxReceiveBytes}");
    }
}

using System.Collections.Frozen;
using System.Globalization;
using System.IO.Pipelines;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace ProtoBench.Rpc.PlainHttp;

/// <summary>One request and one response as the bodies of a POST, on Kestrel: HTTP/1.1 or HTTP/2, without gRPC's framing, trailers and status. No streams.</summary>
public static class PlainHttpServer
{
    /// <summary>The header that carries the number of a status other than OK; the body is its text.</summary>
    internal const string StatusHeader = "rpc-status";

    /// <summary>Starts a host that answers these methods.</summary>
    /// <inheritdoc cref="KestrelHost.StartAsync"/>
    public static async Task<IRpcServer> StartAsync(
        RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, HttpProtocols protocols, RpcLimits? limits = null, X509Certificate2? certificate = null)
    {
        limits ??= new();
        var methods = handlers.ToFrozenDictionary(handler => handler.Path, StringComparer.Ordinal);
        return await KestrelHost.StartAsync(endpoint, app => app.Run(context => ServeAsync(context, methods, limits)), limits, certificate, protocols);
    }

    static async Task ServeAsync(HttpContext context, FrozenDictionary<string, RpcHandler> methods, RpcLimits limits)
    {
        try
        {
            if (!HttpMethods.IsPost(context.Request.Method) || !methods.TryGetValue(context.Request.Path.Value!, out var handler))
                throw new RpcException(RpcStatus.Unimplemented, "no such method");
            await handler.RunAsync(new Call(context, limits));
        }
        catch (RpcException e)
        {
            await FailAsync(context, e.Status, e.Message);
        }
        catch (Exception) when (!context.RequestAborted.IsCancellationRequested)
        {
            // what a handler throws is not for the caller's eyes
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

    sealed class Call(HttpContext context, RpcLimits limits) : RpcMessageCall
    {
        bool read;

        public override RpcMetadata RequestHeaders { get; } = new();

        public override CancellationToken Stop => context.RequestAborted;

        public override async ValueTask<Received<T>> ReadAsync<T>(Marshaller<T> marshaller)
        {
            if (read)
                return default;
            read = true;
            if (context.Request.ContentLength > limits.MaxReceiveBytes)
                throw TooLarge();
            var reader = context.Request.BodyReader;
            ReadResult result;
            while (!(result = await reader.ReadAsync(Stop)).IsCompleted)
            {
                if (result.Buffer.Length > limits.MaxReceiveBytes)
                    throw TooLarge();
                reader.AdvanceTo(result.Buffer.Start, result.Buffer.End);
            }

            if (result.Buffer.Length > limits.MaxReceiveBytes)
                throw TooLarge();
            return RequestMessage.Take(reader, result.Buffer, result.Buffer.End, marshaller);
        }

        public override async ValueTask WriteAsync<T>(Marshaller<T> marshaller, T message, bool last = false)
        {
            if (!last)
                throw new RpcException(RpcStatus.Unimplemented, "this transport has no streams");
            var size = marshaller.Measure(message);
            if (size > limits.MaxSendBytes)
                throw new RpcException(RpcStatus.ResourceExhausted, $"a message of {size} bytes is larger than the limit of {limits.MaxSendBytes}");
            context.Response.ContentLength = size;
            context.Response.ContentType = PlainHttpClient.ContentType;
            var writer = context.Response.BodyWriter;
            _ = writer.GetSpan(size); // Google.Protobuf advances by 0 before it asks for memory, which Kestrel refuses
            marshaller.Write(message, size, writer);
            await writer.FlushAsync(Stop);
        }

        RpcException TooLarge() => new(RpcStatus.ResourceExhausted, $"a message is larger than the limit of {limits.MaxReceiveBytes}");
    }
}

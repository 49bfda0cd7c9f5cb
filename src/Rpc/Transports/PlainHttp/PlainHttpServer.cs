using System.Buffers;
using System.Collections.Frozen;
using System.IO.Pipelines;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace ProtoBench.Rpc;

/// <summary>POST requests over HTTP/1.1 or HTTP/2, without the framing, trailers and status of gRPC, and without streams.</summary>
static class PlainHttpServer
{
    /// <summary>The header with the number of a status other than OK. The body is the text of the status.</summary>
    internal const string StatusHeader = "rpc-status";

    public static async Task<IRpcServer> StartAsync(
        RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, HttpProtocols protocols, RpcLimits? limits, X509Certificate2? certificate)
    {
        limits ??= new();
        var methods = handlers.ToFrozenDictionary(handler => handler.Path, StringComparer.Ordinal);
        var budget = new PartialBudget(limits);
        return await KestrelHost.StartAsync(
            endpoint,
            app =>
            {
                app.Lifetime.ApplicationStopped.Register(budget.Dispose);
                app.Run(context => ServeAsync(context, methods, limits, budget));
            },
            limits,
            certificate,
            protocols);
    }

    static async Task ServeAsync(HttpContext context, FrozenDictionary<string, RpcHandler> methods, RpcLimits limits, PartialBudget budget)
    {
        try
        {
            if (!HttpMethods.IsPost(context.Request.Method) || !methods.TryGetValue(context.Request.Path.Value!, out var handler))
                throw RpcFailure.Of(StatusCode.Unimplemented, "no such method");
            var call = new Call(context, limits, budget);
            await handler.RunAsync(call);
            if (!call.Answered)
                throw RpcFailure.Of(StatusCode.Internal, "the handler has ended without a response");
        }
        catch (RpcException e)
        {
            await FailAsync(context, e.StatusCode, e.Message);
        }
        catch (Exception) when (!context.RequestAborted.IsCancellationRequested)
        {
            // the message of a handler's exception is not sent to the caller
            await FailAsync(context, StatusCode.Unknown, "the handler failed");
        }
    }

    static async Task FailAsync(HttpContext context, StatusCode status, string text)
    {
        if (context.Response.HasStarted)
        {
            context.Abort();
            return;
        }

        context.Response.Clear();
        context.Response.StatusCode = status switch
        {
            StatusCode.Unimplemented => StatusCodes.Status404NotFound,
            StatusCode.InvalidArgument => StatusCodes.Status400BadRequest,
            StatusCode.ResourceExhausted => StatusCodes.Status413PayloadTooLarge,
            _ => StatusCodes.Status500InternalServerError,
        };
        context.Response.Headers[StatusHeader] = ((int)status).ToString();
        await context.Response.Body.WriteAsync(Encoding.UTF8.GetBytes(text), context.RequestAborted);
    }

    sealed class Call(HttpContext context, RpcLimits limits, PartialBudget budget) : RpcMessageCall, IPartialHolder
    {
        long held;

        public bool Answered { get; private set; }

        public override CancellationToken CancellationToken => context.RequestAborted;

        public void Expire() => context.Abort();

        public override async ValueTask<T> ReadAsync<T>(Marshaller<T> marshaller)
        {
            if (context.Request.ContentLength > limits.MaxReceiveBytes)
                throw TooLarge();
            var reader = context.Request.BodyReader;
            try
            {
                while (true)
                {
                    var result = await reader.ReadAsync(CancellationToken);
                    var buffer = result.Buffer;
                    if (buffer.Length > limits.MaxReceiveBytes)
                        throw TooLarge();
                    if (result.IsCompleted)
                        return Take(reader, buffer, marshaller);
                    Hold(buffer.Length == context.Request.ContentLength ? 0 : buffer.Length);
                    reader.AdvanceTo(buffer.Start, buffer.End);
                }
            }
            catch (IOException e) when (e is not Microsoft.AspNetCore.Http.BadHttpRequestException)
            {
                throw RpcFailure.Of(StatusCode.Cancelled, "cancelled by the caller", e);
            }
            finally
            {
                Hold(0);
            }
        }

        public override ValueTask WriteAsync<T>(Marshaller<T> marshaller, T message)
        {
            var size = marshaller.Measure(message);
            BlockMemoryPool.Connection.Of(context)?.ThrowIfFull();
            Answered = true;
            context.Response.ContentLength = size;
            context.Response.ContentType = PlainHttpClient.ContentType;
            var writer = context.Response.BodyWriter;
            _ = writer.GetSpan(size); // Google.Protobuf advances by 0 before it requests memory, which Kestrel refuses
            marshaller.Write(message, size, writer);
            return default; // without a flush, headers and message are sent in one write
        }

        void Hold(long bytes)
        {
            if (bytes == held)
                return;
            budget.Change(this, held, bytes);
            held = bytes;
        }

        static T Take<T>(PipeReader reader, in ReadOnlySequence<byte> payload, Marshaller<T> marshaller)
        {
            var message = marshaller.Decode(payload, "the request");
            try
            {
                reader.AdvanceTo(payload.End);
                return message;
            }
            catch
            {
                // A reset that arrived in the meantime is thrown here: about 1 in 50 calls that are cancelled at once.
                marshaller.Release(message);
                throw;
            }
        }

        RpcException TooLarge() =>
            RpcFailure.Of(StatusCode.ResourceExhausted, $"a message is larger than the limit of {limits.MaxReceiveBytes}");
    }
}

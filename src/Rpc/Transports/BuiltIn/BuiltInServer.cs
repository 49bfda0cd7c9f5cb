using System.Collections.Frozen;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Connections;
using ProtoBench.Rpc.Servers;

namespace ProtoBench.Rpc.Transports.BuiltIn;

/// <summary>gRPC over HTTP/2 straight on Kestrel: no routing, no gRPC package.</summary>
public static class BuiltInServer
{
    /// <summary>Starts a host that answers these methods.</summary>
    /// <inheritdoc cref="KestrelHost.StartAsync"/>
    public static async Task<IRpcServer> StartAsync(
        RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, RpcLimits? limits = null, X509Certificate2? certificate = null)
    {
        var serve = Serve(handlers, limits ?? new());
        return await KestrelHost.StartAsync(endpoint, app => app.Run(serve), limits, certificate);
    }

    /// <summary>A request delegate that answers these methods, for another application.</summary>
    public static RequestDelegate Serve(IEnumerable<RpcHandler> handlers, RpcLimits limits)
    {
        var methods = handlers.ToFrozenDictionary(handler => handler.Path, StringComparer.Ordinal);
        var budget = new PartialBudget(limits.MaxPartialBytes);
        return context =>
        {
            var request = context.Request;
            if (!HttpProtocol.IsHttp2(request.Protocol))
                return Refuse(context, StatusCodes.Status426UpgradeRequired);
            if (!HttpMethods.IsPost(request.Method))
                return Refuse(context, StatusCodes.Status405MethodNotAllowed);
            if (!IsGrpc(request.ContentType))
                return Refuse(context, StatusCodes.Status415UnsupportedMediaType);

            var call = new BuiltInServerCall(context, limits, budget);
            return methods.TryGetValue(request.Path.Value!, out var handler)
                ? call.RunAsync(handler)
                : call.RefuseAsync(RpcStatus.Unimplemented, "no such method");
        };
    }

    static Task Refuse(HttpContext context, int status)
    {
        context.Response.StatusCode = status;
        return Task.CompletedTask;
    }

    /// <summary>application/grpc, alone or with a message format (+proto) or a parameter (;).</summary>
    static bool IsGrpc(string? contentType) =>
        contentType is not null && contentType.StartsWith(contentTypeOfGrpc, StringComparison.OrdinalIgnoreCase)
        && (contentType.Length == contentTypeOfGrpc.Length || contentType[contentTypeOfGrpc.Length] is '+' or ';');

    const string contentTypeOfGrpc = "application/grpc";
}

using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace ProtoBench.Rpc;

/// <summary>Kestrel with the same settings for every transport that uses it.</summary>
public sealed class KestrelHost : IRpcServer
{
    readonly WebApplication app;
    int connections;
    int disposed;
    volatile bool stopping;

    KestrelHost(WebApplicationBuilder builder, RpcEndpoint endpoint, RpcLimits limits, X509Certificate2? certificate,
        HttpProtocols protocols)
    {
        Memory = limits.AreLibraryDefaults ? null : new BlockMemoryPool(limits);
        builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel =>
        {
            Configure(kestrel, limits);
            if (endpoint.UnixSocket is { } path)
                kestrel.ListenUnixSocket(path, Listen);
            else
                kestrel.Listen(endpoint.ToAddress(), endpoint.Port, Listen);
        });
        if (Memory is not null)
        {
            // after UseKestrelCore, to replace its registration
            builder.Services.AddSingleton<IMemoryPoolFactory<byte>>(Memory);
            // By default Kestrel waits with a receive of zero bytes, so that idle
            // connections hold no block. Under load that is half of all receives.
            builder.Services.Configure<SocketTransportOptions>(sockets => sockets.WaitForDataBeforeAllocatingBuffer = false);
            builder.Services.Configure<HostOptions>(host => host.ShutdownTimeout = limits.ShutdownTimeout);
        }

        builder.Services.Configure<SocketTransportOptions>(sockets => Configure(sockets, limits.Tuning));

        app = builder.Build();
        // Kestrel asks clients to open no more calls. This refuses calls of clients that have not received this request yet.
        app.Use(next => context =>
            stopping || BlockMemoryPool.Connection.Of(context) is { IsFull: true } ? Refuse(context) : next(context));
        Endpoint = endpoint;

        void Listen(ListenOptions listen)
        {
            listen.Protocols = protocols;
            listen.Use(next => connection =>
            {
                Interlocked.Increment(ref connections);
                if (Memory is not null)
                    connection.Features.Set<IMemoryPoolFeature>(new BlockMemoryPool.Connection(Memory, connection.Abort));
                return next(connection);
            });
            if (certificate is not null)
                listen.UseHttps(certificate);
        }
    }

    public static string Settings { get; } =
        $"blocks of {BlockMemoryPool.BlockSize / 1024} KiB instead of 4 KiB, no receives of zero bytes, requests of any length, no Server "
        + "header, limits of the memory for incomplete requests and unread responses";

    /// <summary>The memory of the connections; null with library defaults.</summary>
    internal BlockMemoryPool? Memory { get; }

    public RpcEndpoint Endpoint { get; private set; }

    public int ConnectionsAccepted => Volatile.Read(ref connections);

    /// <param name="certificate">The certificate for TLS; null for no TLS. The caller disposes it.</param>
    /// <param name="protocols">Without TLS, HTTP/2 is accepted alone (prior knowledge); with TLS, ALPN selects one.</param>
    /// <exception cref="IOException">Thrown when the address or the path of the socket is in use.</exception>
    public static async Task<KestrelHost> StartAsync(
        RpcEndpoint endpoint, Action<WebApplication> map, RpcLimits? limits = null, X509Certificate2? certificate = null,
        HttpProtocols protocols = HttpProtocols.Http2, Action<WebApplicationBuilder>? configure = null)
    {
        // Kestrel deletes the socket's file before it binds, so a second start would disconnect the first host
        if (File.Exists(endpoint.UnixSocket))
            throw new IOException($"{endpoint.UnixSocket} exists: another host uses it, or one was killed and left it behind");

        var builder = WebApplication.CreateEmptyBuilder(new());
        builder.Services.AddRoutingCore();
        configure?.Invoke(builder);
        var host = new KestrelHost(builder, endpoint, limits ?? new(), certificate, protocols);
        try
        {
            map(host.app);
            await host.app.StartAsync();
        }
        catch
        {
            await host.app.DisposeAsync();
            host.Memory?.Stop();
            throw;
        }

        host.Endpoint = endpoint with
        {
            Port = endpoint.UnixSocket is null ? host.BoundPort() : 0,
            Thumbprint = certificate is null ? null : SelfSignedCertificate.Thumbprint(certificate),
        };
        return host;
    }

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref disposed, 1) != 0)
            return;
        stopping = true;
        // returns when the last call has ended, or shortly after the time limit, when Kestrel aborts the remaining connections
        await app.StopAsync();
        await app.DisposeAsync();
        Memory?.Stop();
        if (Endpoint.UnixSocket is { } path)
            File.Delete(path);
    }

    /// <summary>A status that gRPC (grpc/grpc, doc/http-grpc-status-mapping.md) and plain HTTP clients read as UNAVAILABLE.</summary>
    static Task Refuse(HttpContext context)
    {
        context.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
        return Task.CompletedTask;
    }

    int BoundPort()
    {
        var addresses = app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses;
        return new Uri(addresses.First().Replace("[::]", "localhost", StringComparison.Ordinal)).Port;
    }

    /// <summary>The HTTP/2 settings of every stack on Kestrel, by name, in bytes or streams.</summary>
    public static IReadOnlyDictionary<string, long> Http2(RpcLimits limits)
    {
        var kestrel = new KestrelServerOptions();
        Configure(kestrel, limits);
        return new Dictionary<string, long>
        {
            ["serverStreamWindowBytes"] = kestrel.Limits.Http2.InitialStreamWindowSize,
            ["serverConnectionWindowBytes"] = kestrel.Limits.Http2.InitialConnectionWindowSize,
            ["serverMaxStreamsPerConnection"] = kestrel.Limits.Http2.MaxStreamsPerConnection,
            ["serverMaxFrameBytes"] = kestrel.Limits.Http2.MaxFrameSize,
            ["serverMaxHeaderBytes"] = kestrel.Limits.MaxRequestHeadersTotalSize,
            ["serverBlockBytes"] = limits.AreLibraryDefaults ? 4096 : BlockMemoryPool.BlockSize,
        };
    }

    internal static void Configure(SocketTransportOptions sockets, RpcTuning tuning)
    {
        sockets.UnsafePreferInlineScheduling = tuning.InlineScheduling;
        sockets.IOQueueCount = tuning.IoQueues ?? sockets.IOQueueCount;
    }

    static void Configure(KestrelServerOptions kestrel, RpcLimits limits)
    {
        if (limits.Tuning.ServerWindow is { } window)
            (kestrel.Limits.Http2.InitialStreamWindowSize, kestrel.Limits.Http2.InitialConnectionWindowSize) = (window, window);
        if (limits.AreLibraryDefaults)
            return;
        kestrel.AddServerHeader = false;
        kestrel.Limits.Http2.MaxStreamsPerConnection = limits.MaxStreamsPerConnection;
        // The limit counts a whole stream of messages: the default of 30 MB ended a client stream after 29 messages of 1 MiB.
        kestrel.Limits.MaxRequestBodySize = null;
        kestrel.Limits.KeepAliveTimeout = limits.IdleTimeout;
    }
}

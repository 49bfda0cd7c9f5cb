using System.Net;
using System.Net.Sockets;

namespace ProtoBench.Rpc.Tests;

/// <summary>Stands between clients and a host, and resets each connection after so many bytes, both ways together.</summary>
sealed class CuttingRelay : IAsyncDisposable
{
    readonly Socket listener = new(SocketType.Stream, ProtocolType.Tcp);
    readonly RpcEndpoint host;
    readonly Func<int> nextCut;
    readonly TaskCompletionSource cut = new(TaskCreationOptions.RunContinuationsAsynchronously);
    readonly Task accepting;

    public CuttingRelay(RpcEndpoint host, Func<int> nextCut)
    {
        (this.host, this.nextCut) = (host, nextCut);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(1_000);
        Endpoint = host with { Port = ((IPEndPoint)listener.LocalEndPoint!).Port };
        accepting = AcceptAsync();
    }

    public RpcEndpoint Endpoint { get; }

    public void Cut() => cut.TrySetResult();

    public async ValueTask DisposeAsync()
    {
        listener.Dispose();
        await accepting;
    }

    async Task AcceptAsync()
    {
        var connections = new List<Task>();
        try
        {
            while (true)
                connections.Add(RelayAsync(await listener.AcceptAsync(), nextCut()));
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            await Task.WhenAll(connections);
        }
    }

    async Task RelayAsync(Socket client, int bytes)
    {
        using var server = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        using (client)
        {
            client.NoDelay = true;
            await server.ConnectAsync(host.Host, host.Port);
            long left = bytes;
            await Task.WhenAny(PumpAsync(client, server), PumpAsync(server, client), cut.Task);
            // closed with a reset, as by a machine that is gone, and not with an orderly end
            client.LingerState = server.LingerState = new(enable: true, seconds: 0);

            async Task PumpAsync(Socket from, Socket to)
            {
                var buffer = new byte[8 * 1024];
                try
                {
                    while (await from.ReceiveAsync(buffer) is > 0 and var read)
                    {
                        var over = (int)Math.Min(read, Math.Max(0, -Interlocked.Add(ref left, -read)));
                        await to.SendAsync(buffer.AsMemory(0, read - over));
                        if (over > 0)
                            return;
                    }
                }
                catch (Exception e) when (e is SocketException or ObjectDisposedException)
                {
                    // one side is gone: so is the other
                }
            }
        }
    }
}

using System.Buffers;
using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace ProtoBench.GrpcHost;

/// <summary>A TCP proxy with a delay in both directions, to simulate a longer path. It does not limit the bandwidth. The end of a direction
/// and the loss of a connection are delayed too; the time to connect is not. Thread-safe.</summary>
/// <remarks>Each direction of a connection has two threads: one receives, and one sleeps until the oldest bytes are due. A direction holds
/// at most 64 MiB. Then it stops receiving, like a network whose buffers are full.</remarks>
sealed class DelayProxy : IDisposable
{
    const int chunkBytes = 64 * 1024;
    const int mostChunks = 1024;

    readonly MachineClock clock = MachineClock.Sleeping;
    readonly RpcEndpoint target;
    readonly long delayNs;
    readonly Socket listener;
    readonly ConcurrentDictionary<Connection, bool> connections = new();
    readonly Thread accepting;
    volatile bool disposed;

    public DelayProxy(RpcEndpoint target, TimeSpan delay)
    {
        (this.target, delayNs) = (target, delay.Ticks * 100);
        listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        Endpoint = target with { Host = "127.0.0.1", Port = ((IPEndPoint)listener.LocalEndPoint!).Port };
        accepting = Start("proxy: accepts", Accept);
    }

    public RpcEndpoint Endpoint { get; }

    /// <summary>Refuses new connections and resets the open ones.</summary>
    public void Dispose()
    {
        disposed = true;
        listener.Dispose();
        accepting.Join();
        foreach (var connection in connections.Keys)
            connection.Reset();
    }

    void Accept()
    {
        while (true)
        {
            Socket client;
            try
            {
                client = listener.Accept();
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                return;
            }

            var server = new Socket(SocketType.Stream, ProtocolType.Tcp);
            var connection = new Connection(this, client, server);
            connections[connection] = true;
            try
            {
                server.Connect(target.Host, target.Port);
                connection.Run();
            }
            catch (SocketException)
            {
                connection.Reset();
            }

            if (disposed)
                connection.Reset();
        }
    }

    static Thread Start(string name, Action work)
    {
        // the proxy shares processors with the measured processes, and its delay must be exact
        var thread = new Thread(() => work()) { IsBackground = true, Name = name, Priority = ThreadPriority.AboveNormal };
        thread.Start();
        return thread;
    }

    sealed class Connection(DelayProxy proxy, Socket client, Socket server)
    {
        int ended;

        public void Run()
        {
            client.NoDelay = server.NoDelay = true;
            foreach (var (from, to) in new[] { (client, server), (server, client) })
            {
                var queue = new BlockingCollection<Chunk>(mostChunks);
                Start("proxy: receives", () => Receive(from, queue));
                Start("proxy: sends", () => Send(queue, to));
            }
        }

        /// <summary>Resets both sides. Bytes that were not forwarded yet are lost.</summary>
        public void Reset()
        {
            foreach (var socket in new[] { client, server })
            {
                try
                {
                    socket.LingerState = new(true, 0);
                }
                catch (Exception e) when (e is SocketException or ObjectDisposedException)
                {
                    // the socket is closed
                }

                socket.Dispose();
            }

            proxy.connections.TryRemove(this, out _);
        }

        void Receive(Socket from, BlockingCollection<Chunk> queue)
        {
            var buffer = new byte[chunkBytes];
            var last = false;
            while (!last)
            {
                var chunk = new Chunk(0, [], 0, IsReset: true);
                try
                {
                    var count = from.Receive(buffer);
                    var bytes = count == 0 ? [] : ArrayPool<byte>.Shared.Rent(count);
                    buffer.AsSpan(0, count).CopyTo(bytes);
                    chunk = new(0, bytes, count, IsReset: false);
                }
                catch (Exception e) when (e is SocketException or ObjectDisposedException)
                {
                    // the connection is lost, which is forwarded with the delay of bytes
                }

                last = chunk.Count == 0;
                if (!TryAdd(queue, chunk with { Due = proxy.clock.Now + proxy.delayNs }))
                    return;
            }
        }

        static bool TryAdd(BlockingCollection<Chunk> queue, Chunk chunk)
        {
            try
            {
                queue.Add(chunk);
                return true;
            }
            catch (InvalidOperationException)
            {
                return false; // the other side does not send any more
            }
        }

        void Send(BlockingCollection<Chunk> queue, Socket to)
        {
            try
            {
                while (queue.Take() is var chunk)
                {
                    proxy.clock.WaitUntil(chunk.Due);
                    if (chunk.Count == 0)
                    {
                        End(to, chunk.IsReset);
                        return;
                    }

                    for (var sent = 0; sent < chunk.Count;)
                        sent += to.Send(chunk.Bytes, sent, chunk.Count - sent, SocketFlags.None);
                    ArrayPool<byte>.Shared.Return(chunk.Bytes);
                }
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                Reset();
            }
            finally
            {
                queue.CompleteAdding();
            }
        }

        void End(Socket to, bool isReset)
        {
            if (isReset)
            {
                Reset();
                return;
            }

            to.Shutdown(SocketShutdown.Send);
            if (Interlocked.Increment(ref ended) < 2)
                return;
            client.Dispose();
            server.Dispose();
            proxy.connections.TryRemove(this, out _);
        }
    }

    /// <summary>Bytes that were not forwarded yet. A chunk without bytes is the end of the direction, or of the connection.</summary>
    readonly record struct Chunk(long Due, byte[] Bytes, int Count, bool IsReset);
}

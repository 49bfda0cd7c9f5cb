using System.Buffers;
using Grpc.Core;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http;

namespace ProtoBench.Rpc.Servers;

/// <summary>Memory for Kestrel's pipes, in blocks that hold a whole frame of HTTP/2 with its header. Kestrel's default blocks of 4 KiB need
/// one receive system call for every 4 KiB: 71 for one hive request (counted with strace). The block that was returned last is rented
/// first, because it is probably still in the processor's cache.</summary>
/// <remarks>It counts what Kestrel holds for a whole host and for each connection, because Kestrel bounds only what a stream holds: see
/// <see cref="RpcLimits.MaxBufferedBytesPerConnection"/>. Thread-safe.</remarks>
sealed class BlockMemoryPool : MemoryPool<byte>, IMemoryPoolFactory<byte>
{
    /// <summary>Bytes of a block.</summary>
    public const int BlockSize = 32 * 1024;

    // at most 8 MiB of idle blocks; blocks beyond that are left to the garbage collector
    const int keep = 256;

    // An idle connection holds a block or two, for what it receives next: so many are never too old.
    const int alwaysAllowed = 8;

    readonly Stack<Block> idle = [];
    readonly LinkedList<Block> byAge = [];
    readonly RpcLimits limits;
    readonly Timer timer;
    long rented;

    public BlockMemoryPool(RpcLimits limits)
    {
        this.limits = limits;
        timer = new(_ => CloseStuck(), null, limits.UnreadTimeout, limits.UnreadTimeout);
    }

    public override int MaxBufferSize => BlockSize;

    /// <summary>Blocks that Kestrel holds now.</summary>
    public long BlocksOutstanding => Volatile.Read(ref rented);

    bool IsFull => Volatile.Read(ref rented) * BlockSize > limits.MaxBufferedBytes;

    public MemoryPool<byte> Create(MemoryPoolOptions? options = null) => this;

    public override IMemoryOwner<byte> Rent(int minBufferSize = -1) => Rent(null, minBufferSize);

    // shared by all connections of a host, and gone with it
    protected override void Dispose(bool disposing)
    {
    }

    /// <summary>Stops the clock of unread responses.</summary>
    public void Stop() => timer.Dispose();

    /// <summary>Closes connections whose blocks are rented for too long. Memory goes back when Kestrel has closed them.</summary>
    /// <remarks>By age and not by a rate: a peer that keeps one stream going, or pings, has a rate.</remarks>
    void CloseStuck()
    {
        var latest = Environment.TickCount64 - (long)limits.UnreadTimeout.TotalMilliseconds;
        List<Connection> held = [];
        lock (idle)
        {
            for (var node = byAge.First; node is not null && node.Value.RentedAt <= latest; node = node.Next)
            {
                if (node.Value.Connection is { } connection)
                    held.Add(connection);
            }
        }

        foreach (var connection in held.GroupBy(one => one).Where(blocks => blocks.Count() > alwaysAllowed))
            connection.Key.Close();
    }

    Block Rent(Connection? connection, int minBufferSize)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(minBufferSize, BlockSize);
        Interlocked.Increment(ref rented);
        Block? block;
        lock (idle)
        {
            if (!idle.TryPop(out block))
                block = new(this);
            (block.IsRented, block.Connection, block.RentedAt) = (true, connection, Environment.TickCount64);
            byAge.AddLast(block.Node);
        }

        return block;
    }

    void Return(Block block)
    {
        Connection? connection;
        lock (idle)
        {
            if (!block.IsRented)
                throw new InvalidOperationException("a block was returned twice");
            (block.IsRented, connection, block.Connection) = (false, block.Connection, null);
            byAge.Remove(block.Node);
            if (idle.Count < keep)
                idle.Push(block);
        }

        Interlocked.Decrement(ref rented);
        connection?.Returned();
    }

    /// <summary>The memory of one connection: responses that its peer does not read, and requests that are not handled yet.</summary>
    /// <param name="host">The pool of the host.</param>
    /// <param name="abort">Closes the connection.</param>
    public sealed class Connection(BlockMemoryPool host, Action<ConnectionAbortedException> abort) : MemoryPool<byte>, IMemoryPoolFeature
    {
        long rented;

        public override int MaxBufferSize => BlockSize;

        public MemoryPool<byte> MemoryPool => this;

        /// <summary>Whether the connection or its host holds too much.</summary>
        public bool IsFull => Volatile.Read(ref rented) * BlockSize > host.limits.MaxBufferedBytesPerConnection || host.IsFull;

        /// <summary>The connection of a call; null under the defaults of the libraries.</summary>
        public static Connection? Of(HttpContext context) => context.Features.Get<IMemoryPoolFeature>() as Connection;

        /// <exception cref="RpcException">UNAVAILABLE: too much is held.</exception>
        public void ThrowIfFull()
        {
            if (IsFull)
                throw RpcFailure.Of(StatusCode.Unavailable, "the host holds too many responses that nobody reads");
        }

        public override IMemoryOwner<byte> Rent(int minBufferSize = -1)
        {
            Interlocked.Increment(ref rented);
            return host.Rent(this, minBufferSize);
        }

        public void Close() => abort(new("its peer does not read the responses"));

        public void Returned() => Interlocked.Decrement(ref rented);

        protected override void Dispose(bool disposing)
        {
        }
    }

    sealed class Block : IMemoryOwner<byte>
    {
        readonly BlockMemoryPool pool;

        public Block(BlockMemoryPool pool) => (this.pool, Node) = (pool, new(this));

        /// <summary>Its place among the rented blocks, the oldest first.</summary>
        public LinkedListNode<Block> Node { get; }

        public long RentedAt { get; set; }

        public bool IsRented { get; set; }

        public Connection? Connection { get; set; }

        public Memory<byte> Memory { get; } = GC.AllocateUninitializedArray<byte>(BlockSize, pinned: true);

        public void Dispose() => pool.Return(this);
    }
}

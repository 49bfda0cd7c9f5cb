using System.Buffers;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http;

namespace ProtoBench.Rpc;

/// <summary>The memory of Kestrel's pipes, in blocks that hold a whole HTTP/2 frame with its header. Kestrel's default blocks of
/// 4 KiB need one receive system call for every 4 KiB: 71 for one hive request (counted with strace). The block that was returned last is
/// rented first, because it is probably still in the processor's cache.</summary>
/// <remarks>Kestrel limits only the bytes of one stream, so the pool counts the bytes of the host and of each connection: see <see
/// cref="RpcLimits.MaxBufferedBytesPerConnection"/>. Thread-safe.</remarks>
sealed class BlockMemoryPool : MemoryPool<byte>, IMemoryPoolFactory<byte>
{
    public const int BlockSize = 32 * 1024;

    // at most 8 MiB of idle blocks; further blocks are left to the garbage collector
    const int keep = 256;

    // An idle connection holds one or two blocks to receive into. The age of this number of blocks is not checked.
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

    public long BlocksOutstanding => Volatile.Read(ref rented);

    bool IsFull => Volatile.Read(ref rented) * BlockSize > limits.MaxBufferedBytes;

    public MemoryPool<byte> Create(MemoryPoolOptions? options = null) => this;

    public override IMemoryOwner<byte> Rent(int minBufferSize = -1) => Rent(null, minBufferSize);

    // shared by all connections of a host, and collected with the host
    protected override void Dispose(bool disposing)
    {
    }

    public void Stop() => timer.Dispose();

    /// <summary>Closes connections whose blocks are rented for too long. Kestrel then returns the memory.</summary>
    /// <remarks>Age is checked instead of a data rate, because a peer with one active stream, or with pings, has a data rate.</remarks>
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
    public sealed class Connection(BlockMemoryPool host, Action<ConnectionAbortedException> abort) : MemoryPool<byte>, IMemoryPoolFeature
    {
        long rented;

        public override int MaxBufferSize => BlockSize;

        public MemoryPool<byte> MemoryPool => this;

        public bool IsFull => Volatile.Read(ref rented) * BlockSize > host.limits.MaxBufferedBytesPerConnection || host.IsFull;

        /// <summary>The connection of a call; null with library defaults.</summary>
        public static Connection? Of(HttpContext context) => context.Features.Get<IMemoryPoolFeature>() as Connection;

        /// <exception cref="RpcException">Thrown with UNAVAILABLE when the connection or its host holds too many bytes.</exception>
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

        /// <summary>The position among the rented blocks, the oldest first.</summary>
        public LinkedListNode<Block> Node { get; }

        public long RentedAt { get; set; }

        public bool IsRented { get; set; }

        public Connection? Connection { get; set; }

        public Memory<byte> Memory { get; } = GC.AllocateUninitializedArray<byte>(BlockSize, pinned: true);

        public void Dispose() => pool.Return(this);
    }
}

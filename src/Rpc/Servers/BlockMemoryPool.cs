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
sealed class BlockMemoryPool(RpcLimits limits) : MemoryPool<byte>, IMemoryPoolFactory<byte>
{
    /// <summary>Bytes of a block.</summary>
    public const int BlockSize = 32 * 1024;

    // at most 8 MiB of idle blocks; blocks beyond that are left to the garbage collector
    const int keep = 256;

    readonly Stack<Block> idle = [];
    readonly RpcLimits limits = limits;
    long rented;

    public override int MaxBufferSize => BlockSize;

    bool IsFull => Volatile.Read(ref rented) * BlockSize > limits.MaxBufferedBytes;

    public MemoryPool<byte> Create(MemoryPoolOptions? options = null) => this;

    public override IMemoryOwner<byte> Rent(int minBufferSize = -1) => Rent(null, minBufferSize);

    // shared by all connections of a host, and gone with it
    protected override void Dispose(bool disposing)
    {
    }

    Block Rent(Connection? connection, int minBufferSize)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(minBufferSize, BlockSize);
        Interlocked.Increment(ref rented);
        Block? block;
        lock (idle)
            idle.TryPop(out block);
        block ??= new(this);
        (block.IsRented, block.Connection) = (true, connection);
        return block;
    }

    void Return(Block block)
    {
        Interlocked.Decrement(ref rented);
        block.Connection?.Returned();
        block.Connection = null;
        lock (idle)
        {
            if (!block.IsRented)
                throw new InvalidOperationException("a block was returned twice");
            block.IsRented = false;
            if (idle.Count < keep)
                idle.Push(block);
        }
    }

    /// <summary>The memory of one connection: responses that its peer does not read, and requests that are not handled yet.</summary>
    public sealed class Connection(BlockMemoryPool host) : MemoryPool<byte>, IMemoryPoolFeature
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

        public void Returned() => Interlocked.Decrement(ref rented);

        protected override void Dispose(bool disposing)
        {
        }
    }

    sealed class Block(BlockMemoryPool pool) : IMemoryOwner<byte>
    {
        public bool IsRented { get; set; }

        public Connection? Connection { get; set; }

        public Memory<byte> Memory { get; } = GC.AllocateUninitializedArray<byte>(BlockSize, pinned: true);

        public void Dispose() => pool.Return(this);
    }
}

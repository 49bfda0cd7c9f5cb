using System.Buffers;
using Microsoft.AspNetCore.Connections;

namespace ProtoBench.Rpc.Servers;

/// <summary>Memory for Kestrel's pipes, in blocks that hold a whole frame of HTTP/2 with its header. Kestrel's own blocks of 4 KiB take a receive for
/// every 4 KiB: 71 for one hive request (counted with strace). Last returned, first rented: it is the block that is still in the cache.</summary>
sealed class BlockMemoryPool : MemoryPool<byte>, IMemoryPoolFactory<byte>
{
    const int blockSize = 32 * 1024;

    // 8 MiB idle at most; a burst needs more, and what it leaves behind goes to the garbage collector
    const int keep = 256;

    readonly Stack<Block> idle = [];

    public override int MaxBufferSize => blockSize;

    public MemoryPool<byte> Create(MemoryPoolOptions? options = null) => this;

    public override IMemoryOwner<byte> Rent(int minBufferSize = -1)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(minBufferSize, blockSize);
        lock (idle)
        {
            if (idle.TryPop(out var block))
            {
                block.Rented = true;
                return block;
            }
        }

        return new Block(this) { Rented = true };
    }

    // shared by all connections of a host, and gone with it
    protected override void Dispose(bool disposing)
    {
    }

    void Return(Block block)
    {
        lock (idle)
        {
            if (!block.Rented)
                throw new InvalidOperationException("a block was returned twice");
            block.Rented = false;
            if (idle.Count < keep)
                idle.Push(block);
        }
    }

    sealed class Block(BlockMemoryPool pool) : IMemoryOwner<byte>
    {
        public bool Rented { get; set; }

        public Memory<byte> Memory { get; } = GC.AllocateUninitializedArray<byte>(blockSize, pinned: true);

        public void Dispose() => pool.Return(this);
    }
}

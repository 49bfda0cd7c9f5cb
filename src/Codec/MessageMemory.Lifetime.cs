using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

public sealed partial class MessageMemory
{
    /// <summary>Bytes of the arrays and of the slab that the message keeps when it is emptied.</summary>
    internal long HeldBytes { get; private set; }

    /// <summary>The storage of the outermost message. Its stamp stands for the content of the whole memory.</summary>
    internal Storage Root { get; private set; } = null!;

    /// <summary>Whether a stamp is so near its last value that the storages are to be replaced before it can repeat.</summary>
    internal bool IsWornOut { get; private set; }

    internal void CountHeld(long bytes) => HeldBytes += bytes;

    internal void Open(Storage root)
    {
        if (root is null || root.Memory != this) throw new InvalidOperationException("CreateStorage made no storage in the memory that it was given.");
        Root = root;
        root.AddRoot();
    }

    /// <summary>Empties the message and keeps its arrays and one slab.</summary>
    internal void Reset()
    {
        Invalidate();
        Forget();
        arena.Reset();
        foreach (var storage in Storages) storage.Reset();
        Invalidate();
        Root.AddRoot();
    }

    /// <summary>Gives everything back. The message can be used again, if it is recycled.</summary>
    internal void Release()
    {
        Invalidate();
        foreach (var storage in Storages) storage.Release();
        Forget();
        ReleaseBlocks();
        ReleaseMaps();
        HeldBytes = 0;
        holdsSlab = false;
        arena.Dispose();
        Invalidate();
    }

    /// <summary>Makes the memory usable after <see cref="Release"/>.</summary>
    internal void Reopen()
    {
        arena = new(pool);
        Root.AddRoot();
    }

    void ReleaseBlocks()
    {
        CountHeld((firstBlocks - blocks.Length) * (long)Unsafe.SizeOf<Block>());
        blocks = new Block[firstBlocks];
    }

    // Once before anything is taken away and once after it: a reader on another thread that checks its stamp after reading has read
    // either what it asked for, or notices.
    void Invalidate()
    {
        var stamps = 0;
        foreach (var storage in Storages) stamps |= storage.Invalidate();
        IsWornOut |= stamps < 0;
    }

    void Forget()
    {
        blockPeak = Math.Max(blockCount, blockPeak - (blockPeak >> 4));
        if (blocks.Length > 8 * Math.Max(blockPeak, 2 * firstBlocks)) ReleaseBlocks();
        else Array.Clear(blocks, 0, blockCount);
        first = new() { Array = [] };
        (blockCount, end, StraddledFields) = (0, 0, 0);
        (restArray, restStart, restCount, restAddress) = (null, 0, 0, 0);
        (Origin, TagAt) = (0, default);
        elementBytes = 0;
        ResetMaps();
    }
}

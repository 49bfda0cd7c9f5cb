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
        foreach (var storage in storages) storage.Reset();
        Forget();
        arena.Reset();
        Root.AddRoot();
        Invalidate();
    }

    /// <summary>Gives everything back. The message can be used again, if it is recycled.</summary>
    internal void Release()
    {
        Invalidate();
        foreach (var storage in storages) storage.Release();
        Forget();
        blocks = new Block[firstBlocks];
        ReleaseMaps();
        HeldBytes = 0;
        arena.Dispose();
        Invalidate();
    }

    /// <summary>Makes the memory usable after <see cref="Release"/>.</summary>
    internal void Reopen()
    {
        arena = new(pool);
        Root.AddRoot();
    }

    // Once before anything is taken away and once after it: a reader on another thread that checks its stamp after reading has read
    // either what it asked for, or notices.
    void Invalidate()
    {
        var stamps = 0;
        foreach (var storage in storages) stamps |= storage.Invalidate();
        IsWornOut |= stamps < 0;
    }

    void Forget()
    {
        Array.Clear(blocks, 0, blockCount);
        first = new() { Array = [] };
        (blockCount, end, StraddledFields) = (0, 0, 0);
        (rest, restAddress) = (ArraySegment<byte>.Empty, 0);
        (Origin, TagAt) = (0, default);
        elementBytes = 0;
        ResetMaps();
    }
}

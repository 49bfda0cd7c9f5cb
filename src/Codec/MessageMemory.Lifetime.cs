namespace ProtoBench.Codec;

public sealed partial class MessageMemory
{
    /// <summary>Throws when the message was released for good.</summary>
    /// <exception cref="ObjectDisposedException">It was.</exception>
    internal void ThrowIfReleased()
    {
        if (released) throw new ObjectDisposedException("Message", "This message was released.");
    }

    /// <summary>Empties the message and keeps its arrays and one slab.</summary>
    internal void Reset()
    {
        foreach (var table in tables) table.Reset();
        tables[0].AddRoot();
        Array.Clear(blocks, 0, blockCount);
        (leaves, leavesStart, leavesLength) = ([], 0, 0);
        (blockCount, end, StraddledLeaves) = (0, 0, 0);
        (rest, restAddress) = (ArraySegment<byte>.Empty, 0);
        (Origin, TagAt) = (0, default);
        ResetMaps();
        arena.Reset();
    }

    /// <summary>Gives everything back: any further use throws.</summary>
    internal void Release()
    {
        foreach (var table in tables) table.Release();
        Array.Clear(blocks, 0, blockCount);
        (leaves, leavesStart, leavesLength) = ([], 0, 0);
        (blockCount, end) = (0, 0);
        (rest, restAddress) = (ArraySegment<byte>.Empty, 0);
        released = true;
        arena.Dispose();
    }
}

namespace ProtoBench.PeerToPeer;

/// <summary>Where a wire message is written, item by item. Integers are little-endian.</summary>
public interface IPeerOutput
{
    /// <summary>A byte.</summary>
    void Put(byte value);

    /// <summary>Two bytes.</summary>
    void Put(ushort value);

    /// <summary>Four bytes.</summary>
    void Put(uint value);

    /// <summary>Eight bytes.</summary>
    void Put(ulong value);

    /// <summary>Bytes as they are.</summary>
    void Put(ReadOnlySpan<byte> bytes);

    /// <summary>ASCII letters, and zeros up to <paramref name="width"/> bytes.</summary>
    void Put(string text, int width);
}

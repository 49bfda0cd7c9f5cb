namespace ProtoBench.Payloads;

/// <summary>What a decoder found: how many items, how many leaf bytes, and a checksum over
/// every leaf in order. Two libraries that agree on it read the same message.</summary>
/// <param name="Items">Sub-items of the root.</param>
/// <param name="LeafBytes">Bytes of all leaves; a string counts as its UTF-8.</param>
/// <param name="Checksum">FNV-1a (64 bits) over each leaf's length and bytes, in field order.</param>
public readonly record struct Fingerprint(int Items, long LeafBytes, ulong Checksum)
{
    const ulong offsetBasis = 14_695_981_039_346_656_037;
    const ulong prime = 1_099_511_628_211;

    /// <summary>Nothing counted yet.</summary>
    public static Fingerprint Empty { get; } = new(0, 0, offsetBasis);

    /// <summary>This fingerprint with one more item.</summary>
    public Fingerprint Item() => this with { Items = Items + 1 };

    /// <summary>This fingerprint with one more leaf.</summary>
    public Fingerprint Leaf(ReadOnlySpan<byte> bytes)
    {
        var sum = Number(Checksum, (ulong)bytes.Length);
        foreach (var b in bytes)
            sum = (sum ^ b) * prime;
        return this with { LeafBytes = LeafBytes + bytes.Length, Checksum = sum };
    }

    /// <summary>This fingerprint with a number (an integer, or the bits of a float) in the checksum.</summary>
    public Fingerprint Value(ulong value) => this with { Checksum = Number(Checksum, value) };

    static ulong Number(ulong sum, ulong value) => (sum ^ value) * prime;
}

namespace ProtoBench.Payloads;

/// <summary>Two libraries with the same fingerprint have read the same message.</summary>
/// <param name="LeafBytes">The number of bytes of all leaves. A string counts as its UTF-8 bytes.</param>
/// <param name="Checksum">FNV-1a (64 bits) over each leaf's length and bytes, in field order.</param>
public readonly record struct Fingerprint(int Items, long LeafBytes, ulong Checksum)
{
    const ulong offsetBasis = 14_695_981_039_346_656_037;
    const ulong prime = 1_099_511_628_211;

    public static Fingerprint Empty { get; } = new(0, 0, offsetBasis);

    public Fingerprint Item() => this with { Items = Items + 1 };

    public Fingerprint Leaf(ReadOnlySpan<byte> bytes)
    {
        var sum = Number(Checksum, (ulong)bytes.Length);
        foreach (var b in bytes)
            sum = (sum ^ b) * prime;
        return this with { LeafBytes = LeafBytes + bytes.Length, Checksum = sum };
    }

    /// <summary>With a number (an integer, or the bits of a float) in the checksum.</summary>
    public Fingerprint Value(ulong value) => this with { Checksum = Number(Checksum, value) };

    static ulong Number(ulong sum, ulong value) => (sum ^ value) * prime;
}

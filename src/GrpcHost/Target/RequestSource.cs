using System.IO.Compression;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost;

/// <summary>The requests of a load: captured messages, in order or drawn at random with a seed. Thread-safe.</summary>
sealed class RequestSource(IReadOnlyList<Payload> payloads, int? seed)
{
    long taken = -1;

    public IReadOnlyList<Payload> Payloads => payloads;

    /// <summary>The same requests with gzip, compressed once, at the level at which grpc-dotnet compresses.</summary>
    public RequestSource Compressed() =>
        new([.. payloads.Select(payload => new Payload(payload.Name, Compress(payload.Bytes.Span)))], seed);

    static byte[] Compress(ReadOnlySpan<byte> bytes)
    {
        // .NET writes nothing for no bytes, and other languages do not read that
        if (bytes.IsEmpty)
            return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        using var compressed = new MemoryStream();
        using (var gzip = new GZipStream(compressed, CompressionLevel.Fastest))
            gzip.Write(bytes);
        return compressed.ToArray();
    }

    /// <summary>Returns the number of the next call, from 0.</summary>
    public long Take() => Interlocked.Increment(ref taken);

    public ReadOnlyMemory<byte> Next => Message(Take());

    public ReadOnlyMemory<byte> Message(long number) =>
        payloads[(int)((seed is { } one ? Mix((ulong)number + ((ulong)(uint)one << 32)) : (ulong)number) % (ulong)payloads.Count)].Bytes;

    // The finalizer of SplitMix64 (Steele, Lea and Flood, 2014): a random value for each number, independent of the order of callers.
    static ulong Mix(ulong z)
    {
        z += 0x9E3779B97F4A7C15;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
}

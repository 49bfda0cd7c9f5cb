using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost.Target;

/// <summary>The requests of a load: captured messages, in order or drawn at random with a seed. Thread-safe.</summary>
/// <param name="payloads">At least one.</param>
/// <param name="seed">The draw's seed; null to send them in turn.</param>
sealed class RequestSource(IReadOnlyList<Payload> payloads, int? seed)
{
    long taken = -1;

    public IReadOnlyList<Payload> Payloads => payloads;

    /// <summary>The request of the next call.</summary>
    public ReadOnlyMemory<byte> Next
    {
        get
        {
            var number = (ulong)Interlocked.Increment(ref taken);
            return payloads[(int)((seed is { } start ? Mix(number + ((ulong)(uint)start << 32)) : number) % (ulong)payloads.Count)].Bytes;
        }
    }

    // The finalizer of SplitMix64 (Steele, Lea and Flood, 2014): a draw for each number, so that the order of callers does not matter.
    static ulong Mix(ulong z)
    {
        z += 0x9E3779B97F4A7C15;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
}

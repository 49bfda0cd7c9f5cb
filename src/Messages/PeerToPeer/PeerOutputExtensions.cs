namespace ProtoBench.PeerToPeer;

/// <summary>What is made of the items of <see cref="IPeerOutput"/>.</summary>
public static class PeerOutputExtensions
{
    /// <summary>A count as Bitcoin writes it: one byte below 253; else 253, 254 or 255 and two, four or eight bytes.</summary>
    public static void PutCount<TOutput>(this ref TOutput output, int count)
        where TOutput : struct, IPeerOutput, allows ref struct
    {
        if (count < PeerReader.TwoBytes)
        {
            output.Put((byte)count);
        }
        else if (count <= ushort.MaxValue)
        {
            output.Put((byte)PeerReader.TwoBytes);
            output.Put((ushort)count);
        }
        else
        {
            output.Put((byte)PeerReader.FourBytes);
            output.Put((uint)count);
        }
    }

    /// <summary>A count and so many bytes.</summary>
    public static void PutCounted<TOutput>(this ref TOutput output, byte[] bytes)
        where TOutput : struct, IPeerOutput, allows ref struct
    {
        output.PutCount(bytes.Length);
        output.Put(bytes);
    }
}

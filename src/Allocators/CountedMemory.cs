using System.Buffers;

namespace ProtoBench.Allocators;

/// <summary>Memory that lives as long as somebody holds a reference to it, counted. The callback behind <see cref="SlabSlice"/> and the
/// manager behind every counted <see cref="Memory{T}"/>; derive from it to put memory of another origin behind the same two
/// forms.</summary>
/// <remarks>Thread safety: references are added and dropped from any thread.</remarks>
public abstract class CountedMemory : MemoryManager<byte>
{
    /// <summary>Adds one reference to a slice.</summary>
    /// <param name="length">Bytes of the slice, for the statistics of live bytes.</param>
    /// <exception cref="InvalidOperationException">The last reference is gone already.</exception>
    public abstract void Preserve(int length);

    /// <summary>Drops one reference to a slice; whoever drops the last one recycles the memory.</summary>
    /// <param name="length">Bytes of the slice, for the statistics of live bytes.</param>
    /// <exception cref="InvalidOperationException">There were more releases than references, where that can be seen.</exception>
    public abstract void Release(int length);
}

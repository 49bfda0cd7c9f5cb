using System.Buffers;

namespace ProtoBench.Allocators;

/// <summary>Memory with a reference count. It is the owner of a <see cref="SlabSlice"/> and the manager of a counted
/// <see cref="Memory{T}"/>. Derive from it to offer memory of another origin in these two forms.</summary>
/// <remarks>Thread safety: references are added and dropped from any thread.</remarks>
public abstract class CountedMemory : MemoryManager<byte>
{
    /// <summary>Adds one reference to a slice.</summary>
    /// <param name="length">Bytes of the slice, for the statistics of live bytes.</param>
    /// <exception cref="InvalidOperationException">The last reference is gone already.</exception>
    public abstract void Preserve(int length);

    /// <summary>Drops one reference to a slice. The call that drops the last reference recycles the memory.</summary>
    /// <param name="length">Bytes of the slice, for the statistics of live bytes.</param>
    /// <exception cref="InvalidOperationException">There were more releases than references, where that can be seen.</exception>
    public abstract void Release(int length);
}

using System.ComponentModel;
using ProtoBench.Allocators;

namespace ProtoBench.Codec.Runtime;

/// <summary>Creates the default value of a string or bytes field. The value belongs to no message and is never released. For generated
/// code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class DefaultValue
{
    /// <summary>Creates a bytes value that is always valid.</summary>
    public static Bytes OfBytes(ReadOnlySpan<byte> value)
    {
        var (storage, range) = Keep(value);
        return new(storage, range, storage.Stamp);
    }

    /// <summary>Creates a string value that is always valid.</summary>
    public static Utf8String OfString(ReadOnlySpan<byte> utf8)
    {
        var (storage, range) = Keep(utf8);
        return new(storage, range, storage.Stamp);
    }

    static (Storage Storage, ByteRange Range) Keep(ReadOnlySpan<byte> value)
    {
        var memory = new MessageMemory(SlabPool.Shared, recycled: false);
        var storage = Storage<byte>.Of(memory);
        memory.Open(storage);
        memory.Alias(value.ToArray(), value);
        return (storage, new(0, value.Length));
    }
}

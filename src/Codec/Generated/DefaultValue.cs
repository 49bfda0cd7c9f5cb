using System.ComponentModel;
using ProtoBench.Allocators;

namespace ProtoBench.Codec.Generated;

/// <summary>For message types: the default value of a string or bytes field,
/// which belongs to no message and lives as long as the process.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class DefaultValue
{
    /// <summary>Bytes that are always there.</summary>
    public static Bytes OfBytes(ReadOnlySpan<byte> value)
    {
        var (storage, range) = Keep(value);
        return new(storage, range, storage.Stamp);
    }

    /// <summary>A string that is always there.</summary>
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

using System.Buffers;
using ProtoBuf.Meta;
using ProtoBuf.Serializers;

namespace ProtoBench.Pbn;

/// <summary>
/// The serializers of <see cref="SlabRequest"/> and <see cref="SlabResponse"/>, written by hand against protobuf-net's public interfaces.
/// Items are read inside the root's serializer, because only the root knows the slab; they are written through WriteMessage, because a
/// buffer writer cannot go back to fill in a length.
/// </summary>
/// <remarks>Stateless: one instance serves all threads. Reading merges into the root that
/// is given, so a reused root is reset first, and after an exception too.</remarks>
public sealed class SlabModel : TypeModel
{
    /// <summary>The model.</summary>
    public static SlabModel Instance { get; } = new();

    /// <summary>Reads into <paramref name="root"/>, which is reset first.</summary>
    public SlabRequest Read(ReadOnlyMemory<byte> wire, SlabRequest root)
    {
        root.Reset();
        return Deserialize(wire, root);
    }

    /// <inheritdoc cref="Read(ReadOnlyMemory{byte}, SlabRequest)"/>
    public SlabRequest Read(Stream wire, SlabRequest root)
    {
        root.Reset();
        return Deserialize(wire, root);
    }

    /// <inheritdoc cref="Read(ReadOnlyMemory{byte}, SlabRequest)"/>
    public SlabRequest Read(ReadOnlySequence<byte> wire, SlabRequest root)
    {
        root.Reset();
        return Deserialize(wire, root);
    }

    /// <inheritdoc cref="Read(ReadOnlyMemory{byte}, SlabRequest)"/>
    public SlabResponse Read(ReadOnlySequence<byte> wire, SlabResponse root)
    {
        root.Reset();
        return Deserialize(wire, root);
    }

    /// <inheritdoc cref="Read(ReadOnlyMemory{byte}, SlabRequest)"/>
    public SlabResponse Read(ReadOnlyMemory<byte> wire, SlabResponse root)
    {
        root.Reset();
        return Deserialize(wire, root);
    }

    /// <inheritdoc cref="Read(ReadOnlyMemory{byte}, SlabRequest)"/>
    public SlabResponse Read(Stream wire, SlabResponse root)
    {
        root.Reset();
        return Deserialize(wire, root);
    }

    /// <summary>Computes the size without writing.</summary>
    /// <returns>Bytes.</returns>
    public long MeasureOnly<T>(T message)
    {
        using var measured = Measure(message);
        return measured.Length;
    }

    /// <summary>What a gRPC marshaller does: measures, writes, and checks that both agree.</summary>
    /// <returns>The bytes written.</returns>
    /// <exception cref="InvalidOperationException">The message wrote another number of bytes than it had measured.</exception>
    public long MeasureSerialize<T>(T message, ArrayBufferWriter<byte> writer)
    {
        using var measured = Measure(message);
        var before = writer.WrittenCount;
        measured.Serialize(writer);
        var written = writer.WrittenCount - before;
        return written == measured.Length
            ? written : throw new InvalidOperationException($"measured {measured.Length} bytes, wrote {written}");
    }

    /// <inheritdoc/>
    protected override ISerializer<T> GetSerializer<T>() => SerializerCache.Get<SlabSerializer, T>();
}

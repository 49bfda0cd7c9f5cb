using System.Buffers;
using System.Numerics;
using ProtoBuf;
using ProtoBuf.Meta;
using ProtoBuf.Serializers;

namespace ProtoBench.Pbn;

/// <summary>The serializers of <see cref="SlabRequest"/> and <see cref="SlabResponse"/> by hand. Items are read in the serializer of the
/// root, because only the root knows the slab. They are written with WriteMessage, because a buffer writer cannot fill in a length later.
/// Reading merges into the given root, so a reused root is reset first, and after an exception. Thread-safe.</summary>
public sealed class SlabModel : TypeModel
{
    public static SlabModel Instance { get; } = new();

    /// <summary>The root is reset first.</summary>
    public T Read<T>(ReadOnlyMemory<byte> wire, T root)
        where T : ISlabRoot
    {
        root.Reset();
        return Deserialize(wire, root);
    }

    public T Read<T>(Stream wire, T root)
        where T : ISlabRoot
    {
        root.Reset();
        return Deserialize(wire, root);
    }

    public T Read<T>(ReadOnlySequence<byte> wire, T root)
        where T : ISlabRoot
    {
        root.Reset();
        return Deserialize(wire, root);
    }

    protected override ISerializer<T> GetSerializer<T>() => SerializerCache.Get<SlabSerializer, T>();
}

/// <summary>protobuf-net creates one object and shares it.</summary>
public sealed class SlabSerializer : ISerializer<SlabRequest>, ISerializer<SlabResponse>, IMeasuringSerializer<SlabRequestItem>,
    IMeasuringSerializer<SlabResponseItem>
{
    const SerializerFeatures message = SerializerFeatures.CategoryMessage | SerializerFeatures.WireTypeString;

    // The size is computed, so the first of a buffer writer's two passes does not have to write.
    const SerializerFeatures measured = message | SerializerFeatures.OptionTrySkipWritingWhenMeasuring;

    SerializerFeatures ISerializer<SlabRequest>.Features => message;

    SerializerFeatures ISerializer<SlabResponse>.Features => message;

    SerializerFeatures ISerializer<SlabRequestItem>.Features => measured;

    SerializerFeatures ISerializer<SlabResponseItem>.Features => measured;

    public SlabRequest Read(ref ProtoReader.State state, SlabRequest value)
    {
        value ??= new();
        for (var field = state.ReadFieldHeader(); field > 0; field = state.ReadFieldHeader())
        {
            switch (field)
            {
                case 1:
                    value.TraceId = Leaf(ref state, value.Leaves);
                    break;
                case 2:
                    do
                        value.ItemRequests.Add(RequestItem(ref state, value.Leaves));
                    while (state.TryReadFieldHeader(2));
                    break;
                case 3:
                    value.RequestContextInfo = Leaf(ref state, value.Leaves);
                    break;
                default:
                    state.SkipField();
                    break;
            }
        }

        return value;
    }

    public void Write(ref ProtoWriter.State state, SlabRequest value)
    {
        Leaf(ref state, 1, value.TraceId);
        foreach (ref var item in value.ItemRequests)
            state.WriteMessage(2, SerializerFeatures.OptionSkipRecursionCheck, item, this);
        Leaf(ref state, 3, value.RequestContextInfo);
    }

    public SlabResponse Read(ref ProtoReader.State state, SlabResponse value)
    {
        value ??= new();
        for (var field = state.ReadFieldHeader(); field > 0; field = state.ReadFieldHeader())
        {
            switch (field)
            {
                case 1:
                    do
                        value.ItemResponses.Add(ResponseItem(ref state, value.Leaves));
                    while (state.TryReadFieldHeader(1));
                    break;
                case 2:
                    value.RouteLatencyInUs = state.ReadInt64();
                    break;
                case 3:
                    value.RouteStartTimeInTicks = state.ReadInt64();
                    break;
                default:
                    state.SkipField();
                    break;
            }
        }

        return value;
    }

    public void Write(ref ProtoWriter.State state, SlabResponse value)
    {
        foreach (ref var item in value.ItemResponses)
            state.WriteMessage(1, SerializerFeatures.OptionSkipRecursionCheck, item, this);
        Number(ref state, 2, value.RouteLatencyInUs);
        Number(ref state, 3, value.RouteStartTimeInTicks);
    }

    SlabRequestItem ISerializer<SlabRequestItem>.Read(ref ProtoReader.State state, SlabRequestItem value) =>
        throw new NotSupportedException("an item is read by its root");

    void ISerializer<SlabRequestItem>.Write(ref ProtoWriter.State state, SlabRequestItem value)
    {
        Leaf(ref state, 1, value.ItemId);
        Leaf(ref state, 2, value.ItemContext);
    }

    int IMeasuringSerializer<SlabRequestItem>.Measure(ISerializationContext context, WireType wireType, SlabRequestItem value) =>
        Size(value.ItemId) + Size(value.ItemContext);

    SlabResponseItem ISerializer<SlabResponseItem>.Read(ref ProtoReader.State state, SlabResponseItem value) =>
        throw new NotSupportedException("an item is read by its root");

    void ISerializer<SlabResponseItem>.Write(ref ProtoWriter.State state, SlabResponseItem value)
    {
        if (value.Result != 0)
        {
            state.WriteFieldHeader(1, WireType.Fixed32);
            state.WriteSingle(value.Result);
        }

        Leaf(ref state, 2, value.ExtraResult);
    }

    int IMeasuringSerializer<SlabResponseItem>.Measure(ISerializationContext context, WireType wireType, SlabResponseItem value) =>
        (value.Result != 0 ? 1 + sizeof(float) : 0) + Size(value.ExtraResult);

    static SlabRequestItem RequestItem(ref ProtoReader.State state, LeafMemory leaves)
    {
        ReadOnlyMemory<byte> id = default, context = default;
        var token = state.StartSubItem();
        for (var field = state.ReadFieldHeader(); field > 0; field = state.ReadFieldHeader())
        {
            switch (field)
            {
                case 1:
                    id = Leaf(ref state, leaves);
                    break;
                case 2:
                    context = Leaf(ref state, leaves);
                    break;
                default:
                    state.SkipField();
                    break;
            }
        }

        state.EndSubItem(token);
        return new(id, context);
    }

    static SlabResponseItem ResponseItem(ref ProtoReader.State state, LeafMemory leaves)
    {
        var result = 0f;
        ReadOnlyMemory<byte> extra = default;
        var token = state.StartSubItem();
        for (var field = state.ReadFieldHeader(); field > 0; field = state.ReadFieldHeader())
        {
            switch (field)
            {
                case 1:
                    result = state.ReadSingle();
                    break;
                case 2:
                    extra = Leaf(ref state, leaves);
                    break;
                default:
                    state.SkipField();
                    break;
            }
        }

        state.EndSubItem(token);
        return new(result, extra);
    }

    // AppendBytes appends to its argument. An empty leaf makes the last of a repeated field win.
    static ReadOnlyMemory<byte> Leaf(ref ProtoReader.State state, LeafMemory leaves) =>
        state.AppendBytes(default(ReadOnlyMemory<byte>), leaves);

    // Empty leaves are left out, as in Google's messages.
    static void Leaf(ref ProtoWriter.State state, int field, ReadOnlyMemory<byte> leaf)
    {
        if (leaf.IsEmpty)
            return;
        state.WriteFieldHeader(field, WireType.String);
        state.WriteBytes(leaf);
    }

    static void Number(ref ProtoWriter.State state, int field, long value)
    {
        if (value == 0)
            return;
        state.WriteFieldHeader(field, WireType.Varint);
        state.WriteInt64(value);
    }

    /// <summary>Returns the size of tag, length and bytes of a leaf whose field number is below 16.</summary>
    static int Size(ReadOnlyMemory<byte> leaf) => leaf.IsEmpty ? 0 : 1 + VarintSize((uint)leaf.Length) + leaf.Length;

    static int VarintSize(uint value) => (BitOperations.Log2(value | 1) / 7) + 1;
}

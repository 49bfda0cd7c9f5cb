using System.Buffers;
using ProtoBench.Allocators;
using ProtoBench.Pbn;

namespace ProtoBench.Rpc.Marshallers.ProtobufNet;

/// <summary>protobuf-net with the hand-written serializers of <see cref="SlabModel"/>: the leaves of a message are in slab memory, and the
/// message object is recycled.</summary>
/// <param name="reset">Returns the leaves of a message to the slabs.</param>
/// <param name="rent">Provides an empty message.</param>
/// <param name="recycle">Takes back a message that was reset.</param>
public sealed class ProtobufNetSlabMarshaller<T>(Action<T> reset, Func<T> rent, Action<T> recycle)
    : ProtobufNetMarshaller<T>(SlabModel.Instance)
    where T : class, new()
{
    /// <summary>Uses a recycler for the message objects.</summary>
    /// <param name="reset">Returns the leaves of a message to the slabs.</param>
    /// <param name="recycler">Keeps message objects that are not in use.</param>
    public ProtobufNetSlabMarshaller(Action<T> reset, Recycler<T> recycler)
        : this(reset, recycler.Rent, recycler.Return)
    {
    }

    /// <inheritdoc/>
    public override bool Recycles => true;

    /// <summary>Provides an empty message. Release it like a message that was read.</summary>
    public T Rent() => rent();

    /// <inheritdoc/>
    public override T Read(in ReadOnlySequence<byte> payload)
    {
        var root = Rent();
        try
        {
            return Model.Deserialize(payload, root);
        }
        catch
        {
            Release(root);
            throw;
        }
    }

    /// <inheritdoc/>
    public override void Release(T message)
    {
        reset(message);
        recycle(message);
    }
}

using System.Buffers;
using ProtoBench.Allocators;
using ProtoBench.Pbn;

namespace ProtoBench.Rpc.Marshallers.ProtobufNet;

/// <summary>protobuf-net with the hand-written serializers of <see cref="SlabModel"/>: leaves in slab memory, roots in a bag that all threads share.</summary>
/// <param name="reset">Gives the leaves of a root back.</param>
public sealed class ProtobufNetSlabMarshaller<T>(Action<T> reset) : ProtobufNetMarshaller<T>(SlabModel.Instance)
    where T : class, new()
{
    readonly BagRecycler<T> roots = new(static () => new T());

    /// <inheritdoc/>
    public override bool Recycles => true;

    /// <summary>An empty message, to be released like one that was read.</summary>
    public T Rent() => roots.Rent();

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
        roots.Return(message);
    }
}

using System.Buffers;
using ProtoBench.Pbn;
using ProtoBuf;
using ProtoBuf.Meta;

namespace ProtoBench.Rpc;

/// <summary>As protobuf-net.Grpc uses it. A measuring pass collects lengths; each thread keeps the state of its last one.</summary>
public class ProtobufNetMarshaller<T>(TypeModel model) : Marshaller<T>
    where T : class
{
    [ThreadStatic]
    static MeasureState<T> measured;

    [ThreadStatic]
    static T? waiting;

    protected TypeModel Model { get; } = model;

    public override int Measure(T message)
    {
        if (waiting is not null)
            measured.Dispose(); // the last message was measured and not written, because it is too large
        measured = Model.Measure(message);
        waiting = message;
        return checked((int)measured.Length);
    }

    public override void Write(T message, int size, IBufferWriter<byte> output)
    {
        if (!ReferenceEquals(waiting, message))
            Measure(message);
        waiting = null; // the message may be another one at the next call
        using (measured)
            measured.Serialize(output);
    }

    public override T Read(in ReadOnlySequence<byte> payload) => Model.Deserialize<T>(payload);
}

/// <summary>With the serializers of <see cref="SlabModel"/>: leaves are in slab memory, and the message object is recycled.</summary>
public sealed class ProtobufNetSlabMarshaller<T>(Action<T> reset, Func<T> rent, Action<T> recycle)
    : ProtobufNetMarshaller<T>(SlabModel.Instance)
    where T : class, new()
{
    public ProtobufNetSlabMarshaller(Action<T> reset, Recycler<T> recycler)
        : this(reset, recycler.Rent, recycler.Return)
    {
    }

    public override bool Recycles => true;

    /// <summary>Release it like a message that was read.</summary>
    public T Rent() => rent();

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

    public override void Release(T message)
    {
        reset(message);
        recycle(message);
    }
}

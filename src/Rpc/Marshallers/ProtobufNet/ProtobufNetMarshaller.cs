using System.Buffers;
using ProtoBuf;
using ProtoBuf.Meta;

namespace ProtoBench.Rpc.Marshallers.ProtobufNet;

/// <summary>protobuf-net as protobuf-net.Grpc uses it: one measuring pass, which the writing pass then makes use of. Each thread keeps the
/// state of its last measurement.</summary>
/// <param name="model">The model that serializes the types; null for the default model.</param>
public class ProtobufNetMarshaller<T>(TypeModel? model = null) : Marshaller<T>
    where T : class
{
    [ThreadStatic]
    static MeasureState<T> measured;

    [ThreadStatic]
    static T? waiting;

    /// <summary>The serializer.</summary>
    protected TypeModel Model { get; } = model ?? RuntimeTypeModel.Default;

    /// <inheritdoc/>
    public override int Measure(T message)
    {
        if (waiting is not null)
            measured.Dispose(); // of a message that was measured and then not written, because it is too large
        measured = Model.Measure(message);
        waiting = message;
        return checked((int)measured.Length);
    }

    /// <inheritdoc/>
    public override void Write(T message, int size, IBufferWriter<byte> output)
    {
        if (!ReferenceEquals(waiting, message))
            Measure(message);
        waiting = null; // it may be another message by the next time
        using (measured)
            measured.Serialize(output);
    }

    /// <inheritdoc/>
    public override T Read(in ReadOnlySequence<byte> payload) => Model.Deserialize<T>(payload);
}

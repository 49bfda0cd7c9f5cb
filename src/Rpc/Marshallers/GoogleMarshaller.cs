using System.Buffers;
using Google.Protobuf;

namespace ProtoBench.Rpc.Marshallers;

/// <summary>Google.Protobuf with its generated types, as a gRPC stub uses it:
/// measure, write to the transport's buffer, parse from its segments.</summary>
public sealed class GoogleMarshaller<T> : Marshaller<T>
    where T : IMessage<T>, new()
{
    readonly MessageParser<T> parser = new(static () => new T());

    /// <inheritdoc/>
    public override int Measure(T message) => message.CalculateSize();

    /// <inheritdoc/>
    public override void Write(T message, int size, IBufferWriter<byte> output) => message.WriteTo(output);

    /// <inheritdoc/>
    public override T Read(in ReadOnlySequence<byte> payload) => parser.ParseFrom(payload);
}

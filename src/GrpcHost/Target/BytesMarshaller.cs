using System.Buffers;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Target;

/// <summary>Sends prepared bytes. Received bytes are copied.</summary>
sealed class BytesMarshaller : Marshaller<ReadOnlyMemory<byte>>
{
    public override int Measure(ReadOnlyMemory<byte> message) => message.Length;

    public override void Write(ReadOnlyMemory<byte> message, int size, IBufferWriter<byte> output) => output.Write(message.Span);

    public override ReadOnlyMemory<byte> Read(in ReadOnlySequence<byte> payload) => payload.ToArray();
}

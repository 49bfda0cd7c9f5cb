using System.Buffers;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Target;

/// <summary>Reads only the size of a message, so that the client does little work.</summary>
sealed class SizeMarshaller : Marshaller<long>
{
    public override int Measure(long message) => throw new NotSupportedException("A size is only received.");

    public override void Write(long message, int size, IBufferWriter<byte> output) =>
        throw new NotSupportedException("A size is only received.");

    public override long Read(in ReadOnlySequence<byte> payload) => payload.Length;
}

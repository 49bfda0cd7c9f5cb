using BenchmarkDotNet.Attributes;
using ProtoBench.Libraries;
using ProtoBench.Pbn;
using ProtoBuf;

namespace ProtoBench.Benchmarks;

public partial class SerializeBenchmarks
{
    [Benchmark] public long SerializeRequestPBN_MS() { var to = Sink.MS; Serializer.Serialize(to, ProtobufNetMessages.Request); return to.Length; }
    [Benchmark] public long SerializeRequestPBN_CS() { var to = Sink.CS; Serializer.Serialize(to, ProtobufNetMessages.Request); return to.Length; }
    [Benchmark] public long SerializeRequestPBN_BW() { var to = Sink.BW; Serializer.Serialize(to, ProtobufNetMessages.Request); return to.WrittenCount; }
    [Benchmark] public long SerializeRequestPBN_MS_H() { var to = Sink.MS; SlabModel.Instance.Serialize(to, ProtobufNetMessages.RequestOnSlab); return to.Length; }

    [Benchmark] public long SerializeResponsePBN_MS() { var to = Sink.MS; Serializer.Serialize(to, ProtobufNetMessages.Response); return to.Length; }
    [Benchmark] public long SerializeResponsePBN_CS() { var to = Sink.CS; Serializer.Serialize(to, ProtobufNetMessages.Response); return to.Length; }
    [Benchmark] public long SerializeResponsePBN_BW() { var to = Sink.BW; Serializer.Serialize(to, ProtobufNetMessages.Response); return to.WrittenCount; }
    [Benchmark] public long SerializeResponsePBN_MS_H() { var to = Sink.MS; SlabModel.Instance.Serialize(to, ProtobufNetMessages.ResponseOnSlab); return to.Length; }

    [Benchmark] public long SerializeMixedPBN_BW() { var to = Sink.BW; Serializer.Serialize(to, ProtobufNetMessages.Mixed); return to.WrittenCount; }
}

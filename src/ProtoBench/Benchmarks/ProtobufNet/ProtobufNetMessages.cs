using ProtoBench.Buffers;
using ProtoBench.Pbn;
using ProtoBuf;

namespace ProtoBench.Benchmarks;

/// <summary>What the serializing cells of protobuf-net write. Each message
/// is built when a cell of this process first asks for it.</summary>
static class ProtobufNetMessages
{
    public static ForwardRequest Request => OfRequest.Value;

    public static ForwardResponse Response => OfResponse.Value;

    public static ForwardRequest Mixed => OfMixed.Value;

    public static SlabRequest RequestOnSlab => OfRequestOnSlab.Value;

    public static SlabResponse ResponseOnSlab => OfResponseOnSlab.Value;

    static class OfRequest
    {
        public static readonly ForwardRequest Value = Serializer.Deserialize<ForwardRequest>(Wire.Request.ROM);
    }

    static class OfResponse
    {
        public static readonly ForwardResponse Value = Serializer.Deserialize<ForwardResponse>(Wire.Response.ROM);
    }

    static class OfRequestOnSlab
    {
        public static readonly SlabRequest Value = SlabModel.Instance.Read(Wire.Request.ROM, new SlabRequest());
    }

    static class OfResponseOnSlab
    {
        public static readonly SlabResponse Value = SlabModel.Instance.Read(Wire.Response.ROM, new SlabResponse());
    }

    static class OfMixed
    {
        public static readonly ForwardRequest Value = Serializer.Deserialize<ForwardRequest>(Wire.Mixed.ROM);
    }
}

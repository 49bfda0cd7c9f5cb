using ProtoBench.Buffers;
using ProtoBench.Codec;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Benchmarks;

/// <summary>What the serializing cells of the slab codec write. Each message is
/// built when a cell of this process first asks for it.</summary>
static class SlabMessages
{
    public static Message<ForwardRequest> Request => OfRequest.Value;

    public static Message<ForwardResponse> Response => OfResponse.Value;

    public static Message<ForwardRequest> Mixed => OfMixed.Value;

    /// <summary>A message that is never given back.</summary>
    public static Message<T> Parsed<T>(byte[] wire)
        where T : struct, IMessage<T>
    {
        var message = Message<T>.Rent();
        message.Parse(wire);
        return message;
    }

    static class OfRequest
    {
        public static readonly Message<ForwardRequest> Value = Parsed<ForwardRequest>(Wire.Request.BA);
    }

    static class OfResponse
    {
        public static readonly Message<ForwardResponse> Value = Parsed<ForwardResponse>(Wire.Response.BA);
    }

    static class OfMixed
    {
        public static readonly Message<ForwardRequest> Value = Parsed<ForwardRequest>(Wire.Mixed.BA);
    }
}

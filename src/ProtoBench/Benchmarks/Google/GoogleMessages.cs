using ProtoBench.Allocators;
using ProtoBench.Buffers;
using ProtoBench.Gpb;

namespace ProtoBench.Benchmarks;

/// <summary>What the serializing cells of Google.Protobuf write. Each message
/// is built when a cell of this process first asks for it.</summary>
static class GoogleMessages
{
    public static ForwardRequest Request => OfRequest.Value;

    public static ForwardResponse Response => OfResponse.Value;

    public static ForwardRequest Mixed => OfMixed.Value;

    public static ForwardRequest RequestOnSlab => OfRequestOnSlab.Value;

    public static ForwardResponse ResponseOnSlab => OfResponseOnSlab.Value;

    public static Cold<ForwardRequest> ColdRequest => OfColdRequest.Value;

    static class OfRequest
    {
        public static readonly ForwardRequest Value = ForwardRequest.Parser.ParseFrom(Wire.Request.BA);
    }

    static class OfResponse
    {
        public static readonly ForwardResponse Value = ForwardResponse.Parser.ParseFrom(Wire.Response.BA);
    }

    static class OfMixed
    {
        public static readonly ForwardRequest Value = ForwardRequest.Parser.ParseFrom(Wire.Mixed.BA);
    }

    static class OfRequestOnSlab
    {
        public static readonly ForwardRequest Value = GoogleSlab.ParseRequest(Wire.Request.BA, new Arena());
    }

    static class OfResponseOnSlab
    {
        public static readonly ForwardResponse Value = GoogleSlab.ParseResponse(Wire.Response.BA, new Arena());
    }

    static class OfColdRequest
    {
        public static readonly Cold<ForwardRequest> Value = new(() => ForwardRequest.Parser.ParseFrom(Wire.Request.BA));
    }
}

#if NO_SPAN_PARSER
using Google.Protobuf;

namespace ProtoBench.Benchmarks;

/// <summary>Google.Protobuf before 3.18 parses arrays, but no spans. This is what its users write, so rows of such a version that read a
/// span have the copy in their time.</summary>
static class SpanParser
{
    public static T ParseFrom<T>(this MessageParser<T> parser, ReadOnlySpan<byte> bytes)
        where T : IMessage<T> => parser.ParseFrom(bytes.ToArray());
}
#endif

namespace ProtoBench.Schemas;

/// <summary>Streams of messages, each behind its length as a varint: what <c>writeDelimitedTo</c> of protobuf's libraries writes.</summary>
public static class DelimitedPayload
{
    /// <summary>Takes a stream apart.</summary>
    /// <param name="stream">The whole stream.</param>
    /// <param name="source">What an error names: the file.</param>
    /// <exception cref="SchemaException">A length or a message is cut off; the message has its offset.</exception>
    public static IReadOnlyList<byte[]> Split(ReadOnlySpan<byte> stream, string source)
    {
        var messages = new List<byte[]>();
        for (var at = 0; at < stream.Length;)
        {
            var start = at;
            if (WireWalk.Varint(stream, ref at) is not { } length)
                throw new SchemaException(
                    $"{source}: the length at byte {start} (message {messages.Count}) is cut off or has more than ten bytes");
            if (length > (ulong)(stream.Length - at))
                throw new SchemaException(
                    $"{source}: message {messages.Count} at byte {start} has {length} bytes, but only {stream.Length - at} follow");
            messages.Add(stream.Slice(at, (int)length).ToArray());
            at += (int)length;
        }

        return messages;
    }
}

using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace ProtoBench.Rpc.Marshallers;

/// <summary>System.Text.Json with source generation. It cannot measure without
/// writing, so each thread keeps the bytes of its last measurement.</summary>
/// <param name="type">The generated metadata of the type.</param>
public sealed class JsonMarshaller<T>(JsonTypeInfo<T> type) : Marshaller<T>
    where T : class
{
    [ThreadStatic]
    static ArrayBufferWriter<byte>? written;

    [ThreadStatic]
    static Utf8JsonWriter? writer;

    [ThreadStatic]
    static T? measured;

    /// <inheritdoc/>
    public override int Measure(T message)
    {
        written ??= new();
        writer ??= new(written);
        written.ResetWrittenCount();
        writer.Reset(written);
        JsonSerializer.Serialize(writer, message, type);
        measured = message;
        return written.WrittenCount;
    }

    /// <inheritdoc/>
    public override void Write(T message, int size, IBufferWriter<byte> output)
    {
        if (!ReferenceEquals(measured, message))
            Measure(message);
        output.Write(written!.WrittenSpan);
        measured = null; // it may be another message by the next time
    }

    /// <inheritdoc/>
    public override T Read(in ReadOnlySequence<byte> payload)
    {
        var reader = new Utf8JsonReader(payload);
        return JsonSerializer.Deserialize(ref reader, type) ?? throw new JsonException("null is no message");
    }
}

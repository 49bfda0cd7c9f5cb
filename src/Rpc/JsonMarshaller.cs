using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace ProtoBench.Rpc;

/// <summary>It cannot measure without writing, so each thread keeps the bytes of its last measurement.</summary>
public sealed class JsonMarshaller<T>(JsonTypeInfo<T> type) : Marshaller<T>
    where T : class
{
    [ThreadStatic]
    static ArrayBufferWriter<byte>? written;

    [ThreadStatic]
    static Utf8JsonWriter? writer;

    [ThreadStatic]
    static T? measured;

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

    public override void Write(T message, int size, IBufferWriter<byte> output)
    {
        if (!ReferenceEquals(measured, message))
            Measure(message);
        output.Write(written!.WrittenSpan);
        measured = null; // the message may be another one at the next call
    }

    public override T Read(in ReadOnlySequence<byte> payload)
    {
        var reader = new Utf8JsonReader(payload);
        return JsonSerializer.Deserialize(ref reader, type) ?? throw new JsonException("null is no message");
    }
}

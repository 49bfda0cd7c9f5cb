using System.Buffers;
using System.IO.Pipelines;
using System.Text;
using System.Text.Json;
using ProtoBench.Codec;
using ProtoBench.Testing;

namespace ProtoBench.Conformance;

/// <summary>Specifies how the codec gets its input, and how it hands out what it writes.</summary>
enum Form
{
    Copy,
    Alias,
    Segments,
    AliasSegments,
    Stream,
    Pipe,
}

static class Forms
{
    // short enough that most fields cross a border
    const int segmentLength = 3;

    public static IReadOnlyList<Form> All { get; } = Enum.GetValues<Form>();

    public static T Parse<T>(this Form form, Message<T> message, byte[] wire)
        where T : struct, ISlabMessage<T> => form switch
        {
            Form.Copy => message.Parse(wire.AsSpan()),
            Form.Alias => message.ParseAlias(wire),
            Form.Segments => message.Parse(Segments.Every(wire, segmentLength)),
            Form.AliasSegments => message.ParseAlias(Segments.Every(wire, segmentLength)),
            Form.Stream => message.Parse(new BufferedStream(new MemoryStream(wire), segmentLength)),
            _ => message.ParseAsync(PipeReader.Create(Segments.Every(wire, segmentLength))).AsTask().GetAwaiter().GetResult(),
        };

    public static T ParseJson<T>(this Form form, Message<T> message, string json, ProtoJsonOptions options)
        where T : struct, ISlabMessage<T>
    {
        var utf8 = Encoding.UTF8.GetBytes(json);
        return form switch
        {
            Form.Copy => message.ParseJson(utf8.AsSpan(), options),
            Form.Alias => message.ParseJson(json, options),
            Form.Segments => message.ParseJson(Segments.Every(utf8, segmentLength), options),
            Form.AliasSegments => message.MergeJson(utf8.AsSpan(), options),
            Form.Stream => message.ParseJson(new BufferedStream(new MemoryStream(utf8), segmentLength), options),
            _ => message.ParseJsonAsync(new MemoryStream(utf8), options).AsTask().GetAwaiter().GetResult(),
        };
    }

    public static byte[] Write<T>(this Form form, Message<T> message)
        where T : struct, ISlabMessage<T>
    {
        var buffer = new ArrayBufferWriter<byte>();
        var stream = new MemoryStream();
        switch (form)
        {
            case Form.Copy:
                return message.ToByteArray();
            case Form.Alias:
                var bytes = new byte[message.CalculateSize()];
                message.WriteTo(bytes);
                return bytes;
            case Form.Segments or Form.AliasSegments:
                message.WriteTo(buffer);
                return buffer.WrittenSpan.ToArray();
            case Form.Stream:
                message.WriteTo(stream);
                return stream.ToArray();
            default:
                message.WriteToAsync(PipeWriter.Create(stream)).AsTask().GetAwaiter().GetResult();
                return stream.ToArray();
        }
    }

    public static string WriteJson<T>(this Form form, T message, ProtoJsonOptions options)
        where T : struct, ISlabMessage<T>
    {
        if (form is Form.Copy or Form.Alias) return message.ToJson(options);
        var buffer = new ArrayBufferWriter<byte>();
        if (form is Form.Segments or Form.AliasSegments)
        {
            message.WriteJson(buffer, options);
        }
        else
        {
            using var writer = new Utf8JsonWriter(buffer);
            message.WriteJson(writer, options);
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }
}

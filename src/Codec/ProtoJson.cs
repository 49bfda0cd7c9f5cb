using System.Buffers;
using System.Text;
using System.Text.Json;
using ProtoBench.Allocators;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec;

/// <summary>Provides methods that write messages in ProtoJSON, the JSON of protobuf: https://protobuf.dev/programming-guides/json. There is
/// no method that reads it.</summary>
/// <remarks>
/// <para>Unknown fields are left out. A string that is not UTF-8 (proto2 allows it, and aliased input may have changed) has U+FFFD in the
/// place of its invalid bytes.</para>
/// <para>Thread safety: any number of threads may write one message.</para>
/// </remarks>
public static class ProtoJson
{
    /// <summary>Writes a message. Without an indentation there are no spaces between the values. The message may be a part of another
    /// message. Characters that have a meaning in HTML are escaped.</summary>
    /// <param name="message">The message.</param>
    /// <param name="output">The target. If this method throws, a part of the message may have been written.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="InvalidOperationException">A message of a well-known type has a value that has no JSON, or an Any has a message of
    /// a type that is not among the types of the options, or 100 messages of type Any are in each other.</exception>
    /// <exception cref="WireFormatException">An Any contains something else than a message of its type.</exception>
    /// <exception cref="InsufficientExecutionStackException">Messages are nested too deep.</exception>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again, before or during the call. The target
    /// has nothing of another message.</exception>
    public static void WriteJson<T>(this T message, IBufferWriter<byte> output, ProtoJsonOptions? options = null)
        where T : struct, ISlabMessage<T>
    {
        ArgumentNullException.ThrowIfNull(output);
        JsonPrinter.Print(output, message, options, options?.IndentationBytes);
    }

    /// <summary>Writes a message, which may be a part of another one, as one value. Nothing is flushed. The writer's indentation and
    /// encoder are used, if it has any; each of them takes further time and memory. The indentation of the options is not used.</summary>
    /// <remarks>Allocates one small object.</remarks>
    /// <param name="message">The message.</param>
    /// <param name="writer">The target. If the message cannot be written, it gets nothing.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <inheritdoc cref="WriteJson{T}(T, IBufferWriter{byte}, ProtoJsonOptions?)" path="/exception"/>
    public static void WriteJson<T>(this T message, Utf8JsonWriter writer, ProtoJsonOptions? options = null)
        where T : struct, ISlabMessage<T>
    {
        ArgumentNullException.ThrowIfNull(writer);
        using var output = new SlabBufferWriter();
        JsonPrinter.Print(output, message, options, indentation: null);
        var json = output.GetWrittenSequence();
        if (writer.Options is { Indented: false, Encoder: null })
        {
            writer.WriteRawValue(json, skipInputValidation: true);
            return;
        }

        using var document = JsonDocument.Parse(json, new() { MaxDepth = int.MaxValue });
        document.RootElement.WriteTo(writer);
    }

    /// <summary>Gets the JSON of a message as a string.</summary>
    /// <inheritdoc cref="WriteJson{T}(T, IBufferWriter{byte}, ProtoJsonOptions?)"/>
    public static string ToJson<T>(this T message, ProtoJsonOptions? options = null)
        where T : struct, ISlabMessage<T>
    {
        using var output = new SlabBufferWriter();
        JsonPrinter.Print(output, message, options, options?.IndentationBytes);
        return Encoding.UTF8.GetString(output.GetWrittenSequence());
    }
}

/// <summary>Specifies how messages are written in JSON.</summary>
/// <remarks>Thread safety: any number of threads may use an instance.</remarks>
public sealed class ProtoJsonOptions
{
    readonly string? indentation;

    /// <summary>Gets a value that indicates whether fields without presence are written even if they have their default value: zeros, empty
    /// strings, empty lists and empty maps. Fields with presence are written only if they are set: messages, fields of a oneof, and those
    /// that are "optional" or of proto2.</summary>
    public bool WriteDefaults { get; init; }

    /// <summary>Gets a value that indicates whether fields have their names of the .proto file, and not those in camel case or of the
    /// option "json_name". The paths of a FieldMask stay in camel case.</summary>
    public bool PreserveProtoFieldNames { get; init; }

    /// <summary>Gets a value that indicates whether values of enums are numbers, and not names. A NullValue stays null.</summary>
    public bool FormatEnumsAsIntegers { get; init; }

    /// <summary>Gets the text that is written once for each level at the beginning of a line; null for JSON on one line and without
    /// spaces. With an empty text there are lines, but no spaces before them.</summary>
    /// <remarks>Each name, and each value of a list, has a line. A line ends with "\n" on each system.</remarks>
    /// <exception cref="ArgumentException">The text has other characters than spaces and tabs.</exception>
    public string? Indentation
    {
        get => indentation;
        init
        {
            if (value.AsSpan().ContainsAnyExcept(' ', '\t'))
                throw new ArgumentException("An indentation of JSON can have only spaces and tabs.", nameof(value));
            indentation = value;
            IndentationBytes = value is null ? null : Encoding.ASCII.GetBytes(value);
        }
    }

    /// <summary>Gets the types of the messages that an Any may contain, in addition to the well-known types.</summary>
    public ProtoJsonTypes? Types { get; init; }

    internal byte[]? IndentationBytes { get; private init; }
}

using System.Buffers;
using System.Text;
using System.Text.Json;
using ProtoBench.Allocators;
using ProtoBench.Codec.Reflection;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec;

/// <summary>Provides methods that read and write messages in ProtoJSON, the JSON of protobuf:
/// https://protobuf.dev/programming-guides/json.</summary>
/// <remarks>
/// <para>A text is read by the specification: names in camel case or as in the .proto file, numbers also in quotes, base64 of both
/// alphabets. A name or a key that is given twice is refused, and so are two fields of a oneof, and text that is not UTF-8 or not JSON.
/// The limits are those of the binary form: <see cref="ParseLimits"/>. The memory is in proportion to the text. It is rented, so that a
/// steady state allocates nothing.</para>
/// <para>In what is written, unknown fields are left out. A string that is not UTF-8 (proto2 allows it, and aliased input may have changed)
/// has U+FFFD in the place of its invalid bytes.</para>
/// <para>Thread safety: any number of threads may write one message. Reading into a message requires exclusive access.</para>
/// </remarks>
public static class ProtoJson
{
    /// <summary>Reads a message, and replaces the content of a message by it.</summary>
    /// <param name="message">The message.</param>
    /// <param name="json">The text, in UTF-8, with or without a byte order mark.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <returns>The view of the content, as <see cref="Message{T}.Value"/>.</returns>
    /// <exception cref="ProtoJsonException">The text is not a message of this type, or lacks a required field of proto2, or exceeds
    /// <see cref="ParseLimits"/>. The message is then empty.</exception>
    /// <exception cref="InsufficientMemoryException">The text or the message has more than 2 GiB, or a repeated field has more than 2^30
    /// elements.</exception>
    /// <exception cref="SlabPoolExhaustedException">The pool is at its limit. The message is then empty.</exception>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public static T ParseJson<T>(this Message<T> message, ReadOnlySpan<byte> json, ProtoJsonOptions? options = null)
        where T : struct, ISlabMessage<T>
    {
        try
        {
            return Read(message, json, options, isMerge: false);
        }
        catch (ProtoJsonException)
        {
            message.Clear();
            throw;
        }
    }

    /// <inheritdoc cref="ParseJson{T}(Message{T}, ReadOnlySpan{byte}, ProtoJsonOptions?)"/>
    public static T ParseJson<T>(this Message<T> message, in ReadOnlySequence<byte> json, ProtoJsonOptions? options = null)
        where T : struct, ISlabMessage<T>
    {
        if (json.IsSingleSegment) return message.ParseJson(json.FirstSpan, options);
        using var text = new RentedText(json);
        return message.ParseJson(text.Utf8, options);
    }

    /// <inheritdoc cref="ParseJson{T}(Message{T}, ReadOnlySpan{byte}, ProtoJsonOptions?)"/>
    /// <param name="message">The message.</param>
    /// <param name="json">The text.</param>
    /// <param name="options">The options; null for the defaults.</param>
    public static T ParseJson<T>(this Message<T> message, ReadOnlySpan<char> json, ProtoJsonOptions? options = null)
        where T : struct, ISlabMessage<T>
    {
        using var text = new RentedText(json);
        return message.ParseJson(text.Utf8, options);
    }

    /// <summary>Reads a stream to its end, and replaces the content of a message by the message that it has. The stream is not closed. Its
    /// exceptions are passed on.</summary>
    /// <param name="message">The message.</param>
    /// <param name="json">The text, in UTF-8, with or without a byte order mark.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <inheritdoc cref="ParseJson{T}(Message{T}, ReadOnlySpan{byte}, ProtoJsonOptions?)"/>
    public static T ParseJson<T>(this Message<T> message, Stream json, ProtoJsonOptions? options = null)
        where T : struct, ISlabMessage<T>
    {
        ArgumentNullException.ThrowIfNull(json);
        using var text = new RentedText(json);
        return message.ParseJson(text.Utf8, options);
    }

    /// <summary>Waits until a stream has ended, and replaces the content of a message by the message that it has. The stream is not closed.
    /// Its exceptions are passed on. The message requires exclusive access until the task has completed.</summary>
    /// <param name="message">The message.</param>
    /// <param name="json">The text, in UTF-8, with or without a byte order mark.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <param name="cancellation">The token to cancel the wait.</param>
    /// <exception cref="OperationCanceledException">The wait was canceled. The message is unchanged.</exception>
    /// <inheritdoc cref="ParseJson{T}(Message{T}, ReadOnlySpan{byte}, ProtoJsonOptions?)"/>
    public static async ValueTask<T> ParseJsonAsync<T>(this Message<T> message, Stream json, ProtoJsonOptions? options = null,
        CancellationToken cancellation = default)
        where T : struct, ISlabMessage<T>
    {
        ArgumentNullException.ThrowIfNull(json);
        using var text = await RentedText.ReadAsync(json, cancellation).ConfigureAwait(false);
        return message.ParseJson(text.Utf8, options);
    }

    /// <summary>Reads a message and merges it into a message, as <see cref="Message{T}.MergeFrom(ReadOnlySpan{byte})"/> does with its
    /// binary form: scalars are replaced, sub-messages are merged, and elements are added to repeated fields. Views that were taken before
    /// become invalid.</summary>
    /// <param name="message">The message.</param>
    /// <param name="json">The text, in UTF-8, with or without a byte order mark.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <returns>The view of the content, as <see cref="Message{T}.Value"/>.</returns>
    /// <exception cref="ProtoJsonException">The text is not a message of this type. The message is then unchanged. Or a required field of
    /// proto2 is missing, or the limit of memory is exceeded: the fields are then merged.</exception>
    /// <exception cref="InsufficientMemoryException">The message has more than 2 GiB, or a repeated field has more than 2^30
    /// elements.</exception>
    /// <exception cref="SlabPoolExhaustedException">The pool is at its limit.</exception>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public static T MergeJson<T>(this Message<T> message, ReadOnlySpan<byte> json, ProtoJsonOptions? options = null)
        where T : struct, ISlabMessage<T> =>
        Read(message, json, options, isMerge: true);

    /// <inheritdoc cref="MergeJson{T}(Message{T}, ReadOnlySpan{byte}, ProtoJsonOptions?)"/>
    public static T MergeJson<T>(this Message<T> message, in ReadOnlySequence<byte> json, ProtoJsonOptions? options = null)
        where T : struct, ISlabMessage<T>
    {
        if (json.IsSingleSegment) return message.MergeJson(json.FirstSpan, options);
        using var text = new RentedText(json);
        return message.MergeJson(text.Utf8, options);
    }

    /// <inheritdoc cref="MergeJson{T}(Message{T}, ReadOnlySpan{byte}, ProtoJsonOptions?)"/>
    /// <param name="message">The message.</param>
    /// <param name="json">The text.</param>
    /// <param name="options">The options; null for the defaults.</param>
    public static T MergeJson<T>(this Message<T> message, ReadOnlySpan<char> json, ProtoJsonOptions? options = null)
        where T : struct, ISlabMessage<T>
    {
        using var text = new RentedText(json);
        return message.MergeJson(text.Utf8, options);
    }

    /// <summary>Converts a message of any type from ProtoJSON to its binary form. The fields are in the order of their numbers, and
    /// required fields may be missing.</summary>
    /// <param name="type">The type of the message, which needs no generated code.</param>
    /// <param name="json">The text, in UTF-8, with or without a byte order mark.</param>
    /// <param name="output">The target. If this method throws, it has nothing of the message.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="ProtoJsonException">The text is not a message of this type.</exception>
    /// <exception cref="InsufficientMemoryException">The message has more than 2 GiB.</exception>
    public static void WriteBinary(MessageDescriptor type, ReadOnlySpan<byte> json, IBufferWriter<byte> output,
        ProtoJsonOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(output);
        var reader = new JsonReader(json, options);
        try
        {
            output.Write(reader.Read(type));
        }
        finally
        {
            reader.Dispose();
        }
    }

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
        if (options?.IndentationBytes is not { } indentation)
        {
            JsonPrinter.Print(output, message, options);
            return;
        }

        using var line = new SlabBufferWriter();
        JsonPrinter.Print(line, message, options);
        JsonLines.Write(line.GetWrittenSequence(), indentation, output);
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
        JsonPrinter.Print(output, message, options);
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
        message.WriteJson(output, options);
        return Encoding.UTF8.GetString(output.GetWrittenSequence());
    }

    static T Read<T>(Message<T> message, ReadOnlySpan<byte> json, ProtoJsonOptions? options, bool isMerge)
        where T : struct, ISlabMessage<T>
    {
        var reader = new JsonReader(json, options);
        try
        {
            var bytes = reader.Read(T.Descriptor);
            return isMerge ? message.MergeFrom(bytes) : message.Parse(bytes);
        }
        catch (WireFormatException e)
        {
            // a required field is missing, or a limit is exceeded
            throw new ProtoJsonException(e.Message.TrimEnd('.'), JsonPlace.Of(json, json.Length), e);
        }
        finally
        {
            reader.Dispose();
        }
    }
}

/// <summary>Specifies how messages are read and written in JSON.</summary>
/// <remarks>Thread safety: any number of threads may use an instance.</remarks>
public sealed class ProtoJsonOptions
{
    readonly string? indentation;

    /// <summary>Gets a value that indicates whether fields without presence are written even if they have their default value: zeros, empty
    /// strings, empty lists and empty maps. Fields with presence are written only if they are set: messages, fields of a oneof, and those
    /// that are "optional" or of proto2.</summary>
    public bool WriteDefaults { get; init; }

    /// <summary>Gets a value that indicates whether a text may have names that the message type has not. Their values are checked and
    /// dropped, and so are the names of values that an enum has not.</summary>
    public bool IgnoreUnknownFields { get; init; }

    /// <summary>Gets a value that indicates whether fields have their names of the .proto file, and not those in camel case or of the
    /// option "json_name". The paths of a FieldMask stay in camel case.</summary>
    public bool PreserveProtoFieldNames { get; init; }

    /// <summary>Gets a value that indicates whether values of enums are numbers, and not names. A NullValue stays null.</summary>
    public bool FormatEnumsAsIntegers { get; init; }

    /// <summary>Gets the text that is written once for each level at the beginning of a line; null for JSON on one line and without
    /// spaces. With an empty text there are lines, but no spaces before them.</summary>
    /// <remarks>Each name, and each value of a list, has a line. A line ends with "\n" on each system. The lines are made in a second pass,
    /// with memory for the text and one small object.</remarks>
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

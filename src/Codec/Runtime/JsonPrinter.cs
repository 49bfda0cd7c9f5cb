using System.Buffers;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Unicode;
using ProtoBench.Codec.WellKnownTypes;

namespace ProtoBench.Codec.Generated;

/// <summary>Prints a message in ProtoJSON: https://protobuf.dev/programming-guides/json.</summary>
/// <param name="writer">The target.</param>
/// <param name="options">The options; null for the defaults.</param>
/// <param name="output">The buffers of the writer, if they belong to the codec.</param>
struct JsonPrinter(Utf8JsonWriter writer, ProtoJsonOptions? options, JsonOutput? output) : IPrinter
{
    // the digits of a 64-bit number, and its sign
    const int longestNumber = 20;

    // How many messages of type Any contain the one that is printed. Each is parsed of its own, so no parser counts them.
    int anyDepth;

    // Whether the next message is in the object that is already begun.
    bool isBegun;

    /// <inheritdoc/>
    public readonly bool IsJson => true;

    /// <inheritdoc/>
    public readonly bool WritesDefaults { get; } = options is { WriteDefaults: true };

    /// <inheritdoc/>
    public readonly void Watch(Storage storage, int stamp) => output?.Watch(storage, stamp);

    /// <inheritdoc/>
    public readonly void Name(string text, ReadOnlySpan<byte> json) => writer.WritePropertyName(json);

    /// <inheritdoc/>
    public readonly void Value<T>(T value)
        where T : unmanaged
    {
        if (typeof(T) == typeof(int)) writer.WriteNumberValue(Unsafe.BitCast<T, int>(value));
        else if (typeof(T) == typeof(uint)) writer.WriteNumberValue(Unsafe.BitCast<T, uint>(value));
        else if (typeof(T) == typeof(bool)) writer.WriteBooleanValue(Unsafe.BitCast<T, bool>(value));
        else if (typeof(T) == typeof(float) && float.IsFinite(Unsafe.BitCast<T, float>(value)))
            writer.WriteNumberValue(Unsafe.BitCast<T, float>(value));
        else if (typeof(T) == typeof(double) && double.IsFinite(Unsafe.BitCast<T, double>(value)))
            writer.WriteNumberValue(Unsafe.BitCast<T, double>(value));
        else writer.WriteStringValue(Format(value, stackalloc byte[longestNumber]));
    }

    /// <inheritdoc/>
    public readonly void Enum(ReadOnlySpan<byte> name, int number)
    {
        if (name.IsEmpty) writer.WriteNumberValue(number);
        else writer.WriteStringValue(name);
    }

    /// <inheritdoc/>
    public readonly void Null(ReadOnlySpan<byte> name, int number) => writer.WriteNullValue();

    /// <inheritdoc/>
    public readonly void String(ReadOnlySpan<byte> utf8) => writer.WriteStringValue(utf8);

    /// <inheritdoc/>
    public readonly void Bytes(ReadOnlySpan<byte> value) => writer.WriteBase64StringValue(value);

    /// <inheritdoc/>
    public readonly void List<T>(ReadOnlySpan<T> values)
        where T : unmanaged
    {
        writer.WriteStartArray();
        foreach (var value in values) Value(value);
        writer.WriteEndArray();
    }

    /// <inheritdoc/>
    public readonly void Strings(MessageMemory memory, ReadOnlySpan<ByteRange> values)
    {
        writer.WriteStartArray();
        foreach (var value in values) writer.WriteStringValue(memory.Span(value));
        writer.WriteEndArray();
    }

    /// <inheritdoc/>
    public readonly void BytesList(MessageMemory memory, ReadOnlySpan<ByteRange> values)
    {
        writer.WriteStartArray();
        foreach (var value in values) writer.WriteBase64StringValue(memory.Span(value));
        writer.WriteEndArray();
    }

    /// <inheritdoc/>
    public readonly void BeginList() => writer.WriteStartArray();

    /// <inheritdoc/>
    public readonly void EndList() => writer.WriteEndArray();

    /// <inheritdoc/>
    public readonly void BeginMap() => writer.WriteStartObject();

    /// <inheritdoc/>
    public readonly void EndMap() => writer.WriteEndObject();

    /// <inheritdoc/>
    public readonly string? BeginEntry() => null;

    /// <inheritdoc/>
    public readonly void Key<T>(T key)
        where T : unmanaged => writer.WritePropertyName(Format(key, stackalloc byte[longestNumber]));

    /// <inheritdoc/>
    public readonly void Key(ReadOnlySpan<byte> utf8) => writer.WritePropertyName(utf8);

    /// <inheritdoc/>
    public readonly void EndEntry(string? name)
    {
    }

    /// <inheritdoc/>
    public string? Begin()
    {
        if (!isBegun) writer.WriteStartObject();
        isBegun = false;
        return null;
    }

    /// <inheritdoc/>
    public readonly void End(string? name) => writer.WriteEndObject();

    /// <inheritdoc/>
    public readonly bool Timestamp(long seconds, int nanos)
    {
        Span<byte> text = stackalloc byte[32];
        TimestampConversions.ToDateTime(seconds, nanos).TryFormat(text, out var length, "s", CultureInfo.InvariantCulture);
        length += Fraction(text[length..], nanos);
        text[length++] = (byte)'Z';
        writer.WriteStringValue(text[..length]);
        return true;
    }

    /// <inheritdoc/>
    public readonly bool Duration(long seconds, int nanos)
    {
        DurationConversions.Check(seconds, nanos);
        Span<byte> text = stackalloc byte[32];
        var length = 0;
        if (seconds < 0 || nanos < 0) text[length++] = (byte)'-';
        Math.Abs(seconds).TryFormat(text[length..], out var digits, default, CultureInfo.InvariantCulture);
        length += digits;
        length += Fraction(text[length..], Math.Abs(nanos));
        text[length++] = (byte)'s';
        writer.WriteStringValue(text[..length]);
        return true;
    }

    /// <inheritdoc/>
    public readonly bool FieldMask(MessageMemory memory, ReadOnlySpan<ByteRange> paths)
    {
        // checked first, because a string that is begun cannot be left
        foreach (var path in paths) CheckPath(memory.Span(path));
        for (var i = 0; i < paths.Length; i++)
        {
            if (i > 0) writer.WriteStringValueSegment(","u8, isFinalSegment: false);
            var rest = memory.Span(paths[i]);
            for (var at = rest.IndexOf((byte)'_'); at >= 0; at = rest.IndexOf((byte)'_'))
            {
                writer.WriteStringValueSegment(rest[..at], isFinalSegment: false);
                writer.WriteStringValueSegment([(byte)(rest[at + 1] - 'a' + 'A')], isFinalSegment: false);
                rest = rest[(at + 2)..];
            }

            writer.WriteStringValueSegment(rest, isFinalSegment: false);
        }

        writer.WriteStringValueSegment(""u8, isFinalSegment: true);
        return true;
    }

    /// <inheritdoc/>
    public bool Any(ReadOnlySpan<byte> typeUrl, ReadOnlySpan<byte> value)
    {
        writer.WriteStartObject();
        if (typeUrl.IsEmpty && value.IsEmpty)
        {
            writer.WriteEndObject();
            return true;
        }

        if (ProtoJsonTypes.Find(options?.Types, typeUrl) is not { } type) throw UnknownType(typeUrl);
        WireSize.ThrowIfTooDeep(++anyDepth);
        RuntimeHelpers.EnsureSufficientExecutionStack();
        writer.WriteString("@type"u8, typeUrl);
        if (type.HasOwnForm)
        {
            writer.WritePropertyName("value"u8);
            type.Print(ref this, value);
            writer.WriteEndObject();
        }
        else
        {
            isBegun = true;
            type.Print(ref this, value);
        }

        anyDepth--;
        return true;
    }

    /// <inheritdoc/>
    public readonly bool IsBare(bool isSet, double number)
    {
        if (!isSet) throw new InvalidOperationException("A google.protobuf.Value without a value has no JSON.");
        if (!double.IsFinite(number))
            throw new InvalidOperationException("A google.protobuf.Value with a number that is not finite has no JSON.");
        return true;
    }

    /// <summary>Formats what is a string in JSON: a key, a 64-bit number, or a number that is not finite.</summary>
    static ReadOnlySpan<byte> Format<T>(T value, Span<byte> target)
        where T : unmanaged
    {
        if (typeof(T) == typeof(bool)) return Unsafe.BitCast<T, bool>(value) ? "true"u8 : "false"u8;
        if (typeof(T) == typeof(float)) return NotFinite(Unsafe.BitCast<T, float>(value));
        if (typeof(T) == typeof(double)) return NotFinite(Unsafe.BitCast<T, double>(value));
        int length;
        if (typeof(T) == typeof(long)) Unsafe.BitCast<T, long>(value).TryFormat(target, out length, default, CultureInfo.InvariantCulture);
        else if (typeof(T) == typeof(ulong))
            Unsafe.BitCast<T, ulong>(value).TryFormat(target, out length, default, CultureInfo.InvariantCulture);
        else if (typeof(T) == typeof(uint))
            Unsafe.BitCast<T, uint>(value).TryFormat(target, out length, default, CultureInfo.InvariantCulture);
        else Unsafe.BitCast<T, int>(value).TryFormat(target, out length, default, CultureInfo.InvariantCulture);
        return target[..length];
    }

    static ReadOnlySpan<byte> NotFinite(double value) => double.IsNaN(value) ? "NaN"u8 : value > 0 ? "Infinity"u8 : "-Infinity"u8;

    /// <summary>Writes a fraction of a second with 0, 3, 6 or 9 digits.</summary>
    static int Fraction(Span<byte> target, int nanos)
    {
        if (nanos == 0) return 0;
        target[0] = (byte)'.';
        nanos.TryFormat(target[1..], out _, "D9", CultureInfo.InvariantCulture);
        return nanos % 1_000_000 == 0 ? 4 : nanos % 1_000 == 0 ? 7 : 10;
    }

    /// <summary>Checks that a path of a field mask is the same after it was written in camel case and read again.</summary>
    static void CheckPath(ReadOnlySpan<byte> path)
    {
        for (var i = 0; i < path.Length; i++)
        {
            if (path[i] is >= (byte)'A' and <= (byte)'Z'
                || (path[i] == '_' && (i + 1 == path.Length || path[i + 1] is not (>= (byte)'a' and <= (byte)'z'))))
                throw new InvalidOperationException(
                    $"A google.protobuf.FieldMask with the path '{Encoding.UTF8.GetString(path)}' has no JSON.");
        }
    }

    static InvalidOperationException UnknownType(ReadOnlySpan<byte> typeUrl) =>
        new($"An Any has a message of the type URL '{Encoding.UTF8.GetString(typeUrl)}', which is not in the types of the options.");
}

/// <summary>Passes JSON from a recycled writer to a buffer writer, as long as the message has the content that is printed. Each thread
/// keeps one instance.</summary>
sealed class JsonOutput : IBufferWriter<byte>
{
    // The printer writes valid JSON, and its own checks end nesting that is too deep.
    static readonly JsonWriterOptions options =
        new() { Encoder = JavaScriptEncoder.Create(UnicodeRanges.All), SkipValidation = true, MaxDepth = int.MaxValue };

    [ThreadStatic]
    static JsonOutput? spare;

    readonly Utf8JsonWriter writer;
    IBufferWriter<byte>? target;
    Storage? root;
    int stamp;

    JsonOutput() => writer = new(this, options);

    /// <summary>Prints a message.</summary>
    public static void Write<T>(IBufferWriter<byte> target, T message, ProtoJsonOptions? options)
        where T : struct, ISlabMessage<T>
    {
        // The target may print another message when it is asked for memory.
        var output = spare ?? new();
        spare = null;
        output.target = target;
        try
        {
            var printer = new JsonPrinter(output.writer, options, output);
            T.Print(ref printer, message);
            output.writer.Flush();
        }
        finally
        {
            output.writer.Reset();
            (output.target, output.root) = (null, null);
            spare = output;
        }
    }

    /// <summary>Sets the content that is printed. What an Any contains is a copy that nobody else can release.</summary>
    public void Watch(Storage storage, int stamp)
    {
        if (root is null) (root, this.stamp) = (storage, stamp);
    }

    public void Advance(int count)
    {
        root!.ThrowIfEmptied(stamp);
        target!.Advance(count);
    }

    public Memory<byte> GetMemory(int sizeHint = 0) => target!.GetMemory(sizeHint);

    public Span<byte> GetSpan(int sizeHint = 0) => target!.GetSpan(sizeHint);
}

using System.ComponentModel;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace ProtoBench.Codec.Runtime;

/// <summary>Prints a message in protobuf's text format, in one line, for logs:
/// https://protobuf.dev/reference/protobuf/textformat-spec. Unknown fields are left out.</summary>
/// <remarks>Thread safety: an instance is not thread-safe.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct TextPrinter : IPrinter
{
    readonly StringBuilder text;
    string? name;

    // The outermost message has no braces.
    int depth = -1;

    TextPrinter(StringBuilder text) => this.text = text;

    /// <inheritdoc/>
    public readonly bool IsJson => false;

    /// <inheritdoc/>
    public readonly bool WritesDefaults => false;

    /// <summary>Gets the text of a message.</summary>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    /// <exception cref="InsufficientExecutionStackException">Messages are nested too deep.</exception>
    public static string Print<T>(T message)
        where T : struct, ISlabMessage<T>
    {
        var text = new StringBuilder();
        var printer = new TextPrinter(text);
        T.Print(ref printer, message);
        return text.ToString();
    }

    /// <summary>Gets the text of a message for the debugger's display, or the reason why there is no text.</summary>
    /// <param name="storage">The storage of the view; null for the default value, which refers to no message.</param>
    /// <param name="index">The index of the view.</param>
    /// <param name="message">The view.</param>
    /// <typeparam name="T">The message type.</typeparam>
    public static string ForDebugger<T>(Storage? storage, int index, T message)
        where T : struct, ISlabMessage<T>
    {
        if (storage is null) return "default: no message";
        try
        {
            var text = message.ToString()!;
            return index == 0 ? "not set" : text;
        }
        catch (ObjectDisposedException)
        {
            return "released, cleared or parsed again";
        }
        catch (InsufficientExecutionStackException)
        {
            return "nested too deep";
        }
    }

    /// <inheritdoc/>
    public readonly void Watch(Storage storage, int stamp)
    {
    }

    /// <inheritdoc/>
    public void Name(string text, ReadOnlySpan<byte> json) => name = text;

    /// <inheritdoc/>
    public void Name(string text, ReadOnlySpan<byte> json, string field) => name = text;

    /// <inheritdoc/>
    public readonly void Value<T>(T value)
        where T : unmanaged
    {
        Label();
        if (typeof(T) == typeof(bool)) text.Append(Unsafe.BitCast<T, bool>(value) ? "true" : "false");
        else if (typeof(T) == typeof(float) && NotFinite(Unsafe.BitCast<T, float>(value)) is { } single) text.Append(single);
        else if (typeof(T) == typeof(double) && NotFinite(Unsafe.BitCast<T, double>(value)) is { } real) text.Append(real);
        else text.Append(CultureInfo.InvariantCulture, $"{value}");
    }

    /// <inheritdoc/>
    public readonly void Enum(ReadOnlySpan<byte> name, int number)
    {
        if (name.IsEmpty)
        {
            Value(number);
            return;
        }

        Label();
        foreach (var letter in name) text.Append((char)letter);
    }

    /// <inheritdoc/>
    public readonly void Null(ReadOnlySpan<byte> name, int number) => Enum(name, number);

    /// <inheritdoc/>
    public readonly void String(ReadOnlySpan<byte> utf8) => Bytes(utf8);

    /// <inheritdoc/>
    public readonly void Bytes(ReadOnlySpan<byte> value)
    {
        Label();
        text.Append('"');
        foreach (var b in value)
        {
            if (b is (byte)'"' or (byte)'\\') text.Append('\\').Append((char)b);
            else if (b is >= 0x20 and < 0x7F) text.Append((char)b);
            else text.Append('\\').Append((char)('0' + (b >> 6))).Append((char)('0' + ((b >> 3) & 7))).Append((char)('0' + (b & 7)));
        }

        text.Append('"');
    }

    /// <inheritdoc/>
    public readonly void List<T>(ReadOnlySpan<T> values)
        where T : unmanaged
    {
        foreach (var value in values) Value(value);
    }

    /// <inheritdoc/>
    public readonly void Strings(MessageMemory memory, ReadOnlySpan<ByteRange> values) => BytesList(memory, values);

    /// <inheritdoc/>
    public readonly void BytesList(MessageMemory memory, ReadOnlySpan<ByteRange> values)
    {
        ArgumentNullException.ThrowIfNull(memory);
        foreach (var value in values) Bytes(memory.Span(value));
    }

    /// <inheritdoc/>
    public readonly void BeginList()
    {
    }

    /// <inheritdoc/>
    public readonly void EndList()
    {
    }

    /// <inheritdoc/>
    public readonly void BeginMap()
    {
    }

    /// <inheritdoc/>
    public readonly void EndMap()
    {
    }

    /// <inheritdoc/>
    public string? BeginEntry() => Begin();

    /// <inheritdoc/>
    public void Key<T>(T key)
        where T : unmanaged
    {
        name = "key";
        if (!EqualityComparer<T>.Default.Equals(key, default)) Value(key);
        name = "value";
    }

    /// <inheritdoc/>
    public void Key(ReadOnlySpan<byte> utf8)
    {
        name = "key";
        if (!utf8.IsEmpty) Bytes(utf8);
        name = "value";
    }

    /// <inheritdoc/>
    public void EndEntry(string? name) => End(name);

    /// <inheritdoc/>
    public string? Begin()
    {
        if (depth >= 0) Next().Append(name).Append(" {");
        depth++;
        return name;
    }

    /// <inheritdoc/>
    public void End(string? name)
    {
        this.name = name;
        depth--;
        if (depth >= 0) text.Append(" }");
    }

    /// <inheritdoc/>
    public readonly bool Timestamp(long seconds, int nanos) => false;

    /// <inheritdoc/>
    public readonly bool Duration(long seconds, int nanos) => false;

    /// <inheritdoc/>
    public readonly bool FieldMask(MessageMemory memory, ReadOnlySpan<ByteRange> paths) => false;

    /// <inheritdoc/>
    public readonly bool Any(ReadOnlySpan<byte> typeUrl, ReadOnlySpan<byte> value) => false;

    /// <inheritdoc/>
    public readonly bool IsBare(bool isSet, double number) => false;

    static string? NotFinite(double value) =>
        double.IsNaN(value) ? "nan" : double.IsPositiveInfinity(value) ? "inf" : double.IsNegativeInfinity(value) ? "-inf" : null;

    readonly void Label() => Next().Append(name).Append(": ");

    readonly StringBuilder Next() => text.Length > 0 ? text.Append(' ') : text;
}

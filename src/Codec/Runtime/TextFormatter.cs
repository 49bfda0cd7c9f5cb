using System.ComponentModel;
using System.Globalization;
using System.Text;

namespace ProtoBench.Codec.Generated;

/// <summary>Prints a message in protobuf's text format, for logs:
/// https://protobuf.dev/reference/protobuf/textformat-spec. Unknown fields are left out.</summary>
/// <remarks>Thread safety: an instance is not thread-safe.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class TextFormatter
{
    readonly StringBuilder text = new();
    int depth;

    /// <summary>Prints a field of an integer type.</summary>
    public void Field(string name, long value) => Line(name, value.ToString(CultureInfo.InvariantCulture));

    /// <inheritdoc cref="Field(string, long)"/>
    public void Field(string name, ulong value) => Line(name, value.ToString(CultureInfo.InvariantCulture));

    /// <summary>Prints a float.</summary>
    public void Field(string name, float value) => Line(name, Real(value, value.ToString("R", CultureInfo.InvariantCulture)));

    /// <summary>Prints a double.</summary>
    public void Field(string name, double value) => Line(name, Real(value, value.ToString("R", CultureInfo.InvariantCulture)));

    /// <summary>Prints a bool.</summary>
    public void Field(string name, bool value) => Line(name, value ? "true" : "false");

    /// <summary>Prints an enum: the name of its value, or the number if the enum does not define the value.</summary>
    public void Field(string name, string? value, int number) => Line(name, value ?? number.ToString(CultureInfo.InvariantCulture));

    /// <summary>Prints a string or bytes.</summary>
    public void Field(string name, ReadOnlySpan<byte> value)
    {
        Name(name).Append(": \"");
        foreach (var b in value)
        {
            if (b is (byte)'"' or (byte)'\\') text.Append('\\').Append((char)b);
            else if (b is >= 0x20 and < 0x7F) text.Append((char)b);
            else text.Append('\\').Append((char)('0' + (b >> 6))).Append((char)('0' + ((b >> 3) & 7))).Append((char)('0' + (b & 7)));
        }

        text.Append("\"\n");
    }

    /// <summary>Begins a sub-message.</summary>
    public void Begin(string name)
    {
        Name(name).Append(" {\n");
        depth++;
    }

    /// <summary>Ends a sub-message.</summary>
    public void End()
    {
        depth--;
        text.Append(' ', 2 * depth).Append("}\n");
    }

    /// <summary>Gets the text of a message in one line for the debugger's display, or the reason why there is no text.</summary>
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
            var lines = message.ToString()!.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
            return index == 0 ? "not set" : string.Join(' ', lines);
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

    /// <summary>Gets the printed text.</summary>
    public override string ToString() => text.ToString();

    StringBuilder Name(string name) => text.Append(' ', 2 * depth).Append(name);

    void Line(string name, string value) => Name(name).Append(": ").Append(value).Append('\n');

    static string Real(double value, string text) =>
        double.IsNaN(value) ? "nan" : double.IsPositiveInfinity(value) ? "inf" : double.IsNegativeInfinity(value) ? "-inf" : text;
}

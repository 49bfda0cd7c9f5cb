using System.ComponentModel;

namespace ProtoBench.Codec.Runtime;

/// <summary>Represents a form in which generated code prints a message: protobuf's text format, or ProtoJSON. The code calls
/// <see cref="Name(string, ReadOnlySpan{byte})"/> for each field, and then one method for its value.</summary>
/// <remarks>Implementations are structs, so that a call is not virtual. Thread safety: an instance is not thread-safe.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IPrinter
{
    /// <summary>Gets a value that indicates whether the form is JSON, in which some well-known types have a form of their own.</summary>
    bool IsJson { get; }

    /// <summary>Gets a value that indicates whether fields without presence are printed with their default value.</summary>
    bool WritesDefaults { get; }

    /// <summary>Tells which content is printed. Nothing of it may leave the process after the message was emptied.</summary>
    void Watch(Storage storage, int stamp);

    /// <summary>Begins a field.</summary>
    /// <param name="text">The name in the text format, and in the .proto file.</param>
    /// <param name="json">The name in JSON, escaped, in quotes, and a colon.</param>
    void Name(string text, ReadOnlySpan<byte> json);

    /// <summary>Begins a field whose name in the text format is not that of the .proto file: a group has the name of its message.</summary>
    /// <param name="text">The name in the text format.</param>
    /// <param name="json">The name in JSON, escaped, in quotes, and a colon.</param>
    /// <param name="field">The name in the .proto file.</param>
    void Name(string text, ReadOnlySpan<byte> json, string field);

    /// <summary>Prints a number or a bool.</summary>
    void Value<T>(T value)
        where T : unmanaged;

    /// <summary>Prints an enum: the name of its value, or the number if the name is empty, because the enum does not define the
    /// value.</summary>
    void Enum(ReadOnlySpan<byte> name, int number);

    /// <summary>Prints a value of the enum google.protobuf.NullValue, which is null in JSON.</summary>
    void Null(ReadOnlySpan<byte> name, int number);

    /// <summary>Prints a string.</summary>
    void String(ReadOnlySpan<byte> utf8);

    /// <summary>Prints bytes.</summary>
    void Bytes(ReadOnlySpan<byte> value);

    /// <summary>Prints a repeated field of numbers or bools.</summary>
    void List<T>(ReadOnlySpan<T> values)
        where T : unmanaged;

    /// <summary>Prints a repeated field of strings.</summary>
    void Strings(MessageMemory memory, ReadOnlySpan<ByteRange> values);

    /// <summary>Prints a repeated field of bytes.</summary>
    void BytesList(MessageMemory memory, ReadOnlySpan<ByteRange> values);

    /// <summary>Begins a repeated field of another type.</summary>
    void BeginList();

    /// <summary>Ends a repeated field.</summary>
    void EndList();

    /// <summary>Begins a map.</summary>
    void BeginMap();

    /// <summary>Ends a map.</summary>
    void EndMap();

    /// <summary>Begins an entry of a map. Its key and its value follow.</summary>
    /// <returns>What <see cref="EndEntry"/> takes.</returns>
    string? BeginEntry();

    /// <summary>Prints the key of an entry.</summary>
    void Key<T>(T key)
        where T : unmanaged;

    /// <inheritdoc cref="Key{T}"/>
    void Key(ReadOnlySpan<byte> utf8);

    /// <summary>Ends an entry of a map.</summary>
    void EndEntry(string? name);

    /// <summary>Begins a message.</summary>
    /// <returns>The name of the field that contains the message, which <see cref="End"/> takes: it is the name of the next element,
    /// too.</returns>
    string? Begin();

    /// <summary>Ends a message.</summary>
    void End(string? name);

    /// <summary>Prints a google.protobuf.Timestamp in a form of its own.</summary>
    /// <returns>Whether there is such a form. If not, the message is printed as any other.</returns>
    bool Timestamp(long seconds, int nanos);

    /// <summary>Prints a google.protobuf.Duration in a form of its own.</summary>
    /// <inheritdoc cref="Timestamp" path="/returns"/>
    bool Duration(long seconds, int nanos);

    /// <summary>Prints a google.protobuf.FieldMask in a form of its own.</summary>
    /// <inheritdoc cref="Timestamp" path="/returns"/>
    bool FieldMask(MessageMemory memory, ReadOnlySpan<ByteRange> paths);

    /// <summary>Prints a google.protobuf.Any in a form of its own.</summary>
    /// <inheritdoc cref="Timestamp" path="/returns"/>
    bool Any(ReadOnlySpan<byte> typeUrl, ReadOnlySpan<byte> value);

    /// <summary>Checks a google.protobuf.Value, which in JSON is the field that is set.</summary>
    /// <param name="isSet">Whether a field is set.</param>
    /// <param name="number">The number; 0 if another field is set.</param>
    /// <returns>Whether only the value of that field is to be printed. If not, the message is printed as any other.</returns>
    bool IsBare(bool isSet, double number);
}

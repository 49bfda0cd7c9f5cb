using System.Diagnostics;
using System.Text;

namespace ProtoBench.Codec.Reflection;

/// <summary>Describes a message. Immutable and thread-safe.</summary>
[DebuggerDisplay("{FullName}")]
public sealed class MessageDescriptor
{
    // made at the first use
    NameTable? names;
    NameTable? protoNames;
    MessageDescriptor? knownForm;

    internal MessageDescriptor(FileDescriptor file, MessageDescriptor? containingType, string fullName, MessageSource source)
    {
        (File, ContainingType, Name, FullName, IsMapEntry) = (file, containingType, source.Name, fullName, source.IsMapEntry);
        WellKnown = WellKnownKinds.Of(fullName);
    }

    /// <summary>Gets the name, as in <c>Line</c>.</summary>
    public string Name { get; }

    /// <summary>Gets the name with the package and the messages that contain this one, as in <c>shop.Order.Line</c>.</summary>
    public string FullName { get; }

    /// <summary>Gets the file that declares the message.</summary>
    public FileDescriptor File { get; }

    /// <summary>Gets the message that contains the declaration; null for a message that is not nested.</summary>
    public MessageDescriptor? ContainingType { get; }

    /// <summary>Gets the fields in the order of their numbers.</summary>
    public IReadOnlyList<FieldDescriptor> Fields { get; private set; } = [];

    /// <summary>Gets the messages that are nested in this one, with the entries of its maps, in the order of their
    /// declaration.</summary>
    public IReadOnlyList<MessageDescriptor> NestedTypes { get; private set; } = [];

    /// <summary>Gets the enums that are nested in this message.</summary>
    public IReadOnlyList<EnumDescriptor> EnumTypes { get; private set; } = [];

    /// <summary>Gets the extensions of any message that are declared in this one.</summary>
    public IReadOnlyList<FieldDescriptor> Extensions { get; private set; } = [];

    /// <summary>Gets the oneofs. Those that protoc makes for optional fields of proto3 are left out.</summary>
    public IReadOnlyList<OneofDescriptor> Oneofs { get; private set; } = [];

    /// <summary>Gets a value that indicates whether the message is the type of a map's entries.</summary>
    public bool IsMapEntry { get; }

    /// <summary>The fields in the order of their numbers.</summary>
    internal FieldDescriptor[] FieldsByNumber { get; private set; } = [];

    internal WellKnownKind WellKnown { get; }

    /// <summary>The package's own descriptor of a well-known type. The file of another one may have other fields.</summary>
    internal MessageDescriptor KnownForm => knownForm ??= ProtoJsonTypes.WellKnownDescriptor(FullName);

    // the name in JSON before the name in the .proto file
    NameTable Names => names ??= new([.. FieldsByNumber.Select((one, i) => (one.JsonNameUtf8, i)),
        .. FieldsByNumber.Select((one, i) => (Encoding.UTF8.GetBytes(one.Name), i))]);

    // not those of JSON: the name of one field can be the name in JSON of another one
    NameTable ProtoNames => protoNames ??= new([.. FieldsByNumber.Select((one, i) => (Encoding.UTF8.GetBytes(one.Name), i))]);

    /// <summary>Finds a field by its name in the .proto file; null if there is none.</summary>
    public FieldDescriptor? FindFieldByName(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return ProtoNames.Find(name) is var i and >= 0 ? FieldsByNumber[i] : null;
    }

    /// <inheritdoc cref="FindFieldByName(string)"/>
    internal FieldDescriptor? FindFieldByName(ReadOnlySpan<byte> utf8Name) =>
        ProtoNames.Find(utf8Name) is var i and >= 0 ? FieldsByNumber[i] : null;

    /// <summary>Finds a field by its number; null if there is none.</summary>
    public FieldDescriptor? FindFieldByNumber(int number)
    {
        var fields = FieldsByNumber;

        // most messages have the numbers from 1 on
        if ((uint)(number - 1) < (uint)fields.Length && fields[number - 1].FieldNumber == number) return fields[number - 1];
        for (var (low, high) = (0, fields.Length - 1); low <= high;)
        {
            var middle = (low + high) / 2;
            if (fields[middle].FieldNumber == number) return fields[middle];
            if (fields[middle].FieldNumber < number) low = middle + 1;
            else high = middle - 1;
        }

        return null;
    }

    /// <summary>Finds a field by its name in JSON or in the .proto file.</summary>
    internal FieldDescriptor? Find(ReadOnlySpan<byte> utf8Name) => Names.Find(utf8Name) is var i and >= 0 ? FieldsByNumber[i] : null;

    internal void Complete(MessageDescriptor[] nestedTypes, EnumDescriptor[] enumTypes) =>
        (NestedTypes, EnumTypes) = (Array.AsReadOnly(nestedTypes), Array.AsReadOnly(enumTypes));

    internal void Complete(FieldDescriptor[] fieldsByNumber, OneofDescriptor[] oneofs, FieldDescriptor[] extensions)
    {
        FieldsByNumber = fieldsByNumber;
        for (var i = 0; i < fieldsByNumber.Length; i++) fieldsByNumber[i].Index = i;
        (Fields, Oneofs, Extensions) = (Array.AsReadOnly(fieldsByNumber), Array.AsReadOnly(oneofs), Array.AsReadOnly(extensions));
    }
}

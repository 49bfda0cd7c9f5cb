using System.Diagnostics;
using System.Text;

namespace ProtoBench.Codec.Reflection;

/// <summary>Describes an enum. Immutable and thread-safe.</summary>
[DebuggerDisplay("{FullName}")]
public sealed class EnumDescriptor
{
    readonly EnumValueDescriptor[] values;

    // made at the first use
    NameTable? byName;
    Dictionary<int, EnumValueDescriptor>? byNumber;

    internal EnumDescriptor(FileDescriptor file, MessageDescriptor? containingType, string fullName, EnumSource source,
        DescriptorFeatures features)
    {
        (File, ContainingType, Name, FullName) = (file, containingType, source.Name, fullName);
        IsClosed = features.IsClosed;
        values = [.. source.Values.Select(value => new EnumValueDescriptor(value.Name, value.Number))];
        Values = Array.AsReadOnly(values);
    }

    /// <summary>Gets the name, as in <c>Color</c>.</summary>
    public string Name { get; }

    /// <summary>Gets the name with the package and the messages that contain the enum, as in <c>shop.Order.Color</c>.</summary>
    public string FullName { get; }

    /// <summary>Gets the file that declares the enum.</summary>
    public FileDescriptor File { get; }

    /// <summary>Gets the message that contains the declaration; null for an enum that is not nested.</summary>
    public MessageDescriptor? ContainingType { get; }

    /// <summary>Gets the values in the order of their declaration. Several can have one number.</summary>
    public IReadOnlyList<EnumValueDescriptor> Values { get; }

    /// <summary>Gets a value that indicates whether a number that the enum does not define is kept as an unknown field, as in
    /// proto2.</summary>
    public bool IsClosed { get; }

    internal bool IsNullValue => FullName == "google.protobuf.NullValue";

    NameTable Names => byName ??= new([.. values.Select((value, i) => (Encoding.UTF8.GetBytes(value.Name), i))]);

    /// <summary>Finds a value by its name in the .proto file; null if there is none.</summary>
    public EnumValueDescriptor? FindValueByName(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return Names.Find(name) is var i and >= 0 ? values[i] : null;
    }

    /// <summary>Finds the first value with a number; null if there is none.</summary>
    public EnumValueDescriptor? FindValueByNumber(int number)
    {
        byNumber ??= values.DistinctBy(value => value.Number).ToDictionary(value => value.Number);
        return byNumber.GetValueOrDefault(number);
    }

    internal bool TryFind(ReadOnlySpan<byte> utf8Name, out int number)
    {
        var i = Names.Find(utf8Name);
        number = i < 0 ? 0 : values[i].Number;
        return i >= 0;
    }
}

/// <summary>Describes a value of an enum. Immutable and thread-safe.</summary>
[DebuggerDisplay("{Name} = {Number}")]
public sealed class EnumValueDescriptor
{
    internal EnumValueDescriptor(string name, int number) => (Name, Number) = (name, number);

    /// <summary>Gets the name in the .proto file.</summary>
    public string Name { get; }

    /// <summary>Gets the number.</summary>
    public int Number { get; }
}

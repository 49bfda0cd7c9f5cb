using System.Diagnostics;

namespace ProtoBench.Codec.Reflection;

/// <summary>Describes a oneof. Immutable and thread-safe.</summary>
[DebuggerDisplay("{Name}")]
public sealed class OneofDescriptor
{
    internal OneofDescriptor(MessageDescriptor containingType, string name, int index) =>
        (ContainingType, Name, Index) = (containingType, name, index);

    /// <summary>Gets the name in the .proto file.</summary>
    public string Name { get; }

    /// <summary>Gets the message that has the oneof.</summary>
    public MessageDescriptor ContainingType { get; }

    /// <summary>Gets the fields, of which at most one is set, in the order of their declaration.</summary>
    public IReadOnlyList<FieldDescriptor> Fields { get; private set; } = [];

    /// <summary>The index among the oneofs of the message.</summary>
    internal int Index { get; }

    internal void Complete(IEnumerable<FieldDescriptor> fields) => Fields = Array.AsReadOnly<FieldDescriptor>([.. fields]);
}

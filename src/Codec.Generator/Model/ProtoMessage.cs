using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Model;

sealed class ProtoMessage(ProtoFile file, ProtoMessage? parent, DescriptorProto descriptor, Features features, IReadOnlyList<int> path)
{
    /// <summary>The number of fields from which a message is wide. With mixed fields, the compiler inlines all code of a method for 20
    /// fields, but not for 24.</summary>
    public const int WideFrom = 20;

    public ProtoFile File { get; } = file;

    public ProtoMessage? Parent { get; } = parent;

    public DescriptorProto Descriptor { get; } = descriptor;

    public Features Features { get; } = features;

    public IReadOnlyList<int> Path { get; } = path;

    /// <summary>The index among all messages of the file, each of which comes before those that are nested in it.</summary>
    public int Index { get; init; }

    /// <summary>The name in the scope of the message, escaped.</summary>
    public string Name { get; set; } = "";

    /// <summary>The fully qualified name.</summary>
    public string TypeName { get; set; } = "";

    /// <summary>The full name in the schema, as in "pkg.Outer.Inner".</summary>
    public string ProtoName { get; set; } = "";

    public List<ProtoField> Fields { get; } = [];

    public List<ProtoOneof> Oneofs { get; } = [];

    /// <summary>Whether a field has the message as a group: between two tags, without a length.</summary>
    public bool IsDelimited { get; set; }

    /// <summary>The extensions of any message that are declared in this one.</summary>
    public List<ProtoField> Extensions { get; } = [];

    public List<ProtoMessage> Messages { get; } = [];

    public List<ProtoEnum> Enums { get; } = [];

    public MessageNames Names { get; set; } = null!;

    /// <summary>Whether the message has numbers for extensions.</summary>
    public bool IsExtendable => Descriptor.ExtensionRange.Count > 0;

    /// <summary>How the code of the message is called, and how the message is written.</summary>
    public Layout Layout { get; set; }

    // protoc accepts descriptors with this option on any message, which no .proto file can have
    public bool IsMapEntry => Descriptor.Options?.MapEntry == true
        && Descriptor.Field.Count == 2 && Descriptor.Field.All(one => one.Number <= 2);

    /// <summary>Whether every field has a bit that shows whether it may be set, and the code is divided into groups of fields. Absent
    /// fields are then skipped by groups, and each method is within the compiler's budget for inlining.</summary>
    public bool IsWide => Fields.Count >= WideFrom;

    /// <summary>Whether a field of the message, or of a message in it, is required.</summary>
    public bool NeedsRequiredCheck { get; set; }

    /// <summary>Whether a field of the message, or of a message in it, is a string or bytes, which a parse keeps as a range of its
    /// input.</summary>
    public bool KeepsInput => HasBytes([]);

    /// <summary>The message itself, and all nested messages.</summary>
    public IEnumerable<ProtoMessage> WithNested => Messages.SelectMany(message => message.WithNested).Prepend(this);

    bool HasBytes(HashSet<ProtoMessage> seen) =>
        seen.Add(this) && Fields.Any(one => one.IsBytes || one.Message?.HasBytes(seen) == true);
}

/// <summary>Marks the messages in which a required field can be missing, either their own field or one of a message in them.</summary>
static class RequiredFields
{
    public static void Mark(IReadOnlyCollection<ProtoMessage> messages)
    {
        foreach (var message in messages)
            message.NeedsRequiredCheck = message.Fields.Any(field => field.IsRequired);
        bool changed;
        do
        {
            changed = false;
            foreach (var message in messages.Where(message => !message.NeedsRequiredCheck))
            {
                if (!message.Fields.Any(field => field.Message?.NeedsRequiredCheck == true)) continue;
                message.NeedsRequiredCheck = changed = true;
            }
        }
        while (changed);
    }
}

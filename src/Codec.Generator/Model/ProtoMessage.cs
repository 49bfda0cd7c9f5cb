using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>A message.</summary>
sealed class ProtoMessage(ProtoFile file, ProtoMessage? parent, DescriptorProto descriptor, Features features, IReadOnlyList<int> path)
{
    /// <summary>From so many fields on a message is wide. With mixed fields the
    /// compiler inlines a method of 20 wholly and one of 24 no more.</summary>
    public const int WideFrom = 20;

    const int mostInlined = 4;

    public ProtoFile File { get; } = file;

    public ProtoMessage? Parent { get; } = parent;

    public DescriptorProto Descriptor { get; } = descriptor;

    public Features Features { get; } = features;

    public IReadOnlyList<int> Path { get; } = path;

    /// <summary>Its name in its scope, escaped.</summary>
    public string Name { get; set; } = "";

    /// <summary>Its name from anywhere.</summary>
    public string TypeName { get; set; } = "";

    /// <summary>The full name in the schema, as in "pkg.Outer.Inner".</summary>
    public string ProtoName { get; set; } = "";

    public List<ProtoField> Fields { get; } = [];

    public List<ProtoOneof> Oneofs { get; } = [];

    /// <summary>Groups that have to be there. Like every group they are kept as unknown fields.</summary>
    public List<FieldDescriptorProto> RequiredGroups { get; } = [];

    public List<ProtoMessage> Messages { get; } = [];

    public List<ProtoEnum> Enums { get; } = [];

    public MessageNames Names { get; set; } = null!;

    public bool IsMapEntry => Descriptor.Options?.MapEntry == true;

    /// <summary>Whether it contains messages: their depth is counted, and sizes are kept.</summary>
    public bool HasMessages => Fields.Any(one => one.Message is not null);

    /// <summary>Whether every field has a bit that says whether it may be set, and the code is in groups of fields: absent fields are then
    /// skipped by groups, and each method is within the compiler's budget for inlining.</summary>
    public bool IsWide => !IsMapEntry && Fields.Count >= WideFrom;

    /// <summary>Inlined into the message that it is in: few singular fields. More would
    /// exhaust the compiler's budget, and the reader would leave its registers.</summary>
    public bool IsInlined => Fields.Count <= mostInlined && !HasMessages && Fields.All(one => !one.IsRepeated);

    /// <summary>Whether it has few fields, and all of them are numbers that are there or not: then there is a most that it takes on the
    /// wire, and it is written without looking for room.</summary>
    public bool IsScalar => !IsMapEntry && !IsWide && !NeedsRequiredCheck
        && Fields.Count > 0 && Fields.All(one => !one.IsRepeated && !one.IsBytes && one.Message is null);

    /// <summary>Whether a field, or a field of a message in it, is required.</summary>
    public bool NeedsRequiredCheck { get; set; }

    /// <summary>Whether a field, or a field of a message in it, is a string
    /// or bytes, which a parse keeps as a range of its input.</summary>
    public bool KeepsInput => HasBytes([]);

    /// <summary>The messages in it, and itself.</summary>
    public IEnumerable<ProtoMessage> WithNested => Messages.SelectMany(message => message.WithNested).Prepend(this);

    bool HasBytes(HashSet<ProtoMessage> seen) =>
        seen.Add(this) && Fields.Any(one => one.IsBytes || one.Message?.HasBytes(seen) == true);
}

/// <summary>Marks the messages in which a required field can be missing: their own, or one of a message in them.</summary>
static class RequiredFields
{
    public static void Mark(IReadOnlyCollection<ProtoMessage> messages)
    {
        foreach (var message in messages)
            message.NeedsRequiredCheck = message.RequiredGroups.Count > 0 || message.Fields.Any(field => field.IsRequired);
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

namespace ProtoBench.Codec.Generator.Model;

/// <summary>Specifies how the code of a message is called, and how the message is written. docs/generated-code.md has a row for each
/// value.</summary>
enum Layout
{
    /// <summary>As <see cref="Small"/>. All fields have a fixed width and a tag of one byte, as in a point, so that a message with all of
    /// its fields in order is read after one check of its length.</summary>
    Fixed,

    /// <summary>As <see cref="FewNumbers"/>. The length takes one byte and the room that a writer has for any field is enough, so the
    /// message is written inside another one after one check of the room.</summary>
    Small,

    /// <summary>As <see cref="Few"/>, and all fields are numbers. The message has a maximum size, so as the outermost message it is written
    /// without checks of the room.</summary>
    FewNumbers,

    /// <summary>The code is inlined into that of the message that contains it. With more fields, or with a loop, it would exceed the
    /// compiler's budget for inlining, and the reader would not stay in registers. The size is cheap, so it is calculated again and not
    /// stored.</summary>
    Few,

    /// <summary>As <see cref="Flat"/>. The message has a maximum size, as <see cref="FewNumbers"/>.</summary>
    Numbers,

    /// <summary>The code is called, because it is too long to be inlined. The size is stored if sizes are calculated before the
    /// write.</summary>
    Flat,

    /// <summary>The message contains messages, so their depth is counted. They contain none, and so their sizes are calculated when they
    /// are written: this costs less than to store them.</summary>
    Nested,

    /// <summary>As <see cref="Nested"/>. The messages in the message contain messages, whose sizes would be calculated once for each level.
    /// So each length is written after its message, or else the sizes are calculated before the write.</summary>
    OnePass,

    /// <summary>As <see cref="OnePass"/>, but the sizes are always calculated before the write: one pass does not count groups as levels of
    /// nesting.</summary>
    Sized,

    /// <summary>As <see cref="Sized"/>. A required field of the message, or of a message in it, may be missing. This is checked when the
    /// sizes are calculated, so the stored sizes are always there.</summary>
    Checked,
}

/// <summary>Decides which layout a message has.</summary>
static class Layouts
{
    /// <summary>WireWriter.SmallBytes of the runtime, which calculates it.</summary>
    public const int SmallBytes = 49;

    const int mostInlined = 4;

    /// <summary>Gets the layout of a message whose required fields are marked.</summary>
    public static Layout Of(ProtoMessage message)
    {
        var fields = message.Fields;
        if (ContainsMessages(message))
        {
            if (message.NeedsRequiredCheck) return Layout.Checked;
            if (!fields.Any(field => field.Message is { } inner && ContainsMessages(inner))) return Layout.Nested;
            return ContainsGroups(message, []) ? Layout.Sized : Layout.OnePass;
        }

        var isFew = fields.Count <= mostInlined && fields.All(field => !field.IsRepeated);
        if (!HasMaximum(message)) return isFew ? Layout.Few : Layout.Flat;
        if (!isFew) return Layout.Numbers;
        if (ScalarKind.MostBytesOf(message) > SmallBytes) return Layout.FewNumbers;
        return fields.All(field => ScalarKind.Of(field).HasFixedWidth && field.Number < 16) ? Layout.Fixed : Layout.Small;
    }

    static bool ContainsMessages(ProtoMessage message) => message.Fields.Any(field => field.Message is not null);

    static bool ContainsGroups(ProtoMessage message, HashSet<ProtoMessage> seen) => seen.Add(message)
        && message.Fields.Any(field => field.IsDelimited || (field.Message is { } inner && ContainsGroups(inner, seen)));

    // a map entry is never the outermost message, and a missing required field must be found
    static bool HasMaximum(ProtoMessage message) => !message.IsMapEntry && !message.IsWide && !message.NeedsRequiredCheck
        && message.Fields.Count > 0 && message.Fields.All(field => !field.IsRepeated && !field.IsBytes);
}

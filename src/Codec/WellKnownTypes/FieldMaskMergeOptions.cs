namespace ProtoBench.Codec.WellKnownTypes;

/// <summary>Specifies how a <see cref="FieldMask"/> merges messages.</summary>
/// <remarks>Thread safety: any number of threads may use an instance.</remarks>
public sealed class FieldMaskMergeOptions
{
    /// <summary>Gets a value that indicates whether a message that a path ends with is replaced, or cleared if the source does not have it.
    /// By default the source's message is merged into it.</summary>
    public bool ReplaceMessageFields { get; init; }

    /// <summary>Gets a value that indicates whether a list or a map that a path ends with is replaced. By default the elements of the
    /// source are added. Values of keys that a map has already are always replaced.</summary>
    public bool ReplaceRepeatedFields { get; init; }
}

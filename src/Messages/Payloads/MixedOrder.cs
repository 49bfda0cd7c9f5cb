namespace ProtoBench.Payloads;

/// <summary>How <see cref="Hive.Mixed"/> writes its content.</summary>
public enum MixedOrder
{
    /// <summary>Fields in any order, unknown ones among them: what the readers are given.</summary>
    Shuffled,

    /// <summary>Known fields by number, then the unknown ones: what a writer that keeps unknown fields gives back.</summary>
    Regular,

    /// <summary>Known fields by number, no others: what a writer that drops unknown fields gives back.</summary>
    KnownOnly,
}

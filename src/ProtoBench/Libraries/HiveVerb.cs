namespace ProtoBench.Libraries;

/// <summary>What the cells of the hive's table do, in the order of its rows. Each verb has a class of cells.</summary>
public enum HiveVerb
{
    /// <summary>Writes a message.</summary>
    Serialize,

    /// <summary>Computes the size of a message.</summary>
    Measure,

    /// <summary>Computes the size of a message, then writes it.</summary>
    MeasureSerialize,

    /// <summary>Reads a message.</summary>
    Deserialize,

    /// <summary>Reads a message, then the first byte, the last byte and the length of every leaf.</summary>
    DeserializeTouch,

    /// <summary>As <see cref="DeserializeTouch"/>, with every string field as a .NET string.</summary>
    DeserializeStrings,
}

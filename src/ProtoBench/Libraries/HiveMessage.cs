namespace ProtoBench.Libraries;

/// <summary>The messages of the hive's table, in the order of its rows.</summary>
public enum HiveMessage
{
    /// <summary>The request: 3,500 items.</summary>
    Request,

    /// <summary>The response: 3,500 items.</summary>
    Response,

    /// <summary>The request with items of mixed sizes, fields in any order and unknown fields.</summary>
    Mixed,
}

namespace ProtoBench.Rpc.Connections;

/// <summary>What a client's connection turned out to be, read from the connection and not from the options.</summary>
public sealed record RpcConnectionFacts
{
    /// <summary>What was negotiated, for example "HTTP/2"; null before the first reply.</summary>
    public string? Protocol { get; init; }

    /// <summary>TLS version and cipher; null in the clear.</summary>
    public string? Tls { get; init; }

    /// <summary>Connections opened so far. More than 1 means that the first was lost.</summary>
    public int Opened { get; init; }

    /// <summary>How long it took to open the last of them, TLS included; null before.</summary>
    public TimeSpan? ConnectTime { get; init; }

    /// <summary>Requests that the HTTP layer sent again by itself because the peer refused them: calls that the host may have seen twice.</summary>
    public long HiddenRetries { get; init; }

    /// <summary>The client's windows, in bytes, by name.</summary>
    public IReadOnlyDictionary<string, long> Http2 { get; init; } = new Dictionary<string, long>();
}

namespace ProtoBench.Rpc.Connections;

/// <summary>Facts about a client's connection, read from the connection and not from the options.</summary>
public sealed record RpcConnectionFacts
{
    /// <summary>The negotiated protocol, for example "HTTP/2"; null before the first reply.</summary>
    public string? Protocol { get; init; }

    /// <summary>TLS version and cipher; null without TLS.</summary>
    public string? Tls { get; init; }

    /// <summary>Connections opened so far. More than 1 means that the first was lost.</summary>
    public int Opened { get; init; }

    /// <summary>How long it took to open the last of them, TLS included; null before.</summary>
    public TimeSpan? ConnectTime { get; init; }

    /// <summary>Requests that the HTTP layer sent again because the peer
    /// refused them. The server may have seen such a call twice.</summary>
    public long HiddenRetries { get; init; }

    /// <summary>The client's windows, in bytes, by name.</summary>
    public IReadOnlyDictionary<string, long> Http2 { get; init; } = new Dictionary<string, long>();
}

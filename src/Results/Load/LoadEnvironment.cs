namespace ProtoBench.Results;

/// <summary>Where and with what a load run was made: what must agree before two runs may be compared.</summary>
public sealed record LoadEnvironment
{
    /// <summary>The load client's process.</summary>
    public required ProcessEnvironment Client { get; init; }

    /// <summary>The host's process, as it told the client.</summary>
    public ProcessEnvironment? Server { get; init; }

    /// <summary>Whether client and host ran on the same machine, and so shared its cores.</summary>
    public bool? SharedCores { get; init; }

    /// <summary>The commit of the working tree, where it is known.</summary>
    public string? Commit { get; init; }

    /// <summary>Whether the tree had no change that is not in <see cref="Commit"/>.</summary>
    public bool? Clean { get; init; }

    /// <summary>The packages that were measured, with their versions.</summary>
    public IReadOnlyDictionary<string, string> PackageVersions { get; init => field = value ?? new Dictionary<string, string>(); } =
        new Dictionary<string, string>();
}

/// <summary>One process and its machine.</summary>
public sealed record ProcessEnvironment
{
    /// <summary>For example ".NET 10.0.1".</summary>
    public required string Runtime { get; init; }

    /// <summary>For example "Workstation concurrent" or "Server".</summary>
    public required string GcMode { get; init; }

    /// <summary>For example "on, quick jit, PGO" or "off".</summary>
    public string? TieredJit { get; init; }

    /// <summary>The processor's name.</summary>
    public required string Cpu { get; init; }

    /// <summary>The cores that the process may use.</summary>
    public required int Cores { get; init; }

    /// <summary>The operating system, with its version.</summary>
    public required string Os { get; init; }

    /// <summary>X64, Arm64, ...</summary>
    public required string Architecture { get; init; }
}

/// <summary>What a variant's connections turned out to be, read from the connections and not from the options.</summary>
public sealed record LoadTransport
{
    /// <summary>The negotiated HTTP version, for example "HTTP/2"; or the name of another protocol.</summary>
    public required string Protocol { get; init; }

    /// <summary>The kind of socket: "tcp" or "uds".</summary>
    public string? Socket { get; init; }

    /// <summary>TLS version and cipher, or null for plain text.</summary>
    public string? Tls { get; init; }

    /// <summary>Connections that were really opened.</summary>
    public required int ConnectionsOpened { get; init; }

    /// <summary>HTTP/2 windows and limits in bytes or streams, by name, of client and server.</summary>
    public IReadOnlyDictionary<string, long> Http2 { get; init => field = value ?? new Dictionary<string, long>(); } =
        new Dictionary<string, long>();

    /// <summary>The size of a request message.</summary>
    public required long RequestBytes { get; init; }

    /// <summary>The size of a response message.</summary>
    public required long ResponseBytes { get; init; }

    /// <summary>SHA-256 of the request message in hexadecimal: two runs with another payload are not the same run.</summary>
    public string? PayloadSha256 { get; init; }
}

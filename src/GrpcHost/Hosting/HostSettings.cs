using ProtoBench.GrpcHost.Hive;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Hosting;

/// <summary>The settings of a host.</summary>
sealed record HostSettings
{
    public RpcEndpoint Listen { get; init; } = new();

    /// <summary>Use TLS with a certificate that is created for this run.</summary>
    public bool Tls { get; init; }

    public RpcTransport Stack { get; init; } = RpcTransports.All[0];

    public string Codec { get; init; } = HiveCodecs.Names[0];

    public string Root { get; init; } = HiveCodecs.Roots[0];

    public required HivePayload Payload { get; init; }

    /// <summary>Measure the time of each part of a call.</summary>
    public bool Attribute { get; init; }

    /// <summary>Bytes that the handler allocates in each call, to verify the measurement of allocations.</summary>
    public int Allocate { get; init; }

    /// <summary>A method that is answered with prepared bytes, in place of the hive's service; null for the hive's.</summary>
    public RpcHandler? Prepared { get; init; }
}

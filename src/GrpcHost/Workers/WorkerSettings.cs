using System.Security.Cryptography.X509Certificates;

namespace ProtoBench.GrpcHost;

/// <param name="Listen">The IP address for the driver and for the server of a scenario.</param>
/// <param name="DriverPort">The port for the driver; 0 selects a free port.</param>
/// <param name="ServerPort">The port of the server of a scenario, instead of the one that the driver requests; null for that of the
/// driver.</param>
/// <param name="Certificate">The certificate of a server with TLS; null to create one for each server.</param>
/// <param name="Hdr">A file for the histograms of the client at three digits, with an interval for each reset; null for none.</param>
sealed record WorkerSettings(string Listen = "127.0.0.1", int DriverPort = 0, int? ServerPort = null, X509Certificate2? Certificate = null,
    string? Hdr = null);

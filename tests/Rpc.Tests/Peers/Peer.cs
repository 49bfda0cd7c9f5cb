using System.Security.Cryptography.X509Certificates;

namespace ProtoBench.Rpc.Tests;

public abstract class Peer : IAsyncLifetime
{
    public RpcEndpoint Endpoint { get; protected set; } = new();

    public abstract ValueTask InitializeAsync();

    public abstract ValueTask DisposeAsync();
}

public class GrpcDotnetPeer : Peer
{
    readonly EchoService service = new();
    IRpcServer? server;

    internal EchoService Service => service;

    internal IRpcServer Server => server!;

    protected virtual RpcEndpoint Listen => new();

    protected virtual X509Certificate2? Certificate => null;

    public override async ValueTask InitializeAsync()
    {
        server = await RpcTransports.All[0].StartAsync(Listen, service.Handlers, null, Certificate);
        Endpoint = server.Endpoint;
    }

    public override async ValueTask DisposeAsync()
    {
        service.Released.TrySetResult();
        await server!.DisposeAsync();
        GC.SuppressFinalize(this);
    }
}

public class GrpcDotnetTlsPeer : GrpcDotnetPeer
{
    protected override X509Certificate2? Certificate { get; } = SelfSignedCertificate.Create();
}

public class GrpcDotnetUnixPeer : GrpcDotnetPeer
{
    protected override RpcEndpoint Listen { get; } =
        new() { UnixSocket = Path.Combine(Path.GetTempPath(), $"protobench-{Guid.NewGuid():N}.sock") };
}

public class NodePeer : Peer
{
    ScriptProcess? node;

    protected virtual string Script => "server.mjs";

    protected virtual X509Certificate2? Certificate => null;

    public override async ValueTask InitializeAsync()
    {
        node = await Node.StartAsync(Script,
            Certificate is null ? [] : [Certificate.ExportCertificatePem(), Certificate.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem()]);
        var port = await node.Output.ReadLineAsync().WaitAsync(TimeSpan.FromMinutes(5));
        Endpoint = new()
        {
            Port = int.Parse(port!, System.Globalization.CultureInfo.InvariantCulture),
            Thumbprint = Certificate is null ? null : SelfSignedCertificate.Thumbprint(Certificate),
        };
    }

    public override async ValueTask DisposeAsync()
    {
        if (node is not null)
            await node.DisposeAsync();
        GC.SuppressFinalize(this);
    }
}

public class NodeTlsPeer : NodePeer
{
    protected override X509Certificate2? Certificate { get; } = SelfSignedCertificate.Create();
}

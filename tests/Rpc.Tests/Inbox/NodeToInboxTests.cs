using ProtoBench.Rpc.Inbox;
using ProtoBench.Rpc.Tests.Peers;
using ProtoBench.Testing;

namespace ProtoBench.Rpc.Tests.Inbox;

/// <summary>What the server must do for any gRPC client: the cases are in tests/node/client.mjs.</summary>
public class NodeToInboxTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task All_cases_pass(bool tls)
    {
        using var certificate = tls ? SelfSignedCertificate.Create() : null;
        var service = new EchoService();
        await using var server = await InboxServer.StartAsync(new(), service.Handlers, certificate: certificate);
        await using var node = await Node.StartAsync("client.mjs", [$"127.0.0.1:{server.Endpoint.Port}", .. certificate is null ? Array.Empty<string>() : [certificate.ExportCertificatePem()]]);
        var (exitCode, output) = await node.EndAsync(TimeSpan.FromSeconds(60));
        Assert.True(exitCode == 0, output);
        Assert.Equal(25, output.Split('\n').Count(line => line.StartsWith("ok ", StringComparison.Ordinal)));
        // the case that is cancelled and the one that runs out of time: their handlers have seen it, or see it soon
        var limit = Task.Delay(TimeSpan.FromSeconds(10));
        while (service.Cancelled < 2 && !limit.IsCompleted)
            await Task.Yield();
        Assert.Equal(2, service.Cancelled);
    }
}

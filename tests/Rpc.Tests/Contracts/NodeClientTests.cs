using ProtoBench.Rpc.Tests.Peers;
using ProtoBench.Testing;

namespace ProtoBench.Rpc.Tests.Contracts;

/// <summary>What a server must do for any gRPC client: the cases are in tests/node/client.mjs.</summary>
public class NodeClientTests
{
    public static TheoryData<string, bool> Servers =>
        [.. RpcTransports.All.Where(stack => stack is { SpeaksGrpc: true, OnlyCodecs: null })
            .SelectMany(stack => new (string, bool)[] { (stack.Name, false), (stack.Name, true) })];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task All_cases_pass(string stack, bool tls)
    {
        using var certificate = tls ? SelfSignedCertificate.Create() : null;
        var service = new EchoService();
        await using var server = await RpcTransports.Named(stack).StartAsync(new(), service.Handlers, null, certificate);
        await using var node =
            await Node.StartAsync("client.mjs",
                [$"127.0.0.1:{server.Endpoint.Port}",
                    .. certificate is null ? Array.Empty<string>() : [certificate.ExportCertificatePem()]]);
        var (exitCode, output) = await node.EndAsync(TimeSpan.FromMinutes(10));
        // with the libraries' defaults, routing takes a method in any case
        Assert.True(exitCode == 0 || (stack == "grpc-dotnet-defaults" && output.Split("FAILED another method").Length == 2), output);
        Assert.Equal(exitCode == 0 ? 26 : 25, output.Split('\n').Count(line => line.StartsWith("ok ", StringComparison.Ordinal)));
        // the case that is cancelled and the one that runs out of time: their handlers have seen it, or see it soon
        var limit = Task.Delay(TimeSpan.FromMinutes(2));
        while (service.Cancelled < 2 && !limit.IsCompleted)
            await Task.Yield();
        Assert.Equal(2, service.Cancelled);
    }
}

using ProtoBench.Rpc.Connections;
using ProtoBench.Rpc.Tests.Peers;
using ProtoBench.Testing;

namespace ProtoBench.Rpc.Tests.Contracts;

/// <summary>What a server must do for any gRPC client: the cases are in tests/node/client.mjs.</summary>
public class NodeClientTests
{
    public static TheoryData<string, bool> Servers =>
        [.. RpcTransports.Grpc.Where(stack => stack.OnlyCodecs is null)
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
        // grpc-dotnet has its own answers: it understands gzip, and so names no encodings; other broken frames end as a handler's failure
        string[] differs = stack is "grpc-dotnet" or "protobuf-net.Grpc"
            ? ["gzip is UNIMPLEMENTED", "an unsupported encoding is told which are supported", "a malformed frame is INTERNAL",
                "a length of 4 GiB is RESOURCE_EXHAUSTED"]
            : [];
        var lines = output.Split('\n');
        string[] failed =
            [.. lines.Where(line => line.StartsWith("FAILED ", StringComparison.Ordinal))
                .Select(line => line["FAILED ".Length..].Split(':')[0])];
        Assert.True(differs.SequenceEqual(failed) && exitCode == (failed.Length == 0 ? 0 : 1), output);
        Assert.Equal(25 - failed.Length, lines.Count(line => line.StartsWith("ok ", StringComparison.Ordinal)));
        // the case that is cancelled and the one that runs out of time: their handlers have seen it, or see it soon
        var limit = Task.Delay(TimeSpan.FromMinutes(2));
        while (service.Cancelled < 2 && !limit.IsCompleted)
            await Task.Yield();
        Assert.Equal(2, service.Cancelled);
    }
}

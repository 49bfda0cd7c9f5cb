using System.Net.Sockets;
using ProtoBench.Rpc;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost.Tests;

public class UnreachableTargetTests
{
    static readonly TargetMethod method = new("acme.Orders/Place", IsServerStreaming: false);
    static readonly Payload[] payloads = [new("one", new byte[3])];

    [Theory]
    [InlineData("another root", "no trusted root has issued the certificate: ")]
    [InlineData("no root of the system", "no trusted root has issued the certificate: ")]
    [InlineData("another name", "the certificate is for another name than 127.0.0.2")]
    [InlineData("another thumbprint", "the certificate is not the one with the thumbprint that was given")]
    [InlineData("TLS to a port without", "the TLS handshake failed; does the port speak TLS?")]
    [InlineData("no TLS to a port with it", "; does the port speak TLS only?")]
    public async Task A_failure_of_tls_says_which(string how, string sentence)
    {
        Assert.SkipWhen(how == "another name" && !OperatingSystem.IsLinux(), "needs a second address on every machine");
        using var certificate = SelfSignedCertificate.Create();
        using var other = SelfSignedCertificate.Create();
        await using var server = await RpcTransports.All[0].StartAsync(new() { Host = "0.0.0.0" },
            [PreparedReplies.Serve(method, payloads, ReplyDelay.None)], null, how == "TLS to a port without" ? null : certificate);
        var open = server.Endpoint with { Host = how == "another name" ? "127.0.0.2" : "127.0.0.1", Thumbprint = null };
        var message = await FailureAsync(how switch
        {
            "another root" => open with { Trust = new() { Roots = [other] } },
            "another name" => open with { Trust = new() { Roots = [certificate] } },
            "another thumbprint" => open with { Thumbprint = SelfSignedCertificate.Thumbprint(other) },
            "no TLS to a port with it" => open,
            _ => open with { Trust = new() },
        });
        Assert.True(message.Contains(sentence, StringComparison.Ordinal), message);
        Assert.EndsWith("(status Unavailable)", message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_name_that_does_not_resolve_is_said() =>
        Assert.StartsWith("acme.Orders/Place: the name 'nowhere.invalid' does not resolve",
            await FailureAsync(new() { Host = "nowhere.invalid", Port = 1 }), StringComparison.Ordinal);

    [Fact]
    public async Task An_address_of_IPv6_is_written_with_brackets()
    {
        Assert.SkipUnless(Socket.OSSupportsIPv6, "this machine has no IPv6");
        Assert.StartsWith("acme.Orders/Place: no host answers at http://[::1]:1 ",
            await FailureAsync(new() { Host = "[::1]", Port = 1 }), StringComparison.Ordinal);
        await using var host = await ChildProcess.StartHostAsync(["--port", "0", "--listen", "::1"]);
        Assert.Equal($"http://[::1]:{host.Endpoint.Port}", host.Endpoint.ToString());
        var (exitCode, output, error) = await TheProgram.RunAsync(
            "load", "--url", host.Endpoint.ToString(), "--requests", "5", "--rounds", "1", "--warmup", "0s");
        Verdict.AssertFollows(exitCode, output, error);
        Assert.Contains("successful rate 1 = 5/5", output, StringComparison.Ordinal);
    }

    static async Task<string> FailureAsync(RpcEndpoint endpoint)
    {
        await using var session = new LoadSession(new TargetSubject(endpoint, method, new(payloads, null), null),
            new LoadPlan { Payload = HivePayload.Empty(), Requests = 5 });
        return (await Assert.ThrowsAnyAsync<RunException>(() => session.ConnectAsync(default))).Message;
    }
}

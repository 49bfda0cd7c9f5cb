using System.Security.Cryptography.X509Certificates;
using ProtoBench.Rpc;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>The event loop against servers of others: grpc-js, Node's HTTP/2, grpcio, libgrpc++ and grpc-go.</summary>
public class ForeignServerTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Grpc_js_answers(bool tls)
    {
        using var certificate = tls ? SelfSignedCertificate.Create() : null;
        await using var node = await Node.StartAsync("server.mjs", certificate is null
            ? [] : [certificate.ExportCertificatePem(), certificate.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem()]);
        var endpoint = new RpcEndpoint
        {
            Port = await PortAsync(node),
            Thumbprint = certificate is null ? null : SelfSignedCertificate.Thumbprint(certificate),
        };
        // larger than the windows of grpc-js, and none at all
        var subject = Subject(endpoint, "test.Echo/Echo", new byte[200_000], [1, 2, 3], []);
        var round = await RunAsync(subject, new() { Payload = HivePayload.Empty(), Requests = 300, Concurrency = 12, Connections = 2 });
        Assert.Equal((300, 0), (round.Window.Calls.Service.Count, round.Window.Calls.Failed.Count));
        Assert.Equal((302, 302), (subject.Replies.Calls, subject.Replies.Messages));
        // the requests are sent in turn
        Assert.Equal(Enumerable.Range(0, 302).Sum(i => new[] { 200_000L, 3, 0 }[i % 3]), subject.Replies.Bytes);
    }

    [Fact]
    public async Task A_status_of_grpc_js_is_read()
    {
        await using var node = await Node.StartAsync("server.mjs");
        var subject = Subject(new() { Port = await PortAsync(node) }, "test.Echo/Fail", [.. "9:sold out, 100 %"u8]);
        var failure = await Assert.ThrowsAsync<RunException>(() => RunAsync(subject, new() { Payload = HivePayload.Empty() }));
        Assert.Equal("test.Echo/Fail: sold out, 100 % (status FailedPrecondition)", failure.Message);
    }

    [Theory]
    [InlineData("another-content-type", "Unknown")]
    [InlineData("http-401", "Unauthenticated")]
    [InlineData("http-503", "Unavailable")]
    [InlineData("compressed-with-br", "Unimplemented")]
    [InlineData("flag-2", "Internal")]
    [InlineData("half-a-message", "Internal")]
    [InlineData("half-a-message-and-why", "Aborted")]
    [InlineData("no-message", "Internal")]
    [InlineData("two-messages", "Internal")]
    [InlineData("no-status", "Unknown")]
    [InlineData("status-in-the-first-headers", "Unknown")]
    [InlineData("reset-8", "Cancelled")]
    [InlineData("reset-11", "ResourceExhausted")]
    [InlineData("gone-after-a-message", "Unavailable")]
    public async Task A_broken_reply_has_a_status(string how, string status)
    {
        await using var node = await Node.StartAsync("broken.mjs");
        var subject = Subject(new() { Port = await PortAsync(node) }, "broken/" + how, [1]);
        var failure = await Assert.ThrowsAsync<RunException>(() => RunAsync(subject, new() { Payload = HivePayload.Empty() }));
        Assert.EndsWith($"(status {status})", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Grpcio_answers()
    {
        await using var python = await Python.StartAsync("echo_server.py");
        var endpoint = new RpcEndpoint { Port = await PortAsync(python) };
        var echo = Subject(endpoint, "test.Echo/Echo", new byte[200_000], [1, 2, 3], []);
        var round = await RunAsync(echo, new() { Payload = HivePayload.Empty(), Requests = 200, Concurrency = 8 });
        Assert.Equal((200, 0), (round.Window.Calls.Service.Count, round.Window.Calls.Failed.Count));
        Assert.Equal((201, Enumerable.Range(0, 201).Sum(i => new[] { 200_000L, 3, 0 }[i % 3])),
            (echo.Replies.Messages, echo.Replies.Bytes));
        var count = new TargetSubject(
            endpoint, new("test.Echo/Count", IsServerStreaming: true), new([new Payload("three", new byte[] { 3 })], null), null);
        round = await RunAsync(count, new() { Payload = HivePayload.Empty(), Requests = 50, Concurrency = 4 });
        Assert.Equal((50, 51 * 3, 51 * 3), (round.Window.Calls.Service.Count, count.Replies.Messages, count.Replies.Bytes));
    }

    [Theory]
    [InlineData("C++")]
    [InlineData("Go")]
    public async Task A_compiled_server_answers(string language)
    {
        await using var server = await (language == "Go" ? CompiledServer.GoAsync() : CompiledServer.CppAsync());
        var endpoint = new RpcEndpoint { Port = await PortAsync(server.Process) };
        var echo = Subject(endpoint, "test.Echo/Echo", new byte[200_000], [1, 2, 3], []);
        var round = await RunAsync(echo, new() { Payload = HivePayload.Empty(), Requests = 300, Concurrency = 12, Connections = 2 });
        Assert.Equal((300, 0), (round.Window.Calls.Service.Count, round.Window.Calls.Failed.Count));
        Assert.Equal((302, Enumerable.Range(0, 302).Sum(i => new[] { 200_000L, 3, 0 }[i % 3])),
            (echo.Replies.Messages, echo.Replies.Bytes));
        var fail = Subject(endpoint, "test.Echo/Fail", [1]);
        var failure = await Assert.ThrowsAsync<RunException>(() => RunAsync(fail, new() { Payload = HivePayload.Empty() }));
        Assert.Equal("test.Echo/Fail: sold out, 100 % (status FailedPrecondition)", failure.Message);
    }

    static async Task<int> PortAsync(ScriptProcess script) => int.Parse((await script.Output.ReadLineAsync().WaitAsync(TheProgram.Limit))!);

    static TargetSubject Subject(RpcEndpoint endpoint, string path, params byte[][] requests) => new(
        endpoint, new(path, IsServerStreaming: false), new([.. requests.Select((bytes, i) => new Payload($"{i}", bytes))], null), null);

    static async Task<RoundFigures> RunAsync(TargetSubject subject, LoadPlan plan)
    {
        var load = plan with { Client = EventLoopClient.Name };
        await using var session = new LoadSession(subject, load);
        using var cancellation = new RunCancellation(default);
        await session.ConnectAsync(default).WaitAsync(TheProgram.Limit);
        return await session.RunAsync(load, cancellation, _ => { }).WaitAsync(TheProgram.Limit);
    }
}

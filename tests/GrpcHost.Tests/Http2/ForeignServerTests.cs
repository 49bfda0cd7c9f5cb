using ProtoBench.Results;
using System.Security.Cryptography.X509Certificates;
using ProtoBench.Rpc;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>The event loop against servers of others: grpc-js, Node's HTTP/2, grpcio, libgrpc++ and grpc-go.</summary>
public class ForeignServerTests
{
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
        try
        {
            var round = await RunAsync(subject, new() { Payload = HivePayload.Empty(), Requests = 3 });
            Assert.Equal([new(status, 3)], round.FailedByStatus);
        }
        catch (RunException failure)
        {
            // without an answer to the first call there is no run
            Assert.EndsWith($"(status {status})", failure.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("C++", false)]
    [InlineData("Go", false)]
    [InlineData("Node", false)]
    [InlineData("Node", true)]
    [InlineData("Python", false)]
    public async Task Every_kind_of_call_and_a_status_are_answered(string language, bool tls)
    {
        using var certificate = tls ? SelfSignedCertificate.Create() : null;
        await using var server = language switch
        {
            "Node" => await Node.StartAsync("server.mjs", certificate is null
                ? [] : [certificate.ExportCertificatePem(), certificate.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem()]),
            "Python" => await Python.StartAsync("echo_server.py"),
            _ => await CompiledPeer.StartAsync(language, "echo_server"),
        };
        var endpoint = new RpcEndpoint
        {
            Port = await PortAsync(server),
            Thumbprint = certificate is null ? null : SelfSignedCertificate.Thumbprint(certificate),
        };
        var load = new LoadPlan { Payload = HivePayload.Empty(), Requests = 200, Concurrency = 8, Connections = 2 };
        // larger than the windows of a server, and none at all
        byte[][] sizes = [new byte[200_000], [1, 2, 3], []];
        var echo = Subject(endpoint, "test.Echo/Echo", sizes);
        var round = await RunAsync(echo, load);
        Assert.Equal((200, 0), (round.Succeeded, round.FailedCalls));
        Assert.Equal((202, 202), (echo.Replies.Calls, echo.Replies.Messages));
        // the requests are sent in turn
        Assert.Equal(Enumerable.Range(0, 202).Sum(i => sizes[i % 3].LongLength), echo.Replies.Bytes);

        var duplex = Streams(new("test.Echo/Duplex", IsServerStreaming: true, IsClientStreaming: true), 7, sizes);
        round = await RunAsync(duplex, load);
        Assert.Equal((200, 0, 1400, 1400), (round.Succeeded, round.FailedCalls, round.Messages!.Sent, round.Messages!.Received));
        Assert.Equal((1400, 1200), (round.Messages!.ToAnswer.Count, round.Messages!.BetweenMessages.Count));
        // the numbers of the calls begin again after the first ones of the connections
        Assert.Equal(Enumerable.Range(0, 14).Concat(Enumerable.Range(0, 1400)).Sum(i => sizes[i % 3].LongLength), duplex.Replies.Bytes);

        var collect = Streams(new("test.Echo/Collect", IsServerStreaming: false, IsClientStreaming: true), 3, sizes);
        round = await RunAsync(collect, load);
        Assert.Equal((200, 0, 600, 200), (round.Succeeded, round.FailedCalls, round.Messages!.Sent, round.Messages!.Received));
        Assert.Equal((200, 400), (round.Messages!.ToAnswer.Count, round.Messages!.BetweenMessages.Count));
        Assert.Equal((202, 202 * "3 200003".Length), (collect.Replies.Messages, collect.Replies.Bytes));

        var expand = Streams(new("test.Echo/Expand", IsServerStreaming: true), long.MaxValue, [.. "5 100000"u8]);
        round = await RunAsync(expand, load);
        Assert.Equal((200, 0, 200, 1000), (round.Succeeded, round.FailedCalls, round.Messages!.Sent, round.Messages!.Received));
        Assert.Equal((200, 800), (round.Messages!.ToAnswer.Count, round.Messages!.BetweenMessages.Count));
        Assert.Equal(202 * 500_000L, expand.Replies.Bytes);

        if (language == "Python") return; // it has no such method
        var fail = Subject(endpoint, "test.Echo/Fail", [.. "9:sold out, 100 %"u8]);
        round = await RunAsync(fail, new() { Payload = HivePayload.Empty(), Requests = 3 });
        Assert.Equal("sold out, 100 %", round.FailureMessages!["FailedPrecondition"]);

        TargetSubject Streams(TargetMethod method, long messages, params byte[][] requests) =>
            new(endpoint, method, new([.. requests.Select((bytes, i) => new Payload($"{i}", bytes))], null), null)
            {
                Stream = new(messages),
            };
    }

    /// <summary>grpc-go answers with the compressor of the request. It does not read the empty messages that .NET compresses.</summary>
    [Theory]
    [InlineData(EventLoopClient.Name, 0)]
    [InlineData(StackClient.Name, 1)]
    public async Task Replies_have_the_compression_of_the_requests(string client, int least)
    {
        await using var server = await CompiledPeer.StartAsync("Go", "echo_server");
        var endpoint = new RpcEndpoint { Port = await PortAsync(server) };
        byte[][] sizes = [new byte[200_000], [1, 2, 3], new byte[least]];
        var echo = new TargetSubject(endpoint, new("test.Echo/Echo", false),
            new([.. sizes.Select((bytes, i) => new Payload($"{i}", bytes))], null), null)
        {
            Limits = new() { Tuning = new() { Compression = "gzip" } },
        };
        var round = await OneRound.RunAsync(echo, new() { Payload = HivePayload.Empty(), Requests = 29, Client = client });
        Assert.Equal((29, 0), (round.Succeeded, round.FailedCalls));
        Assert.Equal(10 * (200_003L + least), echo.Replies.Bytes);
    }

    static async Task<int> PortAsync(ScriptProcess script) => int.Parse((await script.Output.ReadLineAsync().WaitAsync(TheProgram.Limit))!);

    static TargetSubject Subject(RpcEndpoint endpoint, string path, params byte[][] requests) => new(
        endpoint, new(path, IsServerStreaming: false), new([.. requests.Select((bytes, i) => new Payload($"{i}", bytes))], null), null);

    static Task<LoadRound> RunAsync(TargetSubject subject, LoadPlan plan) =>
        OneRound.RunAsync(subject, plan with { Client = EventLoopClient.Name });
}

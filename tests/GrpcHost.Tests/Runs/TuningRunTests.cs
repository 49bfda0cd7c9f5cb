using ProtoBench.Results;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

public sealed class TuningRunTests : IDisposable
{
    readonly string file = Path.GetTempFileName();

    public void Dispose() => File.Delete(file);

    [Fact]
    public async Task Windows_collectors_and_variables_reach_host_and_client()
    {
        var (exitCode, output, error) = await TheProgram.RunProcessAsync(
            "run", "--codec", "google,slab", "--items", "40", "-n", "100", "-c", "4", "--rounds", "1", "--warmup", "0s", "--out", file,
            "--stack", "grpc-dotnet-defaults", "--server-window", "2MB", "--client-window", "3MB", "--io-queues", "1", "--inline-scheduling",
            "--host-gc", "workstation", "--client-gc", "server", "--host-env", "DOTNET_TieredPGO=0", "--client-env", "DOTNET_TieredPGO=1",
            "--fixed-window");
        Verdict.AssertFollows(exitCode, output, error);
        var result = LoadResultFile.Read(file);
        Assert.All(result.Variants, variant => Assert.Equal((2 << 20, 2 << 20, 3 << 20),
            (variant.Transport.Http2["serverStreamWindowBytes"], variant.Transport.Http2["serverConnectionWindowBytes"],
                variant.Transport.Http2["clientStreamWindowBytes"])));
        Assert.Equal(("Workstation non-concurrent", "on, quick jit, no PGO"),
            (result.Environment.Server!.GcMode, result.Environment.Server.TieredJit));
        // the runtime has no server GC on one processor
        Assert.Equal((Environment.ProcessorCount == 1 ? "Workstation non-concurrent" : "Server non-concurrent", "on, quick jit, PGO"),
            (result.Environment.Client.GcMode, result.Environment.Client.TieredJit));
        Assert.Contains(
            "settings of grpc-dotnet-defaults that are not defaults: Kestrel's windows of 2097152 bytes, client's windows of 3145728 bytes "
            + "at first, UnsafePreferInlineScheduling, IOQueueCount 1", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("google")]
    [InlineData("slab")]
    [InlineData("raw")]
    [InlineData("pbn")]
    public async Task A_duplex_caller_needs_the_stream_only(string codec)
    {
        var payload = HivePayload.Small("1KB");
        await using var server = await GrpcDotnetServer.StartAsync(
            new(), [HiveServices.Create(codec, HiveServices.Roots[0]).ServeStream(payload, new(false), 0)]);
        var plan = new LoadPlan { Payload = payload, Requests = 300, Concurrency = 3 };
        var subject = new HiveSubject(new(RpcTransports.All[0], codec, HiveServices.Roots[0]), server.Endpoint, payload);
        using var cancellation = new RunCancellation(default);
        await using (var session = new LoadSession(
            new HiveSubject(new(RpcTransports.All[0], codec, HiveServices.Roots[0]), server.Endpoint, payload) { Duplex = true }, plan))
        {
            await session.ConnectAsync(default);
            var round = await session.RunAsync(plan, cancellation, _ => { });
            Assert.Equal((300, 0), (round.Succeeded, round.FailedCalls));
        }

        await using var unary = new LoadSession(subject, plan);
        await unary.ConnectAsync(default);
        var refused = await unary.RunAsync(plan with { Requests = 3 }, cancellation, _ => { });
        Assert.Equal((3, "Unimplemented"), ((int)refused.FailedCalls, refused.FailedByStatus.Single().Key));
    }

    /// <summary>The second call of each caller fails, and opens a new stream.</summary>
    [Fact]
    public async Task A_stream_that_fails_is_a_failed_call()
    {
        var payload = HivePayload.Small("1KB");
        var codec = new GoogleHiveService();
        await using var server = await GrpcDotnetServer.StartAsync(new(), [codec.ServeStream(payload, new(false), 0)]);
        await using var client = new GrpcDotnetClient(server.Endpoint);
        await using var caller = codec.Stream(client, payload, new(false));
        await caller.SendAsync(default);
        Assert.True(caller.Finish(deep: true));
        await server.DisposeAsync();
        await Assert.ThrowsAsync<Grpc.Core.RpcException>(() => caller.SendAsync(default).AsTask());
    }
}

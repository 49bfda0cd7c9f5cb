using ProtoBench.Results;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

public sealed class RunTests : IDisposable
{
    readonly string file = Path.GetTempFileName();

    public void Dispose() => File.Delete(file);

    [Theory]
    [InlineData("--tls", "google,slab", "threadstatic", "grpc-dotnet-google,grpc-dotnet-slab")]
    [InlineData("--uds", "slab", "threadstatic,new", "grpc-dotnet-slab,grpc-dotnet-slab-new")]
    public async Task Hosts_in_processes_are_loaded_checked_and_written_to_a_file(
        string transport, string codecs, string roots, string names)
    {
        string[] arguments =
            ["run", "--codec", codecs, "--root", roots, "-n", "200", "-c", "4", "--connections", "2", "--rounds", "1",
                "--warmup", "0s", "--items", "40", "--out", file, transport];
        var (exitCode, output, error) = await TheProgram.RunProcessAsync(arguments);
        Verdict.AssertFollows(exitCode, output, error);
        var result = LoadResultFile.Read(file);
        Assert.Equal(names.Split(','), result.Variants.Select(variant => variant.Name));
        Assert.Equal((false, true, "closed", 4),
            (result.Partial, result.Environment.SharedCores, result.Settings.Loop, result.Settings.Concurrency));
        Assert.Equal(2, output.Split("successful rate 1 = 200/200").Length - 1);
        Assert.All(result.Variants, variant => AssertRight(variant, transport));
    }

    [Fact]
    public async Task What_a_stack_does_not_carry_is_left_out_and_said()
    {
        const string reason = "protobuf-net.Grpc with google, raw: that transport carries only pbn, pbn-runtime, pbn-slab, pbn-pool";
        var (exitCode, output, error) = await TheProgram.RunAsync("run", "--stack", "protobuf-net.Grpc,socket", "--codec", "google,raw,pbn",
            "-n", "10", "--rounds", "1", "--warmup", "0s", "--items", "40", "--out", file);
        Verdict.AssertFollows(exitCode, output, error);
        var result = LoadResultFile.Read(file);
        Assert.Equal(["protobuf-net.Grpc-pbn", "socket-google", "socket-raw", "socket-pbn"], result.Variants.Select(variant => variant.Name));
        Assert.Equal([reason], result.LeftOut ?? []);
        Assert.Equal(["left out: " + reason],
            output.Split(Environment.NewLine).Where(line => line.StartsWith("left out", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Http_1_carries_one_call_at_a_time_on_a_connection_and_says_so()
    {
        var (exitCode, _, error) =
            await TheProgram.RunAsync("run", "--stack", "http1", "--codec", "raw", "-c", "4", "-n", "10", "--warmup", "0s");
        Assert.Equal((2, "http1 carries one call at a time on a connection, so 4 calls need as many --connections"),
            (exitCode, error.Trim()));
    }

    /// <summary>The stack with the defaults of the libraries has Kestrel's number, and its client opens more connections.</summary>
    [Fact]
    public async Task A_host_of_a_run_takes_all_of_its_callers_at_a_time()
    {
        var (exitCode, output, error) = await TheProgram.RunAsync(
            "run", "--stack", "grpc-dotnet,grpc-dotnet-defaults,http2,socket", "--codec", "raw", "--payload", "empty", "-c", "240", "-n", "480",
                "--connections", "2", "--rounds", "1", "--warmup", "0s", "--out", file);
        Verdict.AssertFollows(exitCode, output, error);
        var variants = LoadResultFile.Read(file).Variants;
        Assert.Equal(
            [("grpc-dotnet", 120L, 480L), ("grpc-dotnet-defaults", 100, 480), ("http2", 120, 480), ("socket", 0, 480)],
            variants.Select(variant => (variant.Stack,
                variant.Transport.Http2.GetValueOrDefault(LoadSession.StreamsName), variant.Rounds.Single().Succeeded)));
        // HttpClient opens a third connection while calls wait, so with Kestrel's number some may have waited
        Assert.DoesNotContain(variants.Where(variant => variant.Stack != "grpc-dotnet-defaults").SelectMany(variant => variant.Verdict.Notes),
            note => note.Contains("--max-streams", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(StackClient.Name)]
    [InlineData(EventLoopClient.Name)]
    public async Task The_first_message_of_each_status_is_printed_and_written(string client)
    {
        await using var server = new FrameServer(async (peer, stream, number) =>
        {
            if (number % 2 == 0)
                await peer.ReplyAsync(stream);
            else
                await peer.SendAsync(Frames.Headers, Frames.EndHeaders | Frames.EndStream, stream,
                    [.. Frames.Ok, .. Frames.Status(number % 4 == 1 ? 13 : 5, $"call %E2%82%AC {number}")]);
        });
        var request = file + ".bin";
        await File.WriteAllBytesAsync(request, new byte[3]);
        try
        {
            var (exitCode, output, error) = await TheProgram.RunAsync("load", "--target", $"127.0.0.1:{server.Endpoint.Port}", "--method",
                "acme.Orders/Place", "--payload", request, "-c", "1", "-n", "16", "--rounds", "1", "--warmup", "0s", "--client", client, "--out",
                    file);
            Assert.True(exitCode == 3, output + error);
            var round = LoadResultFile.Read(file).Variants.Single().Rounds.Single();
            Assert.Equal([new("Internal", 4), new("NotFound", 4)], round.FailedByStatus.OrderBy(one => one.Key));
            Assert.Equal([new("Internal", "call € 1"), new("NotFound", "call € 3")], round.FailureMessages!.OrderBy(one => one.Key));
            Assert.Contains($"failed Internal: 4, first: call € 1{Environment.NewLine}", output, StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(request);
        }
    }

    [Fact]
    public async Task An_open_loop_prints_attempted_and_achieved_and_writes_both_times()
    {
        var (exitCode, output, error) = await TheProgram.RunAsync(
            "run", "--codec", "raw", "--payload", "empty", "--rate", "200", "--arrivals", "poisson", "--duration", "500ms", "--rounds",
                "1", "--warmup", "0s", "--out", file);
        Verdict.AssertFollows(exitCode, output, error);
        var round = LoadResultFile.Read(file).Variants.Single().Rounds.Single();
        Assert.Equal((0.5, round.Attempted, round.Succeeded), (round.DueSeconds, round.Succeeded, round.Response!.Count));
        Assert.True(round.DurationSeconds >= 0.5);
        Assert.Contains($"qps {round.SucceededPerSecond:F2} = {round.Succeeded}/({round.DurationSeconds:F2} s)", output, StringComparison.Ordinal);
        Assert.Contains($"attempted {round.Attempted * 2}.00/s, skipped 0, ", output, StringComparison.Ordinal);
        Assert.True(round.Response.MeanUs >= round.Service.MeanUs);
    }

    internal static void AssertRight(LoadVariant variant, string transport, int slicesOfQuestion = 0)
    {
        Assert.Equal(RpcTransports.All.Single(stack => stack.Name == variant.Stack).Protocol, variant.Transport.Protocol);
        // with its defaults HttpClient closes a connection that is not used for a minute, as on a slow machine before the round
        Assert.InRange(variant.Transport.ConnectionsOpened, 2, variant.Stack == "grpc-dotnet-defaults" ? 4 : 2);
        if (variant.Transport.Protocol == "HTTP/2")
        {
            var http2 = variant.Transport.Http2;
            Assert.Equal(100, http2[LoadSession.StreamsName]);
            Assert.Equal(variant.Stack == "grpc-dotnet-defaults" ? (65_535, 4_096) : (1_048_576, 32_768),
                (http2["clientStreamWindowBytes"], http2["serverBlockBytes"]));
        }

        Assert.Equal(transport == "--uds" ? "uds" : "tcp", variant.Transport.Socket);
        Assert.Equal(transport == "--tls", variant.Transport.Tls?.StartsWith("Tls1", StringComparison.Ordinal) ?? false);
        var round = variant.Rounds.Single();
        Assert.Equal((200, 200, 200), (round.Attempted, round.Succeeded, round.Service.Count));
        // a wrong reply would be here, as WrongReply
        Assert.Empty(round.FailedByStatus);
        Assert.True(round.VerifiedShare > 0);
        foreach (var side in new[] { round.Client!, round.Server! })
            Assert.Equal((200, 200, 200), (side.Calls, side.Encodes, side.Decodes));
        // the socket's host releases a request after its response is sent, so handlers may still have some; a leak is one of each call
        var late = variant.Stack == "socket" ? 50 : 0;
        Assert.InRange(round.Client!.SlicesOutstanding!.Value, 0, late);
        Assert.InRange(round.Server!.SlicesOutstanding!.Value, slicesOfQuestion, slicesOfQuestion + late);
        Assert.DoesNotContain(variant.Verdict.Reasons, reason => reason.Contains("messages in", StringComparison.Ordinal));
    }
}

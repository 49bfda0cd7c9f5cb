using ProtoBench.Results;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>Runs whose hosts are in this process, where the JIT compiles once what each host would compile. No other test may have slices
/// at the same time, because those of the process are counted.</summary>
[Collection("alone")]
public class EveryCodecTests
{
    public static TheoryData<string, string?> Stacks =>
    [
        .. RpcTransports.All.Select(stack => (stack.Name, (string?)null)),
        .. RpcTuning.Compressions.Select(compression => (RpcTransports.All[0].Name, (string?)compression)),
    ];

    [Theory]
    [MemberData(nameof(Stacks))]
    public async Task Every_codec_runs_on_a_stack_that_carries_it_with_every_root(string stack, string? compression)
    {
        var (transport, file) = (RpcTransports.Named(stack), Path.GetTempFileName());
        var limits = new RpcLimits { Tuning = new() { Compression = compression } };
        var plan = new LoadPlan
        {
            Payload = HivePayload.Hive(40),
            Requests = 200,
            Concurrency = 2,
            Connections = 2,
            Rounds = 1,
            ComparesClient = true,
            Files = new(Out: file),
        };
        // a root is a codec's and has nothing to do with compression
        var variants = Variant.Product([transport], HiveServices.Names, compression is null ? HiveServices.Roots : [HiveServices.Roots[0]]);
        List<IAsyncDisposable> all = [];
        try
        {
            foreach (var (_, codec, root) in variants)
                all.Add(await Host.StartAsync(
                    new() { Stack = transport, Codec = codec, Root = root, Payload = plan.Payload, Tuning = limits.Tuning }));
            LoadSession[] sessions = [.. variants.Zip(all.Cast<Host>(), (variant, host) =>
                new LoadSession(new HiveSubject(variant, host.Endpoint, plan.Payload) { Limits = limits }, plan))];
            all.InsertRange(0, sessions);
            using var output = new StringWriter();
            var exitCode = await new LoadRun(plan, sessions, output).RunAsync(TestContext.Current.CancellationToken);
            Verdict.AssertFollows(exitCode, output.ToString(), "");
        }
        finally
        {
            foreach (var one in all)
                await one.DisposeAsync();
        }

        var result = LoadResultFile.Read(file).Variants;
        File.Delete(file);
        Assert.Equal(variants.Select(variant => (variant.Name, HiveServices.HasRoots(variant.Codec) ? $"recycled, root {variant.Root}" : null)),
            result.Select(variant => (variant.Name, HiveServices.HasRoots(variant.Codec) ? variant.Memory : null)));
        // a client of plain HTTP has the request of the call that asks the host
        Assert.All(result, variant => RunTests.AssertRight(variant, "", stack is "http1" or "http2" ? 1 : 0));
    }
}

[CollectionDefinition("alone", DisableParallelization = true)]
public class Alone;

using System.Globalization;
using BenchmarkDotNet.Attributes;
using ProtoBench.Results;
using ProtoBench.Running;
using ProtoBench.Stacks;

namespace ProtoBench.Benchmarks;

/// <summary>
/// An echo over each RPC stack, host and client in one process, over the loopback interface, under TLS unless the name ends in _Plain. Time is the inverse of the rate at which calls are answered; each echo is
/// compared with what was sent. Google's messages, unless the name says Slab or ProtobufNet.
/// </summary>
[CostColumns]
public partial class RpcStackBenchmarks : ISizedCells
{
    /// <summary>Another number of calls at a time than 1 and 4, one that divides 36: set it to 36 for the published one.</summary>
    public const string ConcurrencyVariable = "PROTOBENCH_CONCURRENCY";

    const int calls = 36; // each of the published concurrencies divides it

    EchoRig? rig;

    [ParamsSource(nameof(Sizes))]
    public EchoSize Size { get; set; } = EchoSize.All[0];

    [ParamsSource(nameof(Concurrencies))]
    public int Concurrency { get; set; } = 1;

    public static IEnumerable<EchoSize> Sizes => EchoSize.All;

    public static IEnumerable<int> Concurrencies => ReadConcurrencies(Environment.GetEnvironmentVariable(ConcurrencyVariable));

    /// <summary>The numbers of calls at a time for a value of <see cref="ConcurrencyVariable"/>; null or empty for the default.</summary>
    /// <exception cref="UsageException">It is no number that divides the calls of an invocation: a remainder would be counted and not made.</exception>
    public static IReadOnlyList<int> ReadConcurrencies(string? asked)
    {
        if (string.IsNullOrEmpty(asked))
            return [1, 4];
        return int.TryParse(asked, NumberStyles.None, CultureInfo.InvariantCulture, out var concurrency) && concurrency > 0 && calls % concurrency == 0
            ? [concurrency]
            : throw new UsageException(
                $"{ConcurrencyVariable}={asked}: the number of calls at a time must be one of "
                + string.Join(", ", Enumerable.Range(1, calls).Where(number => calls % number == 0)));
    }

    /// <summary>Both directions.</summary>
    public long WireBytes(string cell) => 2 * (cell.StartsWith("Native", StringComparison.Ordinal)
        ? EchoCodecs.Json.Marshaller.Measure(EchoCodecs.Json.Create(EchoRig.Body(Size.Bytes)))
        : EchoCodecs.Google.Marshaller.Measure(EchoCodecs.Google.Create(EchoRig.Body(Size.Bytes))));

    [GlobalCleanup]
    public async Task StopAsync()
    {
        if (rig is not null)
            await rig.DisposeAsync();
        rig = null;
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = calls)] public Task<long> GRPC() => CallAsync(EchoStack.Grpc, EchoCodecs.Google);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCStream() => CallAsync(EchoStack.Grpc, EchoCodecs.Google, streaming: true);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCSlab() => CallAsync(EchoStack.Grpc, EchoCodecs.Slab);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> NativeRPC() => CallAsync(EchoStack.Socket, EchoCodecs.Json);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoRPC() => CallAsync(EchoStack.Socket, EchoCodecs.Google);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoRPCSlab() => CallAsync(EchoStack.Socket, EchoCodecs.Slab);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoHTTP1() => CallAsync(EchoStack.Http1, EchoCodecs.Google);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoHTTP2() => CallAsync(EchoStack.Http2, EchoCodecs.Google);

    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPC_Plain() => CallAsync(EchoStack.Grpc, EchoCodecs.Google, tls: false);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCStream_Plain() => CallAsync(EchoStack.Grpc, EchoCodecs.Google, tls: false, streaming: true);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCSlab_Plain() => CallAsync(EchoStack.Grpc, EchoCodecs.Slab, tls: false);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> NativeRPC_Plain() => CallAsync(EchoStack.Socket, EchoCodecs.Json, tls: false);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoRPC_Plain() => CallAsync(EchoStack.Socket, EchoCodecs.Google, tls: false);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoRPCSlab_Plain() => CallAsync(EchoStack.Socket, EchoCodecs.Slab, tls: false);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoHTTP1_Plain() => CallAsync(EchoStack.Http1, EchoCodecs.Google, tls: false);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoHTTP2_Plain() => CallAsync(EchoStack.Http2, EchoCodecs.Google, tls: false);

    async Task<long> CallAsync<T>(EchoStack stack, EchoCodec<T> codec, bool tls = true, bool streaming = false)
    {
        rig ??= await EchoRig.StartAsync(stack, codec, Size.Bytes, tls, Concurrency, streaming);
        return await rig.CallAsync(calls);
    }
}

using System.Globalization;
using BenchmarkDotNet.Attributes;
using ProtoBench.Rpc;

namespace ProtoBench.Benchmarks;

/// <summary>Measures an echo over each RPC stack, with host and client in one process, over the loopback interface, and with TLS unless the
/// name ends in _Plain. Time is the inverse of the rate of calls. Each echo is compared with the request. The messages are Google's, unless
/// the name has Slab or ProtobufNet. Transports without rows of their own are rows of <c>Echo</c>.</summary>
[CostColumns]
public class RpcStackBenchmarks : ISizedCells
{
    /// <summary>The environment variable that replaces the concurrencies 1, 4 and 36 by one number that divides 36.</summary>
    public const string ConcurrencyVariable = "PROTOBENCH_CONCURRENCY";

    const string grpc = "grpc-dotnet";
    const string grpcDefaults = "grpc-dotnet-defaults";
    const int calls = 36; // divisible by each of the published concurrencies

    // These have rows of their own, with the names of saved tables.
    static readonly string[] published = [grpc, grpcDefaults, "socket", "http1", "http2", "protobuf-net.Grpc"];

    EchoFixture? fixture;

    [ParamsSource(nameof(Sizes))]
    public EchoSize Size { get; set; } = EchoSize.All[0];

    [ParamsSource(nameof(Concurrencies))]
    public int Concurrency { get; set; } = 1;

    public static IEnumerable<EchoSize> Sizes => EchoSize.All;

    public static IEnumerable<int> Concurrencies => ReadConcurrencies(Environment.GetEnvironmentVariable(ConcurrencyVariable));

    /// <summary>The registered transports without rows of their own.</summary>
    public static IEnumerable<string> OtherTransports =>
        RpcTransports.All.Where(transport => transport.OnlyCodecs is null).Select(transport => transport.Name).Except(published);

    /// <param name="asked">The value of <see cref="ConcurrencyVariable"/>; null or empty for the default.</param>
    /// <exception cref="UsageException">It does not divide the calls of an invocation: the rest would be counted and not made.</exception>
    public static IReadOnlyList<int> ReadConcurrencies(string? asked)
    {
        if (string.IsNullOrEmpty(asked))
            return [1, 4, calls];
        return int.TryParse(asked, NumberStyles.None, CultureInfo.InvariantCulture, out var concurrency) && concurrency > 0
            && calls % concurrency == 0
            ? [concurrency]
            : throw new UsageException(
                $"{ConcurrencyVariable}={asked}: the number of calls at a time must be one of "
                + string.Join(", ", Enumerable.Range(1, calls).Where(number => calls % number == 0)));
    }

    public long WireBytes(string cell) => 2 * (cell.StartsWith("Native", StringComparison.Ordinal)
        ? EchoCodecs.Json.Marshaller.Measure(EchoCodecs.Json.Create(EchoFixture.Body(Size.Bytes)))
        : EchoCodecs.Google.Marshaller.Measure(EchoCodecs.Google.Create(EchoFixture.Body(Size.Bytes))));

    [GlobalCleanup]
    public async Task StopAsync()
    {
        if (fixture is not null)
            await fixture.DisposeAsync();
        fixture = null;
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = calls)] public Task<long> GRPC() => CallAsync(grpc, EchoCodecs.Google);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCStream() => CallAsync(grpc, EchoCodecs.Google, streaming: true);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCSlab() => CallAsync(grpc, EchoCodecs.Slab);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCDefaults() => CallAsync(grpcDefaults, EchoCodecs.Google);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> NativeRPC() => CallAsync("socket", EchoCodecs.Json);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoRPC() => CallAsync("socket", EchoCodecs.Google);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoRPCSlab() => CallAsync("socket", EchoCodecs.Slab);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoHTTP1() => CallAsync("http1", EchoCodecs.Google);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoHTTP2() => CallAsync("http2", EchoCodecs.Google);

    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPC_Plain() => CallAsync(grpc, EchoCodecs.Google, tls: false);
    [Benchmark(OperationsPerInvoke = calls)]
    public Task<long> GRPCStream_Plain() => CallAsync(grpc, EchoCodecs.Google, tls: false, streaming: true);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCSlab_Plain() => CallAsync(grpc, EchoCodecs.Slab, tls: false);
    [Benchmark(OperationsPerInvoke = calls)]
    public Task<long> GRPCDefaults_Plain() => CallAsync(grpcDefaults, EchoCodecs.Google, tls: false);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> NativeRPC_Plain() => CallAsync("socket", EchoCodecs.Json, tls: false);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoRPC_Plain() => CallAsync("socket", EchoCodecs.Google, tls: false);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoRPCSlab_Plain() => CallAsync("socket", EchoCodecs.Slab, tls: false);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoHTTP1_Plain() => CallAsync("http1", EchoCodecs.Google, tls: false);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> ProtoHTTP2_Plain() => CallAsync("http2", EchoCodecs.Google, tls: false);

    [Benchmark(OperationsPerInvoke = calls), ArgumentsSource(nameof(OtherTransports))]
    public Task<long> Echo(string transport) => CallAsync(transport, EchoCodecs.Google);
    [Benchmark(OperationsPerInvoke = calls), ArgumentsSource(nameof(OtherTransports))]
    public Task<long> EchoSlab(string transport) => CallAsync(transport, EchoCodecs.Slab);
    [Benchmark(OperationsPerInvoke = calls), ArgumentsSource(nameof(OtherTransports))]
    public Task<long> Echo_Plain(string transport) => CallAsync(transport, EchoCodecs.Google, tls: false);
    [Benchmark(OperationsPerInvoke = calls), ArgumentsSource(nameof(OtherTransports))]
    public Task<long> EchoSlab_Plain(string transport) => CallAsync(transport, EchoCodecs.Slab, tls: false);

    async Task<long> CallAsync<T>(string transport, EchoCodec<T> codec, bool tls = true, bool streaming = false)
    {
        fixture ??= await EchoFixture.StartAsync(RpcTransports.Named(transport), codec, Size.Bytes, tls, Concurrency, streaming);
        return await fixture.CallAsync(calls);
    }

    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCProtobufNet() => CallAsync("protobuf-net.Grpc", EchoCodecs.ProtobufNet);
    [Benchmark(OperationsPerInvoke = calls)]
    public Task<long> GRPCProtobufNet_Plain() => CallAsync("protobuf-net.Grpc", EchoCodecs.ProtobufNet, tls: false);
}

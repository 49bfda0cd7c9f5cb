using BenchmarkDotNet.Attributes;
using ProtoBench.Stacks;

namespace ProtoBench.Benchmarks;

public partial class RpcStackBenchmarks
{
    const string grpcDotnet = "grpc-dotnet";

    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCDotnet() => CallAsync(grpcDotnet, EchoCodecs.Google);
    [Benchmark(OperationsPerInvoke = calls)]
    public Task<long> GRPCDotnetStream() => CallAsync(grpcDotnet, EchoCodecs.Google, streaming: true);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCDotnetSlab() => CallAsync(grpcDotnet, EchoCodecs.Slab);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCDotnet_Plain() => CallAsync(grpcDotnet, EchoCodecs.Google, tls: false);
    [Benchmark(OperationsPerInvoke = calls)]
    public Task<long> GRPCDotnetStream_Plain() => CallAsync(grpcDotnet, EchoCodecs.Google, tls: false, streaming: true);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCDotnetSlab_Plain() => CallAsync(grpcDotnet, EchoCodecs.Slab, tls: false);
}

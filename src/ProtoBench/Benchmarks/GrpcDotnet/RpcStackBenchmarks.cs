using BenchmarkDotNet.Attributes;
using ProtoBench.Stacks;

namespace ProtoBench.Benchmarks;

public partial class RpcStackBenchmarks
{
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCDotnet() => CallAsync(EchoStack.GrpcDotnet, EchoCodecs.Google);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCDotnet_Plain() => CallAsync(EchoStack.GrpcDotnet, EchoCodecs.Google, tls: false);
}

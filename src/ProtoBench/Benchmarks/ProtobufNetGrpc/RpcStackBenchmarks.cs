using BenchmarkDotNet.Attributes;
using ProtoBench.Stacks;

namespace ProtoBench.Benchmarks;

public partial class RpcStackBenchmarks
{
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCProtobufNet() => CallAsync(EchoStack.ProtobufNetGrpc, EchoCodecs.ProtobufNet);
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCProtobufNet_Plain() => CallAsync(EchoStack.ProtobufNetGrpc, EchoCodecs.ProtobufNet, tls: false);
}

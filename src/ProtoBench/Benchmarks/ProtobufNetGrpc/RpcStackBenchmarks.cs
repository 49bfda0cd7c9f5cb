using BenchmarkDotNet.Attributes;
using ProtoBench.Stacks;

namespace ProtoBench.Benchmarks;

public partial class RpcStackBenchmarks
{
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> GRPCProtobufNet() => CallAsync("protobuf-net.Grpc", EchoCodecs.ProtobufNet);
    [Benchmark(OperationsPerInvoke = calls)]
    public Task<long> GRPCProtobufNet_Plain() => CallAsync("protobuf-net.Grpc", EchoCodecs.ProtobufNet, tls: false);
}

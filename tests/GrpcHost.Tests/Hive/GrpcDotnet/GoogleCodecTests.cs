using Grpc.Core;
using ProtoBench.Gpb;
using ProtoBench.GrpcHost.Hive;
using ProtoBench.GrpcHost.Hive.GrpcDotnet;

namespace ProtoBench.GrpcHost.Tests.Hive.GrpcDotnet;

public class GoogleCodecTests
{
    [Fact]
    public void Google_is_served_by_what_is_generated() =>
        Assert.IsType<GeneratedHandler>(new GoogleCodec().Serve(HivePayload.Empty(), new(false), 0));

    [Fact]
    public void A_generated_stub_calls_the_published_method_with_one_method_object()
    {
        var seen = new Seen();
        var methods = new CountedMethods(new(false));
        // each caller has a stub of its own; grpc-dotnet keeps what it knows of a method by the method
        for (var caller = 0; caller < 2; caller++)
            Assert.Throws<NotSupportedException>(() =>
                new TestProxy.TestProxyClient(new CountingInvoker(seen, methods)).ForwardAsync(new ForwardRequest()));
        Assert.Equal([HiveCodec.Path, HiveCodec.Path], seen.Methods.Select(method => method.FullName));
        Assert.Same(seen.Methods[0], seen.Methods[1]);
    }

    sealed class Seen : CallInvoker
    {
        public List<IMethod> Methods { get; } = [];

        public override AsyncUnaryCall<TResponse> AsyncUnaryCall<TRequest,
            TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options, TRequest request)
        {
            Methods.Add(method);
            throw new NotSupportedException();
        }

        public override TResponse BlockingUnaryCall<TRequest,
            TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options, TRequest request) =>
                throw new NotSupportedException();

        public override AsyncClientStreamingCall<TRequest, TResponse> AsyncClientStreamingCall<TRequest,
            TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options) => throw new NotSupportedException();

        public override AsyncDuplexStreamingCall<TRequest, TResponse> AsyncDuplexStreamingCall<TRequest,
            TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options) => throw new NotSupportedException();

        public override AsyncServerStreamingCall<TResponse> AsyncServerStreamingCall<TRequest,
            TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options, TRequest request) =>
                throw new NotSupportedException();
    }
}

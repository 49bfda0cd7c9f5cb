using System.Buffers;
using ProtoBench.Gpb;
using ProtoBench.Payloads;

namespace ProtoBench.Rpc.Tests;

/// <summary>Our methods on grpc-dotnet against those that Grpc.Tools generates from test_proxy.proto.</summary>
public sealed class GeneratedMethodTests
{
    [Fact]
    public void Our_marshaller_makes_the_calls_that_a_generated_one_makes()
    {
        var binder = new Recorder();
        TestProxy.BindService(binder, new Service());
        var generated = Assert.IsType<Method<ForwardRequest, ForwardResponse>>(binder.Bound);
        var ours = GrpcDotnetTypes.Method(
            new RpcMethod<ForwardRequest, ForwardResponse>(generated.FullName, new GoogleMarshaller<ForwardRequest>(),
                new GoogleMarshaller<ForwardResponse>()), MethodType.Unary);
        Assert.Equal((generated.ServiceName, generated.Name, generated.Type), (ours.ServiceName, ours.Name, ours.Type));

        var wire = Hive.Request(40);
        var (there, here) = (new Written(), new Written());
        generated.RequestMarshaller.ContextualSerializer(generated.RequestMarshaller.ContextualDeserializer(new Payload(wire)), there);
        ours.RequestMarshaller.ContextualSerializer(ours.RequestMarshaller.ContextualDeserializer(new Payload(wire)), here);
        Assert.Equal(["SetPayloadLength " + wire.Length, "GetBufferWriter", "Complete"], there.Calls);
        Assert.Equal(there.Calls, here.Calls);
        Assert.Equal(wire, there.Bytes);
        Assert.Equal(wire, here.Bytes);
    }

    sealed class Service : TestProxy.TestProxyBase;

    sealed class Recorder : ServiceBinderBase
    {
        public IMethod? Bound { get; private set; }

        public override void AddMethod<TRequest,
            TResponse>(Method<TRequest, TResponse> method, UnaryServerMethod<TRequest, TResponse>? handler) => Bound = method;
    }

    sealed class Written : SerializationContext
    {
        readonly ArrayBufferWriter<byte> writer = new();

        public List<string> Calls { get; } = [];

        public byte[] Bytes => writer.WrittenSpan.ToArray();

        public override void SetPayloadLength(int payloadLength) => Calls.Add("SetPayloadLength " + payloadLength);

        public override IBufferWriter<byte> GetBufferWriter()
        {
            Calls.Add("GetBufferWriter");
            return writer;
        }

        public override void Complete() => Calls.Add("Complete");

        public override void Complete(byte[] payload) => Calls.Add("Complete with an array");
    }

    sealed class Payload(byte[] wire) : DeserializationContext
    {
        public override int PayloadLength => wire.Length;

        public override byte[] PayloadAsNewBuffer() => throw new InvalidOperationException("the payload is copied");

        public override ReadOnlySequence<byte> PayloadAsReadOnlySequence() => new(wire);
    }
}

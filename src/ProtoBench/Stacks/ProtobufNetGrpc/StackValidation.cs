using ProtoBench.Rpc;
using ProtoBench.Rpc.Transports.GrpcDotnet;
using ProtoBench.Validation;

namespace ProtoBench.Stacks;

static partial class StackValidation
{
    static partial void AddProtobufNetGrpc(List<Func<Task>> checks) =>
        checks.AddRange(EchoSize.All.Select<EchoSize, Func<Task>>(size => () => CheckProtobufNetGrpcAsync(size)));

    /// <summary>The code-first stub sends what Google's codec writes; and the code-first service understands and answers it.</summary>
    static async Task CheckProtobufNetGrpcAsync(EchoSize size)
    {
        var google = EchoCodecs.Google.Create(EchoFixture.Body(size.Bytes));
        var pbn = EchoCodecs.ProtobufNet.Create(EchoFixture.Body(size.Bytes));
        var method = new RpcMethod<Pbn.Echo, Pbn.Echo>(Watched.Path, EchoCodecs.ProtobufNet.Marshaller, EchoCodecs.ProtobufNet.Marshaller);
        var codeFirstTransport = RpcTransports.Named("protobuf-net.Grpc");
        var watched = new Watched();
        await using var server = await RpcTransports.Named("grpc-dotnet").StartAsync(new(), [watched.Handler]);
        await using var client = codeFirstTransport.Connect(server.Endpoint);
        await EchoCodecs.ProtobufNet.Send(client, method)(pbn);
        watched.Check($"protobuf-net.Grpc, {size}", google, 1);

        await using var codeFirst = await codeFirstTransport.StartAsync(
            new(), [EchoCodecs.ProtobufNet.Handler(RpcHandler.Unary(method, (request, _) => new(request)))]);
        await using var other = new GrpcDotnetClient(codeFirst.Endpoint);
        var reply = await other.UnaryAsync(
            new RpcMethod<Gpb.Echo, Gpb.Echo>(method.Path, EchoCodecs.Google.Marshaller, EchoCodecs.Google.Marshaller), google);
        if (!reply.Equals(google))
            throw new ValidationException($"protobuf-net.Grpc, {size}: the echo is not what was sent");
    }
}

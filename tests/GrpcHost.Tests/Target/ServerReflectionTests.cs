using System.Diagnostics.CodeAnalysis;
using System.Net;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Google.Protobuf.WellKnownTypes;
using Grpc.Core;
using Grpc.Reflection.V1Alpha;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

public class ServerReflectionTests
{
    const string forward = "TestProxyPkg.TestProxy/Forward (TestProxyPkg.ForwardRequest) returns (TestProxyPkg.ForwardResponse)";

    [Fact]
    public async Task A_host_is_loaded_and_listed_without_a_proto_file()
    {
        await using var host = await Host.StartAsync(new() { Payload = HivePayload.Empty(), Codec = "google" });
        var target = $"127.0.0.1:{host.Endpoint.Port}";
        var (exit, list, _) = await TheProgram.RunAsync("load", "--target", target, "--list");
        Assert.Equal(0, exit);
        Assert.Contains(forward, list.Split(Environment.NewLine));
        Assert.Contains("grpc.health.v1.Health/Watch (grpc.health.v1.HealthCheckRequest) returns (stream grpc.health.v1.HealthCheckResponse)",
            list.Split(Environment.NewLine));

        var request = Path.GetTempFileName() + ".json";
        await File.WriteAllTextAsync(request, """{"itemRequests": [{"itemId": "AQID"}]}""", TestContext.Current.CancellationToken);
        string[] load = ["load", "--target", target, "--payload", request, "-n", "5", "--rounds", "1", "--warmup", "0", "--method"];
        var (code, output, error) = await TheProgram.RunAsync([.. load, "TestProxyPkg.TestProxy/Forward"]);
        Verdict.AssertFollows(code, output, error);
        Assert.Contains("successful rate 1 = 5/5", output, StringComparison.Ordinal);

        (code, _, error) = await TheProgram.RunAsync([.. load, "TestProxyPkg.TestProxy/Backward"]);
        Assert.Equal((2, $"the schema has no method TestProxyPkg.TestProxy/Backward; it has TestProxyPkg.TestProxy/Forward"), (code, error.Trim()));
        (code, _, error) = await TheProgram.RunAsync([.. load, "TestProxyPkg.TestProxy"]);
        Assert.Equal((2, "TestProxyPkg.TestProxy is a service; its methods are TestProxyPkg.TestProxy/Forward"), (code, error.Trim()));
        (code, _, error) = await TheProgram.RunAsync([.. load, "acme.Orders/Place"]);
        Assert.Equal(2, code);
        Assert.Matches("^http://127.0.0.1:[0-9]+ describes only .*TestProxyPkg.TestProxy.*: name the files of the service with --proto, "
            + "or a FileDescriptorSet with --protoset$", error.Trim());
    }

    [Fact]
    public async Task A_server_without_reflection_says_what_to_name()
    {
        await using var server = await RpcTransports.All[0].StartAsync(new(),
            [PreparedReplies.Serve(new("acme.Orders/Place", IsServerStreaming: false), [new("one", new byte[1])], ReplyDelay.None)], null, null);
        var (exit, _, error) = await TheProgram.RunAsync("load", "--target", $"127.0.0.1:{server.Endpoint.Port}", "--list");
        Assert.Equal((2, $"{server.Endpoint} has no server reflection: name the files of the service with --proto, or a FileDescriptorSet "
            + "with --protoset"), (exit, error.Trim()));
    }

    /// <summary>The imports are sent only when they are asked for, and one is not known, as options of a gateway often are.</summary>
    [Fact]
    public async Task A_server_of_v1alpha_that_sends_a_file_at_a_time_is_read()
    {
        FileDescriptorProto[] files =
        [
            Parsed(TimestampReflection.Descriptor), Parsed(DurationReflection.Descriptor),
            new()
            {
                Name = "acme/orders.proto",
                Package = "acme",
                Syntax = "proto3",
                Dependency = { "google/protobuf/timestamp.proto", "google/api/annotations.proto" },
                Service =
                {
                    new ServiceDescriptorProto
                    {
                        Name = "Orders",
                        Method =
                        {
                            new MethodDescriptorProto
                            {
                                Name = "Watch", InputType = ".google.protobuf.Timestamp", OutputType = ".google.protobuf.Timestamp",
                                ClientStreaming = true,
                            },
                        },
                    },
                },
            },
        ];
        List<string> asked = [];
        var rpc = new RpcMethod<ServerReflectionRequest, ServerReflectionResponse>(
            "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", new GoogleMarshaller<ServerReflectionRequest>(),
            new GoogleMarshaller<ServerReflectionResponse>());
        await using var server = await RpcTransports.All[0].StartAsync(new(), [RpcHandler.Stream(rpc, async stream =>
        {
            while (await stream.ReadAsync() is { HasMessage: true } request)
                await stream.WriteAsync(Answer(request.Message));
        })], null, null);
        var (schema, services) = await ServerReflection.AskAsync(server.Endpoint, null, "acme.Orders", default);
        Assert.Equal(["acme.Orders/Watch (stream google.protobuf.Timestamp) returns (google.protobuf.Timestamp)"],
            schema!.Methods.Select(method => method.ToString()));
        Assert.Equal(["acme.Orders"], services);
        Assert.Equal(["acme.Orders", "google/protobuf/timestamp.proto", "google/api/annotations.proto"], asked);
        Assert.Null((await ServerReflection.AskAsync(server.Endpoint, null, "acme.Other", default)).Schema);

        ServerReflectionResponse Answer(ServerReflectionRequest request)
        {
            if (request.MessageRequestCase == ServerReflectionRequest.MessageRequestOneofCase.ListServices)
                return new() { ListServicesResponse = new() { Service = { new ServiceResponse { Name = "acme.Orders" } } } };
            asked.Add(request.FileByFilename + request.FileContainingSymbol);
            return files.FirstOrDefault(file => file.Name == request.FileByFilename || request.FileContainingSymbol == "acme.Orders"
                && file.Package == "acme") is { } file
                ? new() { FileDescriptorResponse = new() { FileDescriptorProto = { file.ToByteString() } } }
                : new() { ErrorResponse = new() { ErrorCode = (int)StatusCode.NotFound, ErrorMessage = "unknown" } };
        }

        static FileDescriptorProto Parsed(FileDescriptor file) => FileDescriptorProto.Parser.ParseFrom(file.SerializedData);
    }

    [Fact]
    public async Task The_reflection_of_services_with_slab_messages_is_listed()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
            kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
        builder.Services.AddSlabReflection().AddSlabHealthChecks();
        await using var app = builder.Build();
        app.MapGrpcService<SlabProxy>();
        app.MapSlabHealthChecksService();
        app.MapSlabReflectionService();
        await app.StartAsync(TestContext.Current.CancellationToken);
        var (exit, list, _) = await TheProgram.RunAsync("load", "--target", new Uri(app.Urls.Single()).Authority, "--list");
        Assert.Equal(0, exit);
        Assert.Equal(
        [
            forward,
            "grpc.health.v1.Health/Check (grpc.health.v1.HealthCheckRequest) returns (grpc.health.v1.HealthCheckResponse)",
            "grpc.health.v1.Health/List (grpc.health.v1.HealthListRequest) returns (grpc.health.v1.HealthListResponse)",
            "grpc.health.v1.Health/Watch (grpc.health.v1.HealthCheckRequest) returns (stream grpc.health.v1.HealthCheckResponse)",
        ], list.Split(Environment.NewLine).Where(line => line.StartsWith("TestProxy", StringComparison.Ordinal)
            || line.StartsWith("grpc.health", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task The_reflection_of_libgrpcpp_is_read()
    {
        await using var server = await CompiledPeer.StartAsync("C++", "echo_server");
        var endpoint = new RpcEndpoint { Port = int.Parse((await server.Output.ReadLineAsync().WaitAsync(TheProgram.Limit))!) };
        var (schema, _) = await ServerReflection.AskAsync(endpoint, null, null, default);
        Assert.Contains("grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo (stream grpc.reflection.v1alpha.ServerReflectionRequest) "
            + "returns (stream grpc.reflection.v1alpha.ServerReflectionResponse)", schema!.Methods.Select(method => method.ToString()));
    }

    [SuppressMessage("Performance", "CA1812", Justification = "grpc-dotnet instantiates it")]
    sealed class SlabProxy : SlabProtobuf.TestProxy.TestProxyBase;
}

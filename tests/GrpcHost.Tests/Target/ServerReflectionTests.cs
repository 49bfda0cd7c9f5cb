using System.Diagnostics.CodeAnalysis;
using System.Globalization;
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
using ProtoBench.Schemas;

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
        await System.IO.File.WriteAllTextAsync(request, """{"itemRequests": [{"itemId": "AQID"}]}""", TestContext.Current.CancellationToken);
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

    /// <summary>The imports are sent only when they are asked for, and one is not known, as options of a gateway often are. Only options
    /// use its types, so the method can be called.</summary>
    [Fact]
    public async Task A_server_of_v1alpha_that_sends_a_file_at_a_time_is_read()
    {
        // option (google.api.http).get = "/v1", which has the number 72295728
        byte[] http = [0x82, 0xD3, 0xE4, 0x93, 2, 5, 0x12, 3, .. "/v1"u8];
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
                                ClientStreaming = true, Options = Google.Protobuf.Reflection.MethodOptions.Parser.ParseFrom(http),
                            },
                        },
                    },
                },
            },
        ];
        List<string> asked = [];
        await using var server = await DescribeAsync("acme.Orders", files, asked);
        var (schema, services) = await ServerReflection.AskAsync(server.Endpoint, null, "acme.Orders");
        Assert.Equal(["acme.Orders/Watch (stream google.protobuf.Timestamp) returns (google.protobuf.Timestamp)"],
            schema!.Methods.Select(method => method.ToString()));
        Assert.Equal(["acme.Orders"], services);
        Assert.Equal(["acme.Orders", "google/protobuf/timestamp.proto", "google/api/annotations.proto"], asked);
        Assert.Equal([8, 1], JsonPayload.Encode(schema.Message("google.protobuf.Timestamp"), "\"1970-01-01T00:00:01Z\""u8, "x.json"));
        Assert.Null((await ServerReflection.AskAsync(server.Endpoint, null, "acme.Other")).Schema);

        static FileDescriptorProto Parsed(FileDescriptor file) => FileDescriptorProto.Parser.ParseFrom(file.SerializedData);
    }

    /// <summary>Types of an import that has another name, and one of the client itself. A type that nobody has blocks only its method, and
    /// of two files with one type the first is taken.</summary>
    [Fact]
    public async Task Types_that_no_import_has_are_asked_by_their_names()
    {
        var orders = File("acme/orders.proto", "acme");
        orders.Dependency.AddRange(["google/protobuf/timestamp.proto", "google/protobuf/any.proto", "acme/part.proto"]);
        orders.MessageType.AddRange(
        [
            Message("Order", ("at", "google.protobuf.Timestamp"), ("part", "acme.Part"), ("detail", "google.protobuf.Any")),
            Message("Broken", ("x", "acme.Nowhere")),
        ]);
        orders.Service.Add(new ServiceDescriptorProto { Name = "Orders", Method = { Method("Place", "Order"), Method("Break", "Broken") } });
        var part = File("vendor/part.proto", "acme");
        part.MessageType.AddRange([Message("Part"), Message("Order")]);
        var detail = File("vendor/detail.proto", "acme");
        detail.MessageType.Add(Message("Detail"));
        await using var server = await DescribeAsync("acme.Orders", [orders, part, detail], []);
        var (schema, _) = await ServerReflection.AskAsync(server.Endpoint, null, "acme.Orders");
        Assert.Equal(["acme.Orders/Place (acme.Order) returns (acme.Order)", "acme.Orders/Break (acme.Broken) returns (acme.Broken)"],
            schema!.Methods.Select(method => method.ToString()));
        Assert.Equal([0x0A, 2, 8, 1, 0x12, 0],
            JsonPayload.Encode(schema.Message("acme.Order"), """{"at": "1970-01-01T00:00:01Z", "part": {}}"""u8, "x.json"));
        Assert.Equal($"the reflection of {server.Endpoint} lacks acme.Nowhere, which acme.Broken uses",
            Assert.Throws<SchemaException>(() => schema.Message("acme.Broken")).Message);

        // the type of an Any is in no file that the service imports
        byte[] any = [0x1A, 15, 0x0A, 13, .. "x/acme.Detail"u8];
        var json = """{"detail": {"@type": "x/acme.Detail"}}"""u8.ToArray();
        Assert.Throws<SchemaException>(() => JsonPayload.Encode(schema.Message("acme.Order"), json, "x.json"));
        (schema, _) = await ServerReflection.AskAsync(server.Endpoint, null, "acme.Orders", ["acme.Detail"]);
        Assert.Equal(any, JsonPayload.Encode(schema!.Message("acme.Order"), json, "x.json"));
    }

    [Fact]
    public async Task Answers_larger_than_4_MiB_and_services_without_a_package_are_read()
    {
        var file = File("orders.proto", "");
        file.MessageType.Add(Message("Order"));
        file.Service.Add(new ServiceDescriptorProto { Name = "Orders", Method = { Method("Place", "Order", "") } });
        for (var i = 0; i < 50; i++) file.MessageType.Add(Message($"M{i}{new string('x', 100_000)}"));
        await using var server = await DescribeAsync("Orders", [file], []);
        var (schema, services) = await ServerReflection.AskAsync(server.Endpoint, null, null);
        Assert.Equal(["Orders"], services);
        Assert.Equal(["Orders/Place (Order) returns (Order)"], schema!.Methods.Select(method => method.ToString()));
    }

    /// <summary>@grpc/reflection of Node names such services and their types with a dot.</summary>
    [Fact]
    public async Task Names_that_begin_with_a_dot_are_those_of_a_file_without_a_package()
    {
        var file = File("root.proto", "");
        file.MessageType.Add(Message("Order", ("part", "Part")));
        file.Service.Add(new ServiceDescriptorProto { Name = "Orders", Method = { Method("Place", "Order", "") } });
        var other = File("other.proto", "");
        other.MessageType.Add(Message("Part"));
        List<string> asked = [];
        await using var server = await DescribeAsync(".Orders", [file, other], asked);
        var (schema, services) = await ServerReflection.AskAsync(server.Endpoint, null, "Orders");
        Assert.Equal(["Orders"], services);
        Assert.Equal(["Orders/Place (Order) returns (Order)"], schema!.Methods.Select(method => method.ToString()));
        Assert.Equal([0x0A, 0], JsonPayload.Encode(schema.Message("Order"), """{"part": {}}"""u8, "x.json"));
        Assert.Equal(["Orders", ".Orders", "Part", ".Part"], asked);
    }

    /// <summary>As servers of Go do whose files are in the registry of another protobuf library.</summary>
    [Fact]
    public async Task A_service_that_is_listed_and_not_described_is_named()
    {
        var file = File("acme/orders.proto", "acme");
        file.MessageType.Add(Message("Order"));
        file.Service.Add(new ServiceDescriptorProto { Name = "Orders", Method = { Method("Place", "Order") } });
        await using var server = await DescribeAsync("acme.Orders acme.Other", [file], []);
        var target = $"127.0.0.1:{server.Endpoint.Port}";
        var (exit, output, error) = await TheProgram.RunAsync("load", "--target", target, "--list");
        Assert.Equal((0, "acme.Orders/Place (acme.Order) returns (acme.Order)", $"warning: {server.Endpoint} does not describe acme.Other"),
            (exit, output.Trim(), error.Trim()));
        (exit, _, error) = await TheProgram.RunAsync("load", "--target", target, "--method", "acme.Other/Place", "--data", "{}");
        Assert.Equal((2, $"{server.Endpoint} has acme.Other, but does not describe it: name the files of the service with --proto, or a "
            + "FileDescriptorSet with --protoset"), (exit, error.Trim()));
    }

    [Fact]
    public async Task Files_that_are_given_are_used_beside_those_of_the_server()
    {
        var orders = File("acme/orders.proto", "acme");
        orders.MessageType.Add(Message("Order", ("detail", "google.protobuf.Any")));
        orders.Service.Add(new ServiceDescriptorProto { Name = "Orders", Method = { Method("Place", "Order") } });
        await using var server = await DescribeAsync("acme.Orders", [orders], [],
            PreparedReplies.Serve(new("acme.Orders/Place", IsServerStreaming: false), [new("one", new byte[1])], ReplyDelay.None));
        var proto = Path.Combine(Directory.CreateTempSubdirectory().FullName, "detail.proto");
        await System.IO.File.WriteAllTextAsync(proto, "syntax = \"proto3\"; package acme; message Detail { int32 size = 1; }",
            TestContext.Current.CancellationToken);
        string[] load = ["load", "--target", $"127.0.0.1:{server.Endpoint.Port}", "--method", "acme.Orders/Place", "-n", "5", "--rounds", "1",
            "--warmup", "0", "--data", """{"detail": {"@type": "x/acme.Detail", "size": 3}}"""];
        var (exit, output, error) = await TheProgram.RunAsync([.. load, "--proto", proto]);
        Verdict.AssertFollows(exit, output, error);
        Assert.Contains("successful rate 1 = 5/5", output, StringComparison.Ordinal);
        (exit, _, error) = await TheProgram.RunAsync(load);
        Assert.Equal(2, exit);
        Assert.Contains("acme.Detail", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_types_of_Any_in_files_are_asked_from_the_server_and_unknown_fields_are_allowed_by_an_option()
    {
        var orders = File("acme/orders.proto", "acme");
        orders.MessageType.Add(Message("Order", ("detail", "google.protobuf.Any")));
        orders.Service.Add(new ServiceDescriptorProto { Name = "Orders", Method = { Method("Place", "Order") } });
        var details = File("vendor/details.proto", "acme");
        details.MessageType.AddRange([Message("Detail"), Message("Part")]);
        List<string> asked = [];
        await using var server = await DescribeAsync("acme.Orders", [orders, details], asked,
            PreparedReplies.Serve(new("acme.Orders/Place", IsServerStreaming: false), [new("one", new byte[1])], ReplyDelay.None));
        var file = Path.Combine(Directory.CreateTempSubdirectory().FullName, "orders.jsonl");
        string[] load = ["load", "--target", $"127.0.0.1:{server.Endpoint.Port}", "--method", "acme.Orders/Place", "-n", "5", "--rounds", "1",
            "--warmup", "0"];

        await WriteAsync("""{"detail": {"@type": "x/acme.Detail"}}""", """{"detail": {"@type": "x/acme.Part"}}""");
        await AssertSentAsync("--payload", file);
        Assert.Contains("acme.Detail", asked);

        // the files have the service, and lack a type of the data
        var proto = Path.ChangeExtension(file, ".proto");
        await System.IO.File.WriteAllTextAsync(proto, "syntax = \"proto3\"; package acme; import \"google/protobuf/any.proto\"; message Order "
            + "{ google.protobuf.Any detail = 1; } service Orders { rpc Place(Order) returns (Order); }", TestContext.Current.CancellationToken);
        await AssertSentAsync("--payload", file, "--proto", proto);

        await WriteAsync("{}", """{"detail": {"@type": "x/acme.Detail", "nope": 1}}""");
        await AssertRefusedAsync($"{file}(2): 'detail': acme.Detail has no field 'nope'", "--payload", file);
        await AssertRefusedAsync($"{file}(2): 'detail': acme.Detail has no field 'nope'", "--data", "@" + file);
        await AssertSentAsync("--payload", file, "--allow-unknown-fields");
        await AssertSentAsync("--data", "@" + file, "--allow-unknown-fields");

        Task WriteAsync(params string[] lines) => System.IO.File.WriteAllLinesAsync(file, lines, TestContext.Current.CancellationToken);

        async Task AssertSentAsync(params string[] options)
        {
            var (exit, output, error) = await TheProgram.RunAsync([.. load, .. options]);
            Verdict.AssertFollows(exit, output, error);
            Assert.Contains("successful rate 1 = 5/5", output, StringComparison.Ordinal);
        }

        async Task AssertRefusedAsync(string reason, params string[] options)
        {
            var (exit, _, error) = await TheProgram.RunAsync([.. load, .. options]);
            Assert.Equal((2, reason), (exit, error.Trim()));
        }
    }

    /// <summary>A proxy that knows v1alpha only refuses v1 in its own way.</summary>
    [Theory]
    [InlineData("404")]
    [InlineData("405")]
    [InlineData("503")]
    [InlineData("reset")]
    [InlineData("page")]
    [InlineData("status 1")]
    [InlineData("status 7")]
    [InlineData("status 14")]
    [InlineData("status 16")]
    public async Task A_server_that_refuses_v1_is_asked_by_v1alpha(string refusal)
    {
        await using var app = await SlabHostAsync("/grpc.reflection.v1.", refusal);
        var (exit, list, error) = await TheProgram.RunAsync("load", "--target", new Uri(app.Urls.Single()).Authority, "--list");
        Assert.Equal((0, ""), (exit, error));
        Assert.Contains(forward, list.Split(Environment.NewLine));
    }

    [Theory]
    [InlineData("status 7", "reflection: no (status PermissionDenied)")]
    [InlineData("503|status 7", "reflection v1alpha: no (status PermissionDenied); v1: ")]
    [InlineData("status 12", "has no server reflection: name the files of the service with --proto")]
    public async Task A_server_that_refuses_both_versions_says_why(string refusal, string reason)
    {
        await using var app = await SlabHostAsync("/grpc.reflection.", refusal);
        var (exit, _, error) = await TheProgram.RunAsync("load", "--target", new Uri(app.Urls.Single()).Authority, "--list");
        Assert.NotEqual(0, exit);
        Assert.Contains(reason, error, StringComparison.Ordinal);
        Assert.Single(error.Trim().Split(Environment.NewLine));
    }

    [Fact]
    public async Task The_reflection_of_services_with_slab_messages_is_listed()
    {
        await using var app = await SlabHostAsync("/none", "");
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
        var (schema, _) = await ServerReflection.AskAsync(endpoint, null, null);
        Assert.Contains("grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo (stream grpc.reflection.v1alpha.ServerReflectionRequest) "
            + "returns (stream grpc.reflection.v1alpha.ServerReflectionResponse)", schema!.Methods.Select(method => method.ToString()));
    }

    static async Task<WebApplication> SlabHostAsync(string refused, string refusal)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
            kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
        builder.Services.AddSlabReflection().AddSlabHealthChecks();
        var app = builder.Build();
        app.Use(async (context, next) =>
        {
            var path = context.Request.Path.Value!;
            var how = refusal.Split('|')[path.Contains("v1alpha", StringComparison.Ordinal) ? ^1 : 0];
            if (!path.StartsWith(refused, StringComparison.Ordinal))
            {
                await next(context);
            }
            else if (how == "reset")
            {
                context.Abort();
            }
            else if (how == "page")
            {
                // a proxy that shows a page for each path that it does not know
                context.Response.ContentType = "text/html";
                await context.Response.Body.WriteAsync("<html>"u8.ToArray());
            }
            else if (how.StartsWith("status ", StringComparison.Ordinal))
            {
                context.Response.ContentType = "application/grpc";
                context.Response.Headers["grpc-status"] = how["status ".Length..];
                context.Response.Headers["grpc-message"] = "no";
            }
            else
            {
                context.Response.StatusCode = int.Parse(how, CultureInfo.InvariantCulture);
            }
        });
        app.MapGrpcService<SlabProxy>();
        app.MapSlabHealthChecksService();
        app.MapSlabReflectionService();
        await app.StartAsync(TestContext.Current.CancellationToken);
        return app;
    }

    /// <summary>A server of v1alpha that sends one file for each question.</summary>
    /// <param name="services">Their names, with spaces between them.</param>
    /// <param name="files">What is sent.</param>
    /// <param name="asked">Is given the names that are asked for.</param>
    /// <param name="others">Further methods of the server.</param>
    static async Task<IRpcServer> DescribeAsync(string services, FileDescriptorProto[] files, List<string> asked,
        params RpcHandler[] others)
    {
        var rpc = new RpcMethod<ServerReflectionRequest, ServerReflectionResponse>(
            "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", new GoogleMarshaller<ServerReflectionRequest>(),
            new GoogleMarshaller<ServerReflectionResponse>());
        return await RpcTransports.All[0].StartAsync(new(), [.. others, RpcHandler.Stream(rpc, async stream =>
        {
            while (await stream.ReadAsync() is { HasMessage: true } request)
                await stream.WriteAsync(Answer(request.Message));
        })], null, null);

        ServerReflectionResponse Answer(ServerReflectionRequest request)
        {
            if (request.MessageRequestCase == ServerReflectionRequest.MessageRequestOneofCase.ListServices)
            {
                return new()
                {
                    ListServicesResponse = new() { Service = { services.Split(' ').Select(name => new ServiceResponse { Name = name }) } },
                };
            }

            var symbol = request.FileContainingSymbol;
            asked.Add(request.FileByFilename + symbol);
            return files.FirstOrDefault(file => symbol.Length == 0 ? file.Name == request.FileByFilename : Has(file, symbol)) is { } file
                ? new() { FileDescriptorResponse = new() { FileDescriptorProto = { file.ToByteString() } } }
                : new() { ErrorResponse = new() { ErrorCode = (int)StatusCode.NotFound, ErrorMessage = "unknown" } };
        }

        bool Has(FileDescriptorProto file, string symbol) =>
            file.MessageType.Select(type => type.Name).Concat(file.Service.Select(one => one.Name))
                .Any(name => (file.Package.Length > 0 ? $"{file.Package}.{name}" : services.StartsWith('.') ? "." + name : name) == symbol);
    }

    static FileDescriptorProto File(string name, string package) => new() { Name = name, Package = package, Syntax = "proto3" };

    static DescriptorProto Message(string name, params (string Name, string Type)[] fields) => new()
    {
        Name = name,
        Field =
        {
            fields.Select((field, i) => new FieldDescriptorProto
            {
                Name = field.Name, Number = i + 1, Type = FieldDescriptorProto.Types.Type.Message, TypeName = "." + field.Type,
                Label = FieldDescriptorProto.Types.Label.Optional,
            }),
        },
    };

    static MethodDescriptorProto Method(string name, string type, string package = "acme.") =>
        new() { Name = name, InputType = $".{package}{type}", OutputType = $".{package}{type}" };

    [SuppressMessage("Performance", "CA1812", Justification = "grpc-dotnet instantiates it")]
    sealed class SlabProxy : SlabProtobuf.TestProxy.TestProxyBase;
}

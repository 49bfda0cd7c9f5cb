using Google.Protobuf;
using Google.Protobuf.Reflection;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using ProtoBench.Codec.Grpc.Errors;
using ProtoBench.Codec.WellKnownTypes;
using GoogleHealth = Grpc.Health.V1;
using GoogleReflection = Grpc.Reflection.V1;
using GoogleReflectionV1Alpha = Grpc.Reflection.V1Alpha;
using GoogleRpc = Google.Rpc;
using ServingStatus = Grpc.Health.V1.HealthCheckResponse.Types.ServingStatus;
using SlabStatus = ProtoBench.Codec.Grpc.Errors.Status;

namespace ProtoBench.Codec.Grpc.Tests;

/// <summary>Reflection, health and errors with details of a service without Google's classes. The clients have Google's classes, or are of
/// other languages (tests/python, tests/go).</summary>
public class ServicesTests
{
    static readonly string[] all =
    [
        "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection", "orders.OrderDesk",
    ];

    static CancellationToken Test => TestContext.Current.CancellationToken;

    static Task<OrdersHost> StartAsync(Action<IHealthChecksBuilder>? checks = null, Action<WebApplication>? map = null) =>
        OrdersHost.StartAsync(
            services: services =>
            {
                services.AddSlabReflection();
                var builder = services.AddSlabHealthChecks(health => health.Map("orders.OrderDesk", check => check.Tags.Contains("orders")));
                if (checks is null) builder.AddCheck("always", () => HealthCheckResult.Healthy());
                else checks(builder);
                services.Configure<HealthCheckPublisherOptions>(options =>
                    (options.Delay, options.Period) = (TimeSpan.Zero, TimeSpan.FromSeconds(1)));
            },
            map: map ?? (app =>
            {
                app.MapSlabReflectionService(StatusReflection.Descriptor, ErrorDetailsReflection.Descriptor);
                app.MapSlabHealthChecksService();
                app.MapGrpcService<RefusingDesk>();
            }));

    [Theory]
    [InlineData("go")]
    [InlineData("python")]
    public async Task A_foreign_client_uses_all_three(string language)
    {
        await using var host = await StartAsync();
        var address = $"127.0.0.1:{host.Address.Port}";
        await using var client = language == "go" ? await CompiledPeer.StartAsync("Go", "services_client", address)
            : await Python.StartAsync("services_client.py", address);
        var (exitCode, output) = await client.EndAsync(TimeSpan.FromMinutes(10));
        Assert.True(exitCode == 0, output);
        Assert.Equal(language == "go" ? 16 : 8, output.Split('\n').Count(line => line.StartsWith("ok ", StringComparison.Ordinal)));
        await host.NothingIsOutstandingAsync();
    }

    // ---- reflection

    [Fact]
    public async Task Googles_clients_of_both_versions_list_and_load_the_services()
    {
        await using var host = await StartAsync();
        using var v1 = Reflect(host);
        using var alpha = new GoogleReflectionV1Alpha.ServerReflection.ServerReflectionClient(host.Channel())
            .ServerReflectionInfo(cancellationToken: Test);
        var list = await AskAsync(v1, new() { Host = "here", ListServices = "" });
        Assert.Equal(all, list.ListServicesResponse.Service.Select(service => service.Name));
        Assert.Equal(("here", new GoogleReflection.ServerReflectionRequest { Host = "here", ListServices = "" }),
            (list.ValidHost, list.OriginalRequest));
        await alpha.RequestStream.WriteAsync(new() { ListServices = "" }, Test);
        Assert.True(await alpha.ResponseStream.MoveNext(Test));
        Assert.Equal(list.ListServicesResponse.ToByteArray(), alpha.ResponseStream.Current.ListServicesResponse.ToByteArray());

        Dictionary<string, FileDescriptorProto> files = [];
        foreach (var name in all)
        {
            var answer = await AskAsync(v1, new() { FileContainingSymbol = name });
            foreach (var bytes in answer.FileDescriptorResponse.FileDescriptorProto)
            {
                var file = FileDescriptorProto.Parser.ParseFrom(bytes);
                files.TryAdd(file.Name, file);
            }
        }

        // Google's own loader accepts them
        Assert.Equal(["grpc/health/v1/health.proto", "grpc/reflection/v1/reflection.proto", "grpc/reflection/v1alpha/reflection.proto",
            "orders.proto"], FileDescriptor.BuildFromByteStrings(files.Values.Select(file => file.ToByteString())).Select(file => file.Name)
            .Order(StringComparer.Ordinal));
        await v1.RequestStream.CompleteAsync();
        await alpha.RequestStream.CompleteAsync();
        Assert.False(await v1.ResponseStream.MoveNext(Test));
        await host.NothingIsOutstandingAsync();
    }

    public static TheoryData<string, string> Symbols => new()
    {
        { "orders.OrderDesk", "orders.proto" }, { "orders.OrderDesk.Watch", "orders.proto" }, { "orders.Order", "orders.proto" },
        { "orders.Order.Limit", "orders.proto" }, { "orders.Order.Limit.price", "orders.proto" },
        { "google.protobuf.Any", "google/protobuf/any.proto" }, { "google.rpc.BadRequest.FieldViolation", "google/rpc/error_details.proto" },
        { "grpc.reflection.v1.ServerReflectionRequest.message_request", "grpc/reflection/v1/reflection.proto" },
        { "grpc.health.v1.HealthCheckResponse.ServingStatus", "grpc/health/v1/health.proto" },
        { "grpc.health.v1.HealthCheckResponse.SERVING", "grpc/health/v1/health.proto" },
        { "orders.Order.Limits", "" }, { "orders", "" }, { ".orders.Order", "" }, { "", "" },
    };

    [Theory]
    [MemberData(nameof(Symbols))]
    public async Task A_symbol_has_its_file_and_the_imports(string symbol, string expected)
    {
        await using var host = await StartAsync();
        using var v1 = Reflect(host);
        var answer = await AskAsync(v1, new() { FileContainingSymbol = symbol });
        if (expected.Length == 0)
        {
            Assert.Equal(((int)StatusCode.NotFound, $"No file declares {symbol}."),
                (answer.ErrorResponse.ErrorCode, answer.ErrorResponse.ErrorMessage));
            return;
        }

        var names = answer.FileDescriptorResponse.FileDescriptorProto.Select(bytes => FileDescriptorProto.Parser.ParseFrom(bytes)).ToList();
        Assert.Equal(expected, names[0].Name);
        Assert.Subset(names.Select(file => file.Name).ToHashSet(), names.SelectMany(file => file.Dependency).ToHashSet());
        var byName = await AskAsync(v1, new() { FileByFilename = expected });
        Assert.Equal(answer.FileDescriptorResponse, byName.FileDescriptorResponse);
    }

    [Fact]
    public async Task Extensions_are_found_by_type_and_number()
    {
        var file = Reflection.FileDescriptor.Load([ExtensionFile().ToByteArray()])[0];
        await using var host = await StartAsync(map: app => app.MapSlabReflectionService(file));
        using var v1 = Reflect(host);
        foreach (var number in (int[])[110, 120])
        {
            var found = await AskAsync(v1, new() { FileContainingExtension = new() { ContainingType = "ext.Open", ExtensionNumber = number } });
            Assert.Equal("ext.proto", FileDescriptorProto.Parser.ParseFrom(found.FileDescriptorResponse.FileDescriptorProto.Single()).Name);
        }

        var missing = await AskAsync(v1, new() { FileContainingExtension = new() { ContainingType = "ext.Open", ExtensionNumber = 111 } });
        Assert.Equal("No file extends ext.Open with the number 111.", missing.ErrorResponse.ErrorMessage);
        var numbers = await AskAsync(v1, new() { AllExtensionNumbersOfType = "ext.Open" });
        Assert.Equal([110, 120], numbers.AllExtensionNumbersResponse.ExtensionNumber);
        Assert.Equal("ext.Open", numbers.AllExtensionNumbersResponse.BaseTypeName);
        var noType = await AskAsync(v1, new() { AllExtensionNumbersOfType = "ext.Closed" });
        Assert.Equal((int)StatusCode.NotFound, noType.ErrorResponse.ErrorCode);
        var nothing = await AskAsync(v1, new());
        Assert.Equal((int)StatusCode.InvalidArgument, nothing.ErrorResponse.ErrorCode);
        foreach (var symbol in (string[])["ext.outer", "ext.Open.inner"])
            Assert.Single((await AskAsync(v1, new() { FileContainingSymbol = symbol })).FileDescriptorResponse.FileDescriptorProto);
    }

    static FileDescriptorProto ExtensionFile()
    {
        static FieldDescriptorProto Field(string name, int number) => new()
        {
            Name = name,
            Number = number,
            Label = FieldDescriptorProto.Types.Label.Optional,
            Type = FieldDescriptorProto.Types.Type.Int32,
            Extendee = ".ext.Open",
        };

        return new()
        {
            Name = "ext.proto",
            Package = "ext",
            MessageType =
            {
                new DescriptorProto
                {
                    Name = "Open", ExtensionRange = { new DescriptorProto.Types.ExtensionRange { Start = 100, End = 200 } },
                    Extension = { Field("inner", 120) },
                },
            },
            Extension = { Field("outer", 110) },
        };
    }

    [Fact]
    public async Task Reflection_can_require_authorization_and_must_be_added()
    {
        List<AuthorizationPolicy> policies = [];
        await using var host = await OrdersHost.StartAsync(
            services: services => services.AddSlabReflection().AddAuthorization().AddAuthentication(),
            map: app =>
            {
                app.UseAuthorization();
                app.MapSlabReflectionService().RequireAuthorization(policy => policy.RequireAssertion(_ => false));
                policies.AddRange(((IEndpointRouteBuilder)app).DataSources.SelectMany(source => source.Endpoints)
                    .Where(endpoint => endpoint.DisplayName?.EndsWith("/ServerReflectionInfo", StringComparison.Ordinal) == true)
                    .SelectMany(endpoint => endpoint.Metadata.GetOrderedMetadata<AuthorizationPolicy>()));
            });
        Assert.Equal(2, policies.Count); // of v1 and v1alpha
        await using var without = WebApplication.CreateSlimBuilder().Build();
        Assert.Contains("AddSlabReflection", Assert.Throws<InvalidOperationException>(() => without.MapSlabReflectionService()).Message,
            StringComparison.Ordinal);
        Assert.Contains("AddSlabHealthChecks", Assert.Throws<InvalidOperationException>(() => without.MapSlabHealthChecksService()).Message,
            StringComparison.Ordinal);
    }

    /// <summary>The .proto files are ours; Google's packages have the originals. Health/List is newer than the package.</summary>
    [Fact]
    public void The_protocols_are_those_of_Googles_packages()
    {
        Assert.Equal(Original(GoogleRpc.StatusReflection.Descriptor), Ours(StatusReflection.Descriptor));
        Assert.Equal(Original(GoogleRpc.ErrorDetailsReflection.Descriptor), Ours(ErrorDetailsReflection.Descriptor));
        var health = Ours(Health.HealthReflection.Descriptor);
        health.Service[0].Method.RemoveAt(1);
        foreach (var name in (string[])["HealthListRequest", "HealthListResponse"])
            health.MessageType.Remove(health.MessageType.Single(message => message.Name == name));
        health.Name = "health.proto";
        Assert.Equal(Original(GoogleHealth.HealthReflection.Descriptor), health);
        Assert.Equal(Original(GoogleReflection.ReflectionReflection.Descriptor), Ours(AspNetCore.V1.ReflectionReflection.Descriptor));
        var alpha = Ours(AspNetCore.V1Alpha.ReflectionReflection.Descriptor);
        alpha.Name = GoogleReflectionV1Alpha.ReflectionReflection.Descriptor.Name;
        Assert.Equal(Original(GoogleReflectionV1Alpha.ReflectionReflection.Descriptor), alpha);

        static FileDescriptorProto Ours(Reflection.FileDescriptor file) =>
            Plain(FileDescriptorProto.Parser.ParseFrom(file.SerializedData.Span));

        static FileDescriptorProto Original(FileDescriptor file) => Plain(file.ToProto());

        static FileDescriptorProto Plain(FileDescriptorProto file)
        {
            file.Options = null;
            var messages = file.MessageType.Concat(file.MessageType.SelectMany(message => message.NestedType))
                .Concat(file.MessageType.SelectMany(message => message.NestedType).SelectMany(message => message.NestedType));
            foreach (var field in messages.SelectMany(message => message.Field)) field.ClearJsonName();
            return file;
        }
    }

    // ---- health

    [Fact]
    public async Task Health_follows_the_checks_of_each_service()
    {
        var orders = HealthStatus.Healthy;
        await using var host = await StartAsync(checks => checks
            .AddCheck("disk", () => HealthCheckResult.Degraded()).AddCheck("queue", () => new(orders), tags: ["orders"]));
        var client = new GoogleHealth.Health.HealthClient(host.Channel());
        Assert.Equal(ServingStatus.Serving, (await client.CheckAsync(new(), cancellationToken: Test)).Status);
        using var whole = client.Watch(new(), cancellationToken: Test);
        using var one = client.Watch(new() { Service = "orders.OrderDesk" }, cancellationToken: Test);
        Assert.Equal((ServingStatus.Serving, ServingStatus.Serving), (await NextAsync(whole), await NextAsync(one)));
        orders = HealthStatus.Unhealthy;
        GoogleHealth.HealthCheckRequest request = new() { Service = "orders.OrderDesk" };
        Assert.Equal(ServingStatus.NotServing, (await client.CheckAsync(request, cancellationToken: Test)).Status);
        Assert.Equal((ServingStatus.NotServing, ServingStatus.NotServing), (await NextAsync(whole), await NextAsync(one)));
        orders = HealthStatus.Healthy;
        Assert.Equal((ServingStatus.Serving, ServingStatus.Serving), (await NextAsync(whole), await NextAsync(one)));

        var unknown = await OrdersHost.FailureOf(async () => await client.CheckAsync(new() { Service = "orders" }, cancellationToken: Test));
        Assert.Equal((StatusCode.NotFound, "The health of the service 'orders' is not reported."), (unknown.StatusCode, unknown.Status.Detail));
        using var nobody = client.Watch(new() { Service = "orders" }, cancellationToken: Test);
        Assert.Equal(ServingStatus.ServiceUnknown, await NextAsync(nobody));

        using var nothing = Health.HealthListRequest.Rent();
        using var slab = await new Health.Health.HealthClient(host.Channel()).ListAsync(nothing, cancellationToken: Test);
        Assert.Equal(["", "orders.OrderDesk"], slab.Value.Statuses.Select(status => status.Key.ToString()).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task A_watch_ends_when_the_host_stops()
    {
        IHostApplicationLifetime? lifetime = null;
        await using var host = await StartAsync(map: app =>
        {
            lifetime = app.Lifetime;
            app.MapSlabHealthChecksService();
        });
        var client = new GoogleHealth.Health.HealthClient(host.Channel());
        using var watch = client.Watch(new(), cancellationToken: Test);
        Assert.Equal(ServingStatus.Serving, await NextAsync(watch));
        lifetime!.StopApplication();
        Assert.Equal(ServingStatus.NotServing, await NextAsync(watch));
        Assert.False(await watch.ResponseStream.MoveNext(Test));
        Assert.Equal(StatusCode.OK, watch.GetStatus().StatusCode);
    }

    [Fact]
    public async Task A_watch_that_its_client_leaves_ends_on_the_server()
    {
        await using var host = await StartAsync();
        using (var watch = new GoogleHealth.Health.HealthClient(host.Channel()).Watch(new(), cancellationToken: Test))
            Assert.Equal(ServingStatus.Serving, await NextAsync(watch));
        await host.NothingIsOutstandingAsync();
    }

    static async Task<ServingStatus> NextAsync(AsyncServerStreamingCall<GoogleHealth.HealthCheckResponse> watch)
    {
        Assert.True(await watch.ResponseStream.MoveNext(Test).WaitAsync(OrdersHost.Limit, Test));
        return watch.ResponseStream.Current.Status;
    }

    static AsyncDuplexStreamingCall<GoogleReflection.ServerReflectionRequest, GoogleReflection.ServerReflectionResponse> Reflect(
        OrdersHost host) =>
        new GoogleReflection.ServerReflection.ServerReflectionClient(host.Channel()).ServerReflectionInfo(cancellationToken: Test);

    static async Task<GoogleReflection.ServerReflectionResponse> AskAsync(
        AsyncDuplexStreamingCall<GoogleReflection.ServerReflectionRequest, GoogleReflection.ServerReflectionResponse> call,
        GoogleReflection.ServerReflectionRequest request)
    {
        await call.RequestStream.WriteAsync(request, Test);
        Assert.True(await call.ResponseStream.MoveNext(Test));
        return call.ResponseStream.Current;
    }

    // ---- errors with details

    [Fact]
    public async Task Googles_client_and_ours_read_the_details_of_our_error()
    {
        await using var host = await StartAsync();
        var failure = await OrdersHost.FailureOf(async () => await host.GoogleClient().PlaceAsync(new(), cancellationToken: Test));
        var google = failure.GetRpcStatus()!;
        Assert.Equal((3, "two fields are missing", 3), (google.Code, google.Message, google.Details.Count));
        Assert.Equal(["customer", "article"], google.GetDetail<GoogleRpc.BadRequest>().FieldViolations.Select(one => one.Field));
        Assert.Equal("7", google.GetDetail<GoogleRpc.ErrorInfo>().Metadata["shop"]);
        Assert.Equal(TimeSpan.FromSeconds(1.5), google.GetDetail<GoogleRpc.RetryInfo>().RetryDelay.ToTimeSpan());

        using var order = host.Order("", "");
        failure = await OrdersHost.FailureOf(async () => (await host.Client().PlaceAsync(order, cancellationToken: Test)).Dispose());
        Assert.Equal((StatusCode.InvalidArgument, "two fields are missing"), (failure.StatusCode, failure.Status.Detail));
        using var status = StatusExtensions.GetRpcStatus(failure)!.Value;
        Assert.Equal(google.ToByteArray(), status.ToByteArray());
        using var bad = BadRequest.Rent();
        Assert.True(status.Value.TryGetDetail(bad));
        Assert.Equal("article", bad.Value.FieldViolations[1].Field.ToString());
        using var help = Help.Rent().Fill(help => help.AddLinks());
        Assert.False(status.Value.TryGetDetail(help));
        Assert.Equal(1, help.Value.Links.Count);
    }

    [Fact]
    public void Our_client_reads_Googles_error()
    {
        var google = new GoogleRpc.Status { Code = (int)StatusCode.Aborted, Message = "again" };
        google.Details.Add(Google.Protobuf.WellKnownTypes.Any.Pack(new GoogleRpc.DebugInfo { Detail = "here" }));
        using var status = StatusExtensions.GetRpcStatus(google.ToRpcException())!.Value;
        Assert.Equal(google.ToByteArray(), status.ToByteArray());
        Assert.Equal(StatusCode.Aborted, status.Value.ToRpcException().StatusCode);
    }

    [Fact]
    public void Trailers_without_a_status_or_with_a_broken_one()
    {
        Assert.Null(StatusExtensions.GetRpcStatus(new RpcException(new(StatusCode.Aborted, ""))));
        Metadata broken = new() { { "grpc-status-details-bin", [0xFF] } };
        Assert.Throws<WireFormatException>(() => StatusExtensions.GetRpcStatus(broken));
        Assert.Null(StatusExtensions.GetRpcStatus(broken, ignoreParseError: true));
        using var status = SlabStatus.Rent().Fill(status => status.SetCode(5));
        StatusExtensions.SetRpcStatus(broken, status.Value);
        Assert.Equal(status.ToByteArray(), Assert.Single(broken).ValueBytes);
    }

    [Fact]
    public void An_error_is_not_OK()
    {
        Assert.Throws<ArgumentException>(() => RpcError.Create(StatusCode.OK, "fine", _ => { }));
        var status = SlabStatus.Rent().Fill(status => status.SetCode(5));
        Assert.Equal(StatusCode.NotFound, status.ToRpcException().StatusCode);
        Assert.Throws<ObjectDisposedException>(() => status.Value);
        Assert.Throws<ArithmeticException>(() => RpcError.Create(StatusCode.Aborted, "", _ => throw new ArithmeticException()));
    }

    sealed class RefusingDesk : OrderDesk.OrderDeskBase
    {
        public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) =>
            throw RpcError.Create(StatusCode.InvalidArgument, "two fields are missing", status =>
            {
                status.AddDetail<BadRequest>(bad =>
                {
                    bad.AddFieldViolations().SetField("customer");
                    bad.AddFieldViolations().SetField("article");
                });
                status.AddDetail<ErrorInfo>(info => info.SetMetadata("shop", "7"));
                status.AddDetail<RetryInfo>(retry => retry.MutableRetryDelay().Set(TimeSpan.FromSeconds(1.5)));
            });
    }
}

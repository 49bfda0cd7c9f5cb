using System.IO.Compression;
using System.Net;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Grpc.Core;
using Grpc.Health.V1;
using Grpc.Net.Client;
using ProtoBench.Rpc;
using Alpha = Grpc.Reflection.V1Alpha;
using V1 = Grpc.Reflection.V1;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>What a host of gRPC has beside the service that is measured: health, and reflection as grpcurl asks for it.</summary>
public class HostServicesTests
{
    const string proxy = "TestProxyPkg.TestProxy";

    public static TheoryData<string, string> Hosts =>
        [("grpc-dotnet", "google"), ("grpc-dotnet", "slab"), ("grpc-dotnet-defaults", "google"), ("protobuf-net.Grpc", "pbn")];

    [Theory]
    [MemberData(nameof(Hosts))]
    public async Task A_host_says_that_it_serves(string stack, string codec)
    {
        await using var host = await StartAsync(stack, codec);
        using var channel = GrpcChannel.ForAddress(host.Endpoint.Url);
        var health = new Health.HealthClient(channel);
        Assert.Equal(HealthCheckResponse.Types.ServingStatus.Serving, (await health.CheckAsync(new())).Status);
        var unknown = await Assert.ThrowsAsync<RpcException>(async () => await health.CheckAsync(new() { Service = "no.Service" }));
        Assert.Equal(StatusCode.NotFound, unknown.StatusCode);
    }

    /// <summary>The program sets .NET's switch for that. Without it the request is an empty one, and the answer OK.</summary>
    [Theory]
    [InlineData("grpc-dotnet")]
    [InlineData("grpc-dotnet-defaults")]
    public async Task The_program_refuses_a_compressed_message_that_is_cut_off(string stack)
    {
        await using var host = await ChildProcess.StartHostAsync(["--port", "0", "--stack", stack, "--codec", "google", "--payload", "empty"]);
        using var compressed = new MemoryStream();
        await using (var gzip = new GZipStream(compressed, CompressionLevel.Fastest, leaveOpen: true))
            await gzip.WriteAsync(new HealthCheckRequest { Service = "any.Service" }.ToByteArray());
        using var client = new HttpClient();
        Assert.Equal(StatusCode.NotFound, await CheckAsync(compressed.ToArray()));
        Assert.Equal(StatusCode.Unknown, await CheckAsync(compressed.ToArray()[..11]));
        Assert.Equal(StatusCode.Unknown, await CheckAsync(compressed.ToArray()[..^1]));

        async Task<StatusCode> CheckAsync(byte[] message)
        {
            using var content = new ByteArrayContent([1, 0, 0, 0, (byte)message.Length, .. message]);
            content.Headers.Add("Content-Type", "application/grpc");
            using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(new Uri(host.Endpoint.ToString()), "/grpc.health.v1.Health/Check"))
            {
                Version = HttpVersion.Version20,
                VersionPolicy = HttpVersionPolicy.RequestVersionExact,
                Content = content,
                Headers = { { "grpc-encoding", "gzip" } },
            };
            using var reply = await client.SendAsync(request);
            var status = reply.TrailingHeaders.Concat(reply.Headers).Single(header => header.Key == "grpc-status").Value.Single();
            return (StatusCode)int.Parse(status);
        }
    }

    [Theory]
    [MemberData(nameof(Hosts))]
    public async Task Reflection_lists_the_services_and_describes_their_methods(string stack, string codec)
    {
        await using var host = await StartAsync(stack, codec);
        using var channel = GrpcChannel.ForAddress(host.Endpoint.Url);
        using var call = new V1.ServerReflection.ServerReflectionClient(channel).ServerReflectionInfo();
        var services = (await AskAsync(call, new() { ListServices = "" })).ListServicesResponse.Service.Select(service => service.Name);
        string[] expected =
        [
            "ProtoBench.Load.LoadControl", "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection",
            "grpc.reflection.v1alpha.ServerReflection",
        ];
        Assert.Equal(codec == "pbn" ? expected : ["ProtoBench.Load.LoadControl", proxy, .. expected[1..]],
            services.Order(StringComparer.Ordinal));
        foreach (var service in services.ToArray())
        {
            var described = await AskAsync(call, new() { FileContainingSymbol = service });
            Assert.Contains(Services(described.FileDescriptorResponse.FileDescriptorProto),
                name => name.StartsWith(service + ": ", StringComparison.Ordinal));
        }

        if (codec != "pbn")
        {
            var described = await AskAsync(call, new() { FileContainingSymbol = proxy });
            Assert.Equal([proxy + ": Forward"], Services(described.FileDescriptorResponse.FileDescriptorProto));
        }

        var missing = await AskAsync(call, new() { FileContainingSymbol = "no.Service" });
        Assert.Equal((int)StatusCode.NotFound, missing.ErrorResponse.ErrorCode);
    }

    /// <summary>Older tools know v1alpha only.</summary>
    [Fact]
    public async Task Reflection_speaks_v1alpha_too()
    {
        await using var host = await StartAsync("grpc-dotnet", "google");
        using var channel = GrpcChannel.ForAddress(host.Endpoint.Url);
        using var call = new Alpha.ServerReflection.ServerReflectionClient(channel).ServerReflectionInfo();
        await call.RequestStream.WriteAsync(new() { FileContainingSymbol = proxy });
        Assert.True(await call.ResponseStream.MoveNext(TestContext.Current.CancellationToken));
        Assert.Equal([proxy + ": Forward"], Services(call.ResponseStream.Current.FileDescriptorResponse.FileDescriptorProto));
    }

    static Task<Host> StartAsync(string stack, string codec) =>
        Host.StartAsync(new() { Stack = RpcTransports.Named(stack), Codec = codec, Payload = HivePayload.Empty() });

    static async Task<V1.ServerReflectionResponse> AskAsync(
        AsyncDuplexStreamingCall<V1.ServerReflectionRequest, V1.ServerReflectionResponse> call, V1.ServerReflectionRequest question)
    {
        await call.RequestStream.WriteAsync(question);
        Assert.True(await call.ResponseStream.MoveNext(TestContext.Current.CancellationToken));
        return call.ResponseStream.Current;
    }

    static IEnumerable<string> Services(IEnumerable<ByteString> files) =>
        from bytes in files
        let file = FileDescriptorProto.Parser.ParseFrom(bytes)
        from service in file.Service
        select $"{file.Package}.{service.Name}: {string.Join(", ", service.Method.Select(method => method.Name))}";
}

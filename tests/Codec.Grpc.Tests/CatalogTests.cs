using System.Text;
using System.Text.RegularExpressions;
using Grpc.Net.Client;
using Catalogs = Catalog;
using GoogleHealth = Grpc.Health.V1;

namespace ProtoBench.Codec.Grpc.Tests;

/// <summary>samples/Catalog: a service without Google.Protobuf, started as a user starts it. The client has Google's classes.</summary>
public partial class CatalogTests
{
    static CancellationToken Test => TestContext.Current.CancellationToken;

    [Fact]
    public async Task The_sample_answers_gRPC_and_JSON()
    {
        await using var sample = new ScriptProcess("dotnet", Path.Combine(Golden.Root, "artifacts", "bin", "Catalog", "release", "ProtoBench.Catalog.dll"),
            "--contentRoot", Path.Combine(Golden.Root, "samples", "Catalog"), "--Kestrel:Endpoints:Grpc:Url=http://127.0.0.1:0",
            "--Kestrel:Endpoints:Json:Url=http://127.0.0.1:0");
        using var channel = GrpcChannel.ForAddress(await AddressAsync(sample));
        using var http = new HttpClient { BaseAddress = await AddressAsync(sample) };
        using (var wrong = await http.PutAsync(new Uri("products/7", UriKind.Relative), Text("{\n\"cents\": -1}"), Test))
            Assert.StartsWith("\"line 2, column 10: ", await wrong.Content.ReadAsStringAsync(Test), StringComparison.Ordinal);
        using (var put = await http.PutAsync(new Uri("products/7", UriKind.Relative), Text("""{"title": "tea", "cents": 450, "tags": ["a"]}"""), Test))
            Assert.True(put.IsSuccessStatusCode);

        var client = new Catalogs.Catalog.CatalogClient(channel);
        var changed = await client.UpdateAsync(new()
        {
            Product = new() { Id = "7", Title = "not this", Cents = 500, Tags = { "b" } },
            Mask = new() { Paths = { "cents", "tags" } },
        }, cancellationToken: Test);
        Assert.Equal(("tea", 500u, "a b"), (changed.Title, changed.Cents, string.Join(' ', changed.Tags)));
        var failure = await OrdersHost.FailureOf(async () => await client.UpdateAsync(new() { Mask = new() { Paths = { "size" } } }, cancellationToken: Test));
        Assert.Equal("mask", failure.GetRpcStatus()!.GetDetail<Google.Rpc.BadRequest>().FieldViolations.Single().Field);
        failure = await OrdersHost.FailureOf(async () => await client.GetAsync(new() { Id = "8" }, cancellationToken: Test));
        Assert.Equal("8", failure.GetRpcStatus()!.GetDetail<Google.Rpc.ResourceInfo>().ResourceName);

        var json = await http.GetStringAsync(new Uri("products/7", UriKind.Relative), Test);
        Assert.Equal(changed, Google.Protobuf.JsonParser.Default.Parse<Catalogs.Product>(json));
        var health = await new GoogleHealth.Health.HealthClient(channel).CheckAsync(new(), cancellationToken: Test);
        Assert.Equal(GoogleHealth.HealthCheckResponse.Types.ServingStatus.Serving, health.Status);
    }

    [Fact]
    public async Task The_sample_has_no_package_of_Googles_messages()
    {
        await using var list = new ScriptProcess("dotnet", "list", Path.Combine(Golden.Root, "samples", "Catalog"), "package", "--include-transitive",
            "--no-restore");
        var (exitCode, packages) = await list.EndAsync(TimeSpan.FromMinutes(5));
        Assert.True(exitCode == 0, packages);
        Assert.Contains("Grpc.AspNetCore.Server", packages, StringComparison.Ordinal);
        Assert.DoesNotContain("Google.", packages, StringComparison.Ordinal);
    }

    static StringContent Text(string json) => new(json, Encoding.UTF8, "application/json");

    static async Task<Uri> AddressAsync(ScriptProcess program)
    {
        var seen = new StringBuilder();
        while (await program.Output.ReadLineAsync(Test).AsTask().WaitAsync(OrdersHost.Limit, Test) is { } line)
        {
            seen.AppendLine(line);
            if (Listening().Match(line) is { Success: true } match) return new(match.Groups[1].Value);
        }

        throw new InvalidOperationException($"The sample has no address: {seen}");
    }

    [GeneratedRegex(@"Now listening on: (http://\S+)")]
    private static partial Regex Listening();
}

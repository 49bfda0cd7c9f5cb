using System.Collections.Concurrent;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Grpc.Core;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using ProtoBench.Results;
using ProtoBench.Rpc;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>Loads the health service of ASP.NET Core, whose schema is known by reflection only.</summary>
public sealed class TargetConnectionTests : IDisposable
{
    const string method = "grpc.health.v1.Health/Check";
    readonly string folder = Directory.CreateTempSubdirectory("protobench-").FullName;
    readonly ConcurrentQueue<(string Authority, string? Client, string Encoding, string Tenant)> seen = [];
    readonly ConcurrentQueue<string?> names = [];

    public void Dispose() => Directory.Delete(folder, recursive: true);

    public static TheoryData<string> Clients => [StackClient.Name, EventLoopClient.Name];

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task A_client_certificate_is_presented_with_calls_and_for_reflection(string client)
    {
        using var server = Certificate("server", "localhost");
        using var own = Certificate("load client");
        await using var host = await StartAsync(server, wants: certificate => certificate.Subject == "CN=load client");
        string[] connect = ["--target", $"localhost:{host.Endpoint.Port}", "--cacert", Pem(server), "--cert", Pem(own), "--key", Key(own)];
        await LoadAsync([.. connect, "--client", client]);
        Assert.All(seen, one => Assert.Equal("CN=load client", one.Client));

        var (exit, list, error) = await TheProgram.RunAsync(["load", .. connect, "--list"]);
        Assert.True(exit == 0, error);
        Assert.Contains("grpc.health.v1.Health/Check (", list, StringComparison.Ordinal);

        // without a server that believes it, reflection says so
        (exit, _, error) = await TheProgram.RunAsync(["load", .. connect[..4], "--list"]);
        Assert.Equal((1, $"https://localhost:{host.Endpoint.Port}: the server did not complete the "
            + "HTTP/2 handshake; does it want a client certificate? (status Unavailable)"), (exit, error.Trim()));
    }

    [Fact]
    public async Task A_sweep_speaks_TLS()
    {
        using var server = Certificate("server", "localhost");
        using var own = Certificate("load client");
        await using var host = await StartAsync(server, wants: certificate => certificate.Subject == "CN=load client");
        var file = Path.Combine(folder, "sweep.json");
        var (exit, output, error) = await TheProgram.RunAsync("sweep", "--target", $"localhost:{host.Endpoint.Port}", "--method", method, "-d", "{}",
            "--cacert", Pem(server), "--cert", Pem(own), "--key", Key(own), "--duration", "100ms", "--warmup", "0", "--out", file);
        Assert.True(exit is 0 or 3, output + error);
        Assert.Contains($"{method}: peak ", output, StringComparison.Ordinal);
        var variants = LoadResultFile.Read(file).Variants;
        Assert.Equal(11, variants.Count);
        Assert.All(variants, variant => Assert.StartsWith("Tls1", variant.Transport.Tls, StringComparison.Ordinal));
        Assert.All(seen, one => Assert.Equal("CN=load client", one.Client));
    }

    [Theory]
    [InlineData(StackClient.Name, true, "the server did not complete the HTTP/2 handshake; does it accept the client certificate CN=other?")]
    [InlineData(StackClient.Name, false, "the server did not complete the HTTP/2 handshake; does it want a client certificate?")]
    [InlineData(EventLoopClient.Name, true, "the server did not complete the HTTP/2 handshake; does it accept the client certificate CN=other?")]
    [InlineData(EventLoopClient.Name, false, "the server did not complete the HTTP/2 handshake; does it want a client certificate?")]
    public async Task A_server_that_refuses_the_client_is_one_line(string client, bool presents, string sentence)
    {
        using var server = Certificate("server", "localhost");
        using var other = Certificate("other");
        await using var host = await StartAsync(server, wants: _ => false);
        var endpoint = host.Endpoint with
        {
            ClientCertificate = presents ? SslStreamCertificateContext.Create(other, null, offline: true) : null,
        };
        await using var session = new LoadSession(new TargetSubject(endpoint, new(method, false), new([new("one", default)], null), null),
            new LoadPlan { Payload = HivePayload.Empty(), Requests = 5, Client = client });
        var failure = await Assert.ThrowsAnyAsync<RunException>(() => session.ConnectAsync(default));
        Assert.Equal((ExitCode.Failed, $"{method}: {endpoint}: {sentence} (status Unavailable)"), (failure.ExitCode, failure.Message));
    }

    /// <summary>SocketsHttpHandler throws one of six shapes of exceptions, as the connection closes while the client sends, or later.
    /// </summary>
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task A_server_that_closes_after_the_TLS_handshake_is_one_sentence(bool reads, bool resets)
    {
        using var certificate = Certificate("server", "localhost");
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var endpoint = new RpcEndpoint { Port = ((IPEndPoint)listener.LocalEndpoint).Port, Trust = new() { AcceptAny = true } };
        var rpc = new RpcMethod<ReadOnlyMemory<byte>, ReadOnlyMemory<byte>>($"/{method}", new BytesMarshaller(), new BytesMarshaller());
        var token = TestContext.Current.CancellationToken;
        HashSet<string> sentences = [];
        for (var i = 0; i < 40; i++)
        {
            var closing = CloseAsync();
            await using var client = new GrpcDotnetClient(endpoint);
            await using var stream = client.Stream(rpc, cancellationToken: token);
            await stream.WriteAsync(new byte[5]);
            sentences.Add((await Assert.ThrowsAsync<RpcException>(async () => await stream.ReadAsync())).Message);
            await closing;
        }

        Assert.Equal([$"{endpoint}: the server did not complete the HTTP/2 handshake; does it want a client certificate?"], sentences);

        async Task CloseAsync()
        {
            using var socket = await listener.AcceptSocketAsync(token);
            await using var secure = new SslStream(new NetworkStream(socket));
            await secure.AuthenticateAsServerAsync(new SslServerAuthenticationOptions
            {
                ServerCertificate = certificate,
                ApplicationProtocols = [SslApplicationProtocol.Http2],
            }, token);
            if (reads)
                await secure.ReadExactlyAsync(new byte[FramePeer.Preface.Length], token);
            if (resets)
                socket.LingerState = new(true, 0);
            socket.Close();
        }
    }

    /// <summary>The text is that of OpenSSL 3 for the alert of a server that is not Kestrel.</summary>
    [Fact]
    public void The_alert_of_a_server_is_the_reason()
    {
        var failure = new IOException("Received an unexpected EOF or 0 bytes from the transport stream.",
            new InvalidOperationException("error:0A00045C:SSL routines::tlsv13 alert certificate required"));
        var endpoint = new RpcEndpoint { Port = 7, Trust = new() };
        Assert.Equal("https://127.0.0.1:7: the server refused the TLS handshake: certificate required; does it want a client certificate?",
            TransportFailure.OfConnection(
                new HttpRequestException(HttpRequestError.SecureConnectionError, inner: failure), endpoint)!.Message);
    }

    [Theory]
    [InlineData("--insecure --cname name", "--insecure is without TLS, which another option needs")]
    [InlineData("--cert none.pem", "none.pem: Could not find file")]
    [InlineData("--cert {own} --key none.pem", "none.pem: Could not find file")]
    [InlineData("--cert {own} --key {otherKey}", "{otherKey}: this is not the private key of the certificate in {own}")]
    [InlineData("--cert {own} --key {encrypted}", "{encrypted}: the private key is encrypted; 'openssl pkey -in {encrypted}' decrypts it")]
    [InlineData("--cert {own}", "{own} has no private key in PEM form: name it with --key")]
    [InlineData("--cert {own} --key {own}", "{own} has no private key in PEM form")]
    [InlineData("--cert {ownKey} --key {ownKey}", "{ownKey} has no certificate in PEM form")]
    [InlineData("--key {ownKey}", "--key is the key of --cert, which is missing")]
    [InlineData("--cert {expired} --key {expiredKey}", "{expired}: the client certificate has expired on 20")]
    [InlineData("--cert {early} --key {earlyKey}", "{early}: the client certificate is not valid before 20")]
    [InlineData("--authority a/b", "'a/b' is not an authority: host, or host:port")]
    [InlineData("--compress br", "Argument 'br' not recognized")]
    public async Task What_is_wrong_with_a_file_or_name_is_one_line_and_exit_code_2(string arguments, string message)
    {
        using var own = Certificate("own");
        using var other = Certificate("other");
        using var expired = Certificate("expired", days: -1);
        using var early = Certificate("early", days: 20);
        var encrypted = Path.Combine(folder, "encrypted.pem");
        await File.WriteAllTextAsync(encrypted, own.GetECDsaPrivateKey()!.ExportEncryptedPkcs8PrivateKeyPem("secret",
            new(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, 1_000)), TestContext.Current.CancellationToken);
        (string Name, string File)[] files =
        [
            ("own", Pem(own)), ("ownKey", Key(own)), ("otherKey", Key(other)), ("encrypted", encrypted), ("expired", Pem(expired)),
            ("expiredKey", Key(expired)), ("early", Pem(early)), ("earlyKey", Key(early)),
        ];
        string Named(string text) => files.Aggregate(text, (so, file) => so.Replace($"{{{file.Name}}}", file.File, StringComparison.Ordinal));
        var (exit, _, error) = await TheProgram.RunAsync(
            ["load", "--target", "localhost:1", "--method", "a.B/C", "--payload", Pem(own), .. Named(arguments).Split(' ')]);
        Assert.Equal(2, exit);
        Assert.StartsWith(Named(message), error, StringComparison.Ordinal);
        Assert.Single(error.TrimEnd().Split('\n'));
    }

    [Theory]
    [InlineData(StackClient.Name, false)]
    [InlineData(StackClient.Name, true)]
    [InlineData(EventLoopClient.Name, false)]
    [InlineData(EventLoopClient.Name, true)]
    public async Task The_authority_is_sent_and_TLS_keeps_the_name_of_the_target(string client, bool tls)
    {
        using var server = Certificate("server", "localhost");
        await using var host = await StartAsync(tls ? server : null);
        await LoadAsync(["--target", $"localhost:{host.Endpoint.Port}", "--client", client, "--authority", "orders.example:8443",
            .. tls ? ["--cacert", Pem(server)] : Array.Empty<string>()]);
        Assert.All(seen, one => Assert.Equal("orders.example:8443", one.Authority));
        Assert.All(names, name => Assert.Equal("localhost", name));
        Assert.Equal(tls, !names.IsEmpty);
    }

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task A_certificate_may_be_for_another_name(string client)
    {
        using var server = Certificate("server", "orders.example");
        await using var host = await StartAsync(server);
        string[] target = ["--target", $"localhost:{host.Endpoint.Port}", "--client", client, "--cacert", Pem(server)];
        await LoadAsync([.. target, "--cname", "orders.example"]);
        Assert.All(names, name => Assert.Equal("orders.example", name));
        Assert.All(seen, one => Assert.Equal($"localhost:{host.Endpoint.Port}", one.Authority));

        var (exit, _, error) = await TheProgram.RunAsync(["load", .. target, "--cname", "other.example", "--method", method, "-d", "{}"]);
        Assert.Equal(1, exit);
        Assert.Contains("the certificate is for another name than other.example", error, StringComparison.Ordinal);
    }

    /// <summary>The first address answers without TLS, so that the second is used.</summary>
    [Theory]
    [MemberData(nameof(Clients))]
    public async Task A_certificate_is_for_the_name_and_not_for_its_address(string client)
    {
        using var certificate = Certificate("server", "orders.example");
        await using var host = await StartAsync(certificate);
        await using var plain = new FrameServer((peer, stream, _) => peer.ReplyAsync(stream));
        var port = host.Endpoint.Port;
        var endpoint = await new TargetName((_, _) => Task.FromResult(new[] { IPAddress.Loopback }))
            .ReadAsync($"dns:///orders.example:{port}", new() { Trust = new() { Roots = [certificate] } }, inTurn: true, default);
        endpoint = endpoint with { Addresses = [new(IPAddress.Loopback, plain.Endpoint.Port), .. endpoint.Addresses!] };
        var subject = new TargetSubject(endpoint, new(method, false), new([new("one", default)], null), null);
        var plan = new LoadPlan { Payload = HivePayload.Empty(), Requests = 5, Client = client };
        await using var session = new LoadSession(subject, plan);
        var round = await OneRound.RunOnAsync(session, plan);
        Assert.Equal((5, 0), (round.Succeeded, round.FailedCalls));
        Assert.Equal(new IPEndPoint(IPAddress.Loopback, port), session.Connections[0].Address);
        Assert.All(names, name => Assert.Equal("orders.example", name));
        Assert.All(seen, one => Assert.Equal($"orders.example:{port}", one.Authority));
    }

    [Theory]
    [InlineData(StackClient.Name, "--compress gzip")]
    [InlineData(EventLoopClient.Name, "--compress gzip")]
    [InlineData(EventLoopClient.Name, "--enable-compression")]
    public async Task A_server_of_grpc_dotnet_reads_compressed_requests(string client, string compress)
    {
        await using var host = await StartAsync(null);
        var output = await LoadAsync(["--target", $"localhost:{host.Endpoint.Port}", "--client", client, .. compress.Split(' ')]);
        Assert.Contains("; gzip", output, StringComparison.Ordinal);
        Assert.Equal(6, seen.Count(one => one.Encoding == "gzip"));
    }

    /// <summary>The handler receives what grpc-dotnet has decompressed.</summary>
    [Theory]
    [MemberData(nameof(Clients))]
    public async Task Compressed_requests_are_those_that_were_given(string client)
    {
        var received = new List<string>();
        var rpc = new RpcMethod<ReadOnlyMemory<byte>, ReadOnlyMemory<byte>>("/acme.Orders/Place", new BytesMarshaller(), new BytesMarshaller());
        await using var server = await RpcTransports.All[0].StartAsync(new(), [RpcHandler.Unary(rpc, (request, _) =>
        {
            received.Add(Convert.ToHexString(request.Span));
            return new(new ReadOnlyMemory<byte>(new byte[7]));
        })], null, null);
        // the last is longer than a frame, and does not become smaller
        byte[][] payloads = [[], [1, 2, 3], new byte[100_000], [.. Enumerable.Range(0, 50_000).Select(i => (byte)(i * i * 7919 >> 5))]];
        var subject = new TargetSubject(server.Endpoint, new("acme.Orders/Place", false), new([.. payloads.Select(one => new Payload("", one))], null), null)
        {
            Limits = new() { Tuning = new() { Compression = "gzip" } },
        };
        var plan = new LoadPlan { Payload = HivePayload.Empty(), Requests = 7, Client = client };
        var round = await OneRound.RunAsync(subject, plan);
        Assert.Equal((7, 0), (round.Succeeded, round.FailedCalls));
        Assert.Equal(Enumerable.Range(0, 8).Select(i => Convert.ToHexString(payloads[i % 4])), received);
    }

    /// <summary>The report and the other files are not lost.</summary>
    [Fact]
    public async Task A_file_that_cannot_be_written_after_the_run_is_named()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "/dev/full is a device of Linux");
        await using var host = await StartAsync(null);
        var csv = Path.Combine(folder, "r.csv");
        var (exit, output, error) = await TheProgram.RunAsync("load", "--target", $"localhost:{host.Endpoint.Port}", "--method", method, "-d", "{}",
            "-n", "5", "--rounds", "1", "--warmup", "0", "--out", "/dev/full", "--hdr", "/dev/full", "--csv", csv);
        Assert.Equal(1, exit);
        Assert.Contains("successful rate 1 = 5/5", output, StringComparison.Ordinal);
        Assert.Contains("  replies: 1 messages", output, StringComparison.Ordinal);
        Assert.Matches("^(/dev/full was not saved: No space left on device.*\n){2}$", error);
        Assert.Contains("grpc.health.v1.Health/Check,1,,", await File.ReadAllTextAsync(csv, TestContext.Current.CancellationToken),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_file_of_ghz_is_a_load_and_the_command_line_wins()
    {
        await using var host = await StartAsync(null);
        var file = Path.Combine(folder, "ghz.json");
        await File.WriteAllTextAsync(file, $$"""
            {
              "host": "localhost:{{host.Endpoint.Port}}", "insecure": true, "call": "grpc.health.v1.Health.Check", "total": 5, "concurrency": 2,
              "connections": 2, "data": {"service": ""}, "metadata": {"tenant": "blue"}, "timeout": "1m30s", "name": "orders",
              "rounds": 1, "warmup": 0
            }
            """, TestContext.Current.CancellationToken);
        var (exit, output, error) = await TheProgram.RunAsync("load", "--config", file);
        Verdict.AssertFollows(exit, output, error);
        Assert.Contains("closed loop, 2 calls at a time, 2 connections, client event-loop", output, StringComparison.Ordinal);
        Assert.Contains("successful rate 1 = 5/5", output, StringComparison.Ordinal);
        Assert.Equal($"note: {file}(3,98): 'name' has no effect here", error.Trim());
        Assert.All(seen, one => Assert.Equal("blue", one.Tenant));

        (exit, output, error) = await TheProgram.RunAsync("load", "--config", file, "-n", "3", "--processes", "2");
        Verdict.AssertFollows(exit, output, error);
        Assert.Contains("successful rate 1 = 3/3", output, StringComparison.Ordinal);

        // ghz speaks TLS unless it is told not to, and a token must not leave in plain text
        await File.WriteAllTextAsync(file, (await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken))
            .Replace("\"insecure\": true, ", "", StringComparison.Ordinal), TestContext.Current.CancellationToken);
        (exit, _, error) = await TheProgram.RunAsync("load", "--config", file);
        Assert.Equal(1, exit);
        Assert.Contains("the TLS handshake failed", error, StringComparison.Ordinal);
    }

    static async Task<string> LoadAsync(string[] options)
    {
        var (exit, output, error) = await TheProgram.RunAsync(
            ["load", .. options, "--method", method, "-d", "{}", "-n", "5", "--rounds", "1", "--warmup", "0"]);
        Verdict.AssertFollows(exit, output, error);
        Assert.Contains("successful rate 1 = 5/5", output, StringComparison.Ordinal);
        Assert.Contains($"settings of the client {(options.Contains(StackClient.Name) ? "grpc-dotnet that are not defaults: one connection, "
            : "event-loop that are not defaults: ")}windows of 1 MiB", output, StringComparison.Ordinal);
        Assert.DoesNotContain("control service", output, StringComparison.Ordinal);
        return output;
    }

    /// <param name="certificate">Null for a server without TLS.</param>
    /// <param name="wants">Which client certificates it accepts; null if it asks for none.</param>
    async Task<KestrelHost> StartAsync(X509Certificate2? certificate, Func<X509Certificate2, bool>? wants = null) =>
        await KestrelHost.StartAsync(new() { Host = "localhost" },
            app =>
            {
                app.Use(next => context =>
                {
                    var headers = context.Request.Headers;
                    seen.Enqueue((context.Request.Host.Value!, context.Connection.ClientCertificate?.Subject, headers["grpc-encoding"].ToString(),
                        headers["tenant"].ToString()));
                    return next(context);
                });
                app.MapGrpcReflectionService();
                app.MapGrpcHealthChecksService();
            },
            certificate: certificate,
            configure: builder =>
            {
                builder.Services.AddGrpc();
                builder.Services.AddGrpcReflection();
                builder.Services.AddGrpcHealthChecks().AddCheck("host", () => HealthCheckResult.Healthy());
                builder.WebHost.ConfigureKestrel(kestrel => kestrel.ConfigureHttpsDefaults(https =>
                {
                    https.ServerCertificateSelector = (_, name) =>
                    {
                        names.Enqueue(name);
                        return certificate;
                    };
                    if (wants is null)
                        return;
                    https.ClientCertificateMode = ClientCertificateMode.RequireCertificate;
                    https.ClientCertificateValidation = (own, _, _) => wants(own);
                }));
            });

    /// <param name="days">From now to the end of ten days in which it is valid.</param>
    static X509Certificate2 Certificate(string subject, string? name = null, int days = 5)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={subject}", key, HashAlgorithmName.SHA256);
        if (name is not null)
        {
            var alternative = new SubjectAlternativeNameBuilder();
            alternative.AddDnsName(name);
            request.CertificateExtensions.Add(alternative.Build());
        }

        var end = DateTimeOffset.UtcNow.AddDays(days);
        using var certificate = request.CreateSelfSigned(end.AddDays(-10), end);
        return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), null, X509KeyStorageFlags.Exportable);
    }

    string Pem(X509Certificate2 certificate) => Written(certificate.Subject[3..] + ".pem", certificate.ExportCertificatePem());

    string Key(X509Certificate2 certificate) =>
        Written(certificate.Subject[3..] + ".key.pem", certificate.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem());

    string Written(string name, string text)
    {
        var file = Path.Combine(folder, name.Replace(' ', '-'));
        File.WriteAllText(file, text);
        return file;
    }
}

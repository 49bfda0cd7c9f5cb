using System.CommandLine;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Grpc.Core;

namespace ProtoBench.GrpcHost;

static class LoadCommand
{
    public static Command Create()
    {
        var host = new HostOptions();
        host.Codec.DefaultValueFactory = _ => [HiveServices.Names[0]];
        var load = new LoadOptions();
        var url = Arguments.Many("--url", "the host: http://host:port, https://host:port or unix:path; one for each variant");
        var target = new TargetOptions();
        host.Payload.Description = "hive, or empty: messages without a field; with --target: files or folders of captured requests";
        var thumbprint = Arguments.Option<string?>(
            "--thumbprint", "SHA-256 of the host's certificate, which the host prints: the only one that is accepted");
        var processes = Arguments.Option(
            "--processes", "processes that make the calls, each with a part of the connections, where cores are left", Arguments.AtLeast1, 1);
        var isClientProcess = new Option<bool>("--client-process") { Hidden = true };
        var command = new Command(
            "load", "Loads a host of this program, or a method of any gRPC server (--target), and reports QPS and latency.")
        {
            url, thumbprint, processes, isClientProcess,
        };
        foreach (var option in target.All.Concat(load.All)
            .Concat([host.Stack, host.Codec, host.Root, host.Payload, host.Items, host.Attribute]))
            command.Add(option);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            if (target.IsUsed(parsed))
            {
                Refuse(parsed, "--target", [url, thumbprint, host.Stack, host.Codec, host.Root, host.Items, host.Attribute]);
                // the default of --payload is the hive, which other servers do not have
                var files = parsed.GetResult(host.Payload) is { Implicit: false } ? parsed.GetValue(host.Payload)! : [];
                var targetPlan = WithProcesses(load.Plan(parsed, HivePayload.Empty(), attribute: false, EventLoopClient.Name));
                if (await target.ReadAsync(parsed, files, targetPlan.Seed, Console.Out, cancellationToken) is not { } subject)
                    return ExitCode.Done;
                if (parsed.GetValue(isClientProcess))
                    return await ClientService.RunAsync(_ => subject, cancellationToken);
                return await LoadTargetAsync(subject, targetPlan, cancellationToken);
            }

            Refuse(parsed, "--url", target.All);
            var variants = host.Variants(parsed);
            var urls = parsed.GetValue(url) is { Length: > 0 } given
                ? given : throw new RunException(ExitCode.Usage,
                    "what is to be loaded? --url names a host of this program, --target any gRPC server");
            if (urls.Length != variants.Count)
                throw new RunException(ExitCode.Usage, $"{variants.Count} variants need as many --url, not {urls.Length}: a host runs one");
            var plan = load.Plan(parsed, host.PayloadOf(parsed), parsed.GetValue(host.Attribute)) with { LeftOut = host.LeftOut(parsed) };
            plan = WithProcesses(plan);
            if (plan.Processes > 1 && variants.Count > 1)
                throw new RunException(ExitCode.Usage, "--processes loads one host: name one codec and one --url");
            LoadSubject[] subjects =
                [.. variants.Zip(urls, (variant, address) =>
                    new HiveSubject(variant, ChildProcess.Parse(address, parsed.GetValue(thumbprint)), plan.Payload))];
            return parsed.GetValue(isClientProcess)
                ? await ClientService.RunAsync(_ => subjects[0], cancellationToken) : await RunAsync(subjects, plan, cancellationToken);

            LoadPlan WithProcesses(LoadPlan one)
            {
                var number = parsed.GetValue(processes);
                return number <= one.Connections ? one with { Processes = number } : throw new RunException(ExitCode.Usage,
                    $"{number} processes for {one.Connections} connections: each needs one");
            }
        });
        return command;
    }

    static async Task<int> RunAsync(IReadOnlyList<LoadSubject> subjects, LoadPlan plan, CancellationToken cancellationToken)
    {
        List<ClientProcess> processes = [];
        LoadSession[] sessions = [];
        try
        {
            for (var i = 0; plan.Processes > 1 && i < plan.Processes; i++)
                processes.Add(await ClientProcess.StartAsync([.. plan.Arguments, "--client-process"]));
            sessions = [.. subjects.Select(subject => new LoadSession(subject, plan, processes.Count > 0 ? processes : null))];
            return await new LoadRun(plan, sessions, Console.Out).RunAsync(cancellationToken);
        }
        finally
        {
            foreach (var session in sessions)
                await session.DisposeAsync();
            foreach (var process in processes)
                await process.DisposeAsync();
        }
    }

    static void Refuse(ParseResult parsed, string subject, IEnumerable<Option> options)
    {
        string[] given = [.. options.Where(option => parsed.GetResult(option) is { Implicit: false }).Select(option => option.Name)];
        if (given.Length > 0)
            throw new RunException(ExitCode.Usage, $"{string.Join(", ", given)}: without effect on a load of {subject}");
    }

    static async Task<int> LoadTargetAsync(TargetSubject subject, LoadPlan plan, CancellationToken cancellationToken)
    {
        var exit = await RunAsync([subject], plan, cancellationToken);
        if (subject.Replies is { Calls: > 0 } replies)
            await Console.Out.WriteLineAsync(
                $"  replies: {(double)replies.Messages / replies.Calls:0.##} messages and "
                    + $"{(double)replies.Bytes / replies.Calls:0.#} bytes a call");
        return exit;
    }
}

sealed class TargetOptions
{
    readonly MethodOptions method = new();

    readonly Option<string?> target = Arguments.Option<string?>("--target", "any gRPC server: host:port, or unix:path");

    readonly Option<string[]> metadata = Arguments.Many(
        "--metadata -m", "metadata to send with each call: key=value; values of keys that end in -bin are base64");

    readonly Option<bool> tls = Arguments.Option<bool>("--tls", "TLS to the target, with the system's root certificates");

    readonly Option<string?> cacert = Arguments.Option<string?>(
        "--cacert", "TLS to the target, with the root certificates of this PEM file");

    readonly Option<bool> skipVerify = Arguments.Option<bool>(
        "--skip-tls-verify --skipTLS", "TLS to the target without checking its certificate");

    readonly Option<string> order = Arguments
        .Option("--order", "requests are sent in turn, or drawn at random by --seed", byDefault: "turn")
        .AcceptOnlyFromAmong("turn", "draw");

    readonly Option<int> maxReply = Arguments.Option(
        "--max-reply --max-recv-message-size", "the largest reply that is received, after decompression: bytes, or 64KB, 16MB, 1GB",
        Arguments.Size, new RpcLimits().MaxReceiveBytes);

    public IEnumerable<Option> All => [target, .. method.All, metadata, tls, cacert, skipVerify, order, maxReply];

    public bool IsUsed(ParseResult parsed) =>
        parsed.GetValue(target) is not null || method.HasProtos(parsed) || parsed.GetValue(method.Method) is not null;

    /// <summary>Returns the target; null if the methods were listed instead.</summary>
    public async Task<TargetSubject?> ReadAsync(ParseResult parsed, IReadOnlyList<string> payloads, int seed, TextWriter output,
        CancellationToken cancellationToken)
    {
        if (method.HasProtos(parsed) && parsed.GetValue(method.Method) is null)
        {
            await method.ListAsync(parsed, output, cancellationToken);
            return null;
        }

        var address = parsed.GetValue(target) ?? throw new RunException(ExitCode.Usage, "--target is missing: the server's host:port");
        var (schema, called, described) = await method.ReadAsync(parsed, cancellationToken);
        if (payloads.Count == 0)
            throw new RunException(ExitCode.Usage, "--payload is missing: files or folders of captured requests");
        var requests = await MethodSchema.ReadAsync(schema, described?.Request, payloads, cancellationToken);
        return new(Endpoint(parsed, address), called, new(requests, parsed.GetValue(order) == "draw" ? seed : null), Metadata(parsed))
        {
            Limits = new() { MaxReceiveBytes = parsed.GetValue(maxReply) },
        };
    }

    RpcEndpoint Endpoint(ParseResult parsed, string address)
    {
        var trust = Trust(parsed);
        if (address.StartsWith("unix:", StringComparison.Ordinal))
            return new() { UnixSocket = address["unix:".Length..], Trust = trust };
        return Uri.TryCreate("http://" + address, UriKind.Absolute, out var url) && url is { Port: > 0, PathAndQuery: "/" }
            && address.Contains(':', StringComparison.Ordinal)
            ? new() { Host = url.Host.Trim('[', ']'), Port = url.Port, Trust = trust }
            : throw new RunException(ExitCode.Usage, $"'{address}' is not a target: host:port or unix:path, without http://");
    }

    ServerTrust? Trust(ParseResult parsed)
    {
        if (parsed.GetValue(skipVerify))
            return new() { AcceptAny = true };
        if (parsed.GetValue(cacert) is not { } file)
            return parsed.GetValue(tls) ? new() : null;
        try
        {
            var roots = new X509Certificate2Collection();
            roots.ImportFromPemFile(file);
            return roots.Count > 0
                ? new() { Roots = roots } : throw new RunException(ExitCode.Usage, $"{file} has no certificate in PEM form");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException)
        {
            throw new RunException(ExitCode.Usage, $"{file}: {e.Message}", e);
        }
    }

    Metadata? Metadata(ParseResult parsed)
    {
        if (parsed.GetValue(metadata) is not { Length: > 0 } entries)
            return null;
        var result = new Metadata();
        foreach (var entry in entries)
        {
            if (entry.IndexOf('=', StringComparison.Ordinal) is not (> 0 and var at))
                throw new RunException(ExitCode.Usage, $"'{entry}' is not metadata: key=value");
            var (key, value) = (entry[..at], entry[(at + 1)..]);
            try
            {
                if (key.StartsWith("grpc-", StringComparison.OrdinalIgnoreCase))
                    throw new FormatException("such keys belong to the protocol");
                if (key.EndsWith(Grpc.Core.Metadata.BinaryHeaderSuffix, StringComparison.Ordinal))
                    result.Add(key, Convert.FromBase64String(value));
                else if (value.AsSpan().ContainsAnyExceptInRange(' ', '~'))
                    throw new FormatException("the value is not printable ASCII; a key that ends in -bin takes base64");
                else
                    result.Add(key, value);
            }
            catch (Exception e) when (e is ArgumentException or FormatException)
            {
                throw new RunException(ExitCode.Usage, $"'{entry}' is not metadata: {e.Message}", e);
            }
        }

        return result;
    }
}

using System.CommandLine;
using System.CommandLine.Parsing;
using System.Text;
using Grpc.Core;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost;

/// <param name="hostTls">The option of the same name of a command that starts hosts too; null for none.</param>
sealed class TargetOptions(Option<bool>? hostTls = null)
{
    readonly MethodOptions method = new();

    readonly Option<string?> target = Arguments.Option<string?>(
        "--target", "any gRPC server: host:port, unix:path, or a name of gRPC with several addresses: dns:///name:port, ipv4:a:port,b:port");

    readonly Option<string> strategy = Arguments
        .Option("--lb-strategy", "which of several addresses a connection uses: the first that answers, or one in turn", byDefault: "pick_first")
        .AcceptOnlyFromAmong("pick_first", "round_robin");

    readonly Option<TimeSpan?> keepAlive = Arguments.Option<TimeSpan?>(
        "--keepalive", "while calls are in progress, send a PING after a silence of this time, from 1s, and replace a connection that does "
            + "not answer in the same time (no PING)", KeepAlive);

    readonly Option<string[]> metadata = Arguments.Many(
        "--metadata -m", "metadata to send with each call: key=value (of keys that end in -bin base64), or JSON, or @FILE with JSON; with the values of --data");

    readonly TlsOptions tls = new(hostTls);

    readonly Option<string?> authority = Arguments.Option<string?>(
        "--authority", "what is sent as :authority (that of --target); it does not change the name that TLS checks");

    readonly Option<string?> compress = Compress();

    readonly Option<string?> config = ConfigFile.Create();

    readonly Option<string> order = Arguments
        .Option("--order", "requests are sent in turn, or drawn at random by --seed", byDefault: "turn")
        .AcceptOnlyFromAmong("turn", "draw");

    readonly Option<int> maxReply = Arguments.Option(
        "--max-reply --max-recv-message-size", "the largest reply that is received, after decompression: bytes, or 64KB, 16MB, 1GB",
        Arguments.Size, new RpcLimits().MaxReceiveBytes);

    readonly Option<bool> list = Arguments.Option<bool>("--list", "prints the methods with their types, of --target by server reflection");

    readonly Option<string?> data = Arguments.Option<string?>(
        "--data -d", "the messages in JSON, one after the other or in an array: the text, @FILE, or - for standard input; with "
            + DataTemplate.Names);

    readonly Option<bool> allowUnknown = Arguments.Option<bool>(
        "--allow-unknown-fields", "fields in JSON that the message does not have are ignored");

    readonly Option<long> messages = Arguments.Option(
        "--messages --stream-call-count", "the messages of a call that the client streams (all of the payload in turn), or after which a "
            + "stream of replies is cancelled; or round: a call lasts until the end of the round", Messages);

    readonly Option<TimeSpan> interval = Arguments.Option(
        "--interval --stream-interval", "the time from one message of a call to the next", result => Arguments.Duration(result));

    readonly Option<int?> outstanding = Arguments.Option<int?>(
        "--outstanding", "unanswered messages of a duplex call, with which it sends no more (no limit)", result => Arguments.AtLeast1(result));

    public IEnumerable<Option> All =>
    [
        target, .. method.All, list, data, allowUnknown, messages, interval, outstanding, metadata, .. tls.All, authority, strategy,
        keepAlive, compress, order, maxReply, config,
    ];

    public bool IsUsed(ParseResult parsed) =>
        parsed.GetValue(target) is not null || method.HasSchema(parsed) || parsed.GetValue(method.Method) is not null
            || parsed.GetValue(list);

    /// <summary>Returns the target; null if the methods were listed instead.</summary>
    public async Task<TargetSubject?> ReadAsync(ParseResult parsed, Option<string[]> payload, LoadPlan plan, TextWriter output,
        CancellationToken cancellationToken)
    {
        // the default is the hive, which other servers do not have
        var payloads = parsed.GetResult(payload) is { Implicit: false } ? parsed.GetValue(payload)! : Array.Empty<string>();
        var schema = await method.SchemaAsync(parsed, cancellationToken);
        var lists = parsed.GetValue(list) || (schema is not null && parsed.GetValue(method.Method) is null);
        if (lists && schema is not null)
        {
            await MethodOptions.ListAsync(schema.Methods, output);
            return null;
        }

        var endpoint = await new TargetName().ReadAsync(
            parsed.GetValue(target) ?? throw new UsageException("--target is missing: the server's host:port"), Connection(parsed),
            inTurn: parsed.GetValue(strategy) == "round_robin", cancellationToken);
        var sent = CallMetadata.Parse(
            parsed.GetValue(metadata) ?? [], plan.Requests, text => Template(parsed, plan, Encoding.UTF8.GetBytes(text), metadata.Name));
        if (lists)
        {
            var (all, services) = await AskAsync(null, []);
            await MethodOptions.ListAsync(
                all?.Methods.Where(one => services!.Contains(one.Service)) ?? throw NotDescribed(services), output);
            string[] missing = [.. services!.Where(one => !all.HasService(one))];
            if (missing.Length > 0)
                await Console.Error.WriteLineAsync($"warning: {endpoint} does not describe {string.Join(", ", missing)}");
            return null;
        }

        var path = method.PathOf(parsed);
        if ((payloads.Length == 0) == (parsed.GetValue(data) is null))
            throw new UsageException(payloads.Length == 0
                ? "--data is missing: messages in JSON; or --payload: files or folders of captured requests" : "--data and --payload: one of them");
        var template = await TemplateAsync(parsed, plan, cancellationToken);
        var needsSchema = template is not null || payloads.Any(PayloadFiles.NeedsSchema);
        var types = template?.AnyTypes ?? (needsSchema ? await PayloadFiles.AnyTypesAsync(payloads, cancellationToken) : []);
        if (needsSchema && (schema is null || Lacks(schema)))
        {
            var (asked, services) = await AskAsync(path.Split('/')[0], types);
            if (asked is null && services?.Contains(MethodSchema.ServiceOf(path)) == true)
                (asked, services) = await AskAsync(MethodSchema.ServiceOf(path), types);
            schema = asked ?? schema ?? throw NotDescribed(services, path);
        }

        var described = schema is null ? null : MethodSchema.Find(schema, path);
        var called = described is null ? method.WithoutSchema(parsed) : new(described);
        var (requests, perCall) = template is null ? await CapturedAsync()
            : MethodSchema.Make(template, schema!.Message(described!.Request), plan.Requests, parsed.GetValue(allowUnknown));
        return new(endpoint, called, new(requests, parsed.GetValue(order) == "draw" ? plan.Seed : null), sent.Same)
        {
            Differing = sent.Differing,
            Stream = Stream(parsed, called, perCall, plan),
            Limits = new()
            {
                MaxReceiveBytes = parsed.GetValue(maxReply),
                Tuning = new()
                {
                    Compression = parsed.GetResult(compress) is { Implicit: false } ? parsed.GetValue(compress) ?? "gzip" : null,
                    KeepAlive = parsed.GetValue(keepAlive),
                },
            },
        };

        // The files that are given may be those of an Any only, or have all but those.
        bool Lacks(ProtoSchema files) =>
            !files.Methods.Any(one => one.Service == path.Split('/')[0] || one.Service == MethodSchema.ServiceOf(path))
            || ProtoSchema.MissingTypes(files.Files, types).Count > 0;

        async Task<(IReadOnlyList<Payload>, int)> CapturedAsync()
        {
            var read = await MethodSchema.ReadAsync(schema, described?.Request, payloads, parsed.GetValue(allowUnknown), cancellationToken);
            return (read, read.Count);
        }

        async Task<(ProtoSchema? Schema, IReadOnlyList<string>? Services)> AskAsync(string? service, IReadOnlyList<string> types)
        {
            try
            {
                return await ServerReflection.AskAsync(endpoint, sent.Of(0), service, types, schema, cancellationToken);
            }
            catch (RpcException) when (schema is not null && !cancellationToken.IsCancellationRequested)
            {
                // the files that are given have to do
                return (null, null);
            }
            catch (RpcException e)
            {
                throw new RunException(cancellationToken.IsCancellationRequested ? ExitCode.Stopped : ExitCode.Failed,
                    (e.Message.Contains($"{endpoint}", StringComparison.Ordinal) ? "" : $"{endpoint}: ") + $"{e.Message} (status {e.StatusCode})", e);
            }
        }

        UsageException NotDescribed(IReadOnlyList<string>? services, string path = "") => new(
            (services is null ? $"{endpoint} has no server reflection"
                : services.FirstOrDefault(one => one == path.Split('/')[0] || one == MethodSchema.ServiceOf(path)) is { } listed
                ? $"{endpoint} has {listed}, but does not describe it" : $"{endpoint} describes only {string.Join(", ", services)}")
                + ": name the files of the service with --proto, or a FileDescriptorSet with --protoset");
    }

    async Task<DataTemplate?> TemplateAsync(ParseResult parsed, LoadPlan plan, CancellationToken cancellationToken)
    {
        if (parsed.GetValue(data) is not { } text)
            return null;
        var (source, bytes) = (data.Name, Encoding.UTF8.GetBytes(text));
        if (text is "-" or "@")
        {
            if (plan.Processes > 1)
                throw new UsageException("--data -: several --processes cannot read the standard input");
            bytes = await StandardInputAsync(cancellationToken);
        }
        else if (text.StartsWith('@'))
        {
            source = text[1..];
            if (!File.Exists(source))
                throw new UsageException($"{source}: there is no such file");
            bytes = await PayloadFiles.ReadBytesAsync(source, cancellationToken);
        }

        return Template(parsed, plan, bytes, source);
    }

    static async Task<byte[]> StandardInputAsync(CancellationToken cancellationToken)
    {
        using var content = new MemoryStream();
        await using var input = Console.OpenStandardInput();
        await input.CopyToAsync(content, cancellationToken);
        return content.ToArray();
    }

    DataTemplate Template(ParseResult parsed, LoadPlan plan, byte[] text, string source) => new(text, source, plan.Seed,
        parsed.GetValue(method.Method) is null ? "" : method.PathOf(parsed), plan.Rate is null ? plan.Concurrency : 1);

    StreamPlan Stream(ParseResult parsed, TargetMethod called, int perCall, LoadPlan plan)
    {
        var number = parsed.GetValue(messages);
        var untilRound = number == long.MaxValue;
        var given = new Option[] { messages, interval, outstanding }.Where(option => parsed.GetResult(option) is { Implicit: false })
            .Select(option => option.Name).ToList();
        if (given.Count > 0 && called is { IsClientStreaming: false, IsServerStreaming: false })
            throw new UsageException($"{string.Join(", ", given)}: {called.Path} has no stream");
        if ((called.IsClientStreaming || given.Count > 0) && plan.Client != EventLoopClient.Name)
            throw new UsageException($"{called.Path}: streams of requests and their options need --client {EventLoopClient.Name}");
        if (untilRound && (plan.Duration is null || plan.Rate is not null))
            throw new UsageException($"{messages.Name} round needs --duration, and is for the closed loop");
        return new(number > 0 ? number : called.IsClientStreaming ? perCall : long.MaxValue, untilRound,
            parsed.GetValue(interval).Ticks * 100, parsed.GetValue(outstanding) ?? long.MaxValue);
    }

    static long Messages(ArgumentResult result) =>
        result.Tokens.Single().Value == "round" ? long.MaxValue : Arguments.AtLeast1Long(result) ?? 0;

    /// <summary>A flag, as in ghz, or with the encoding.</summary>
    static Option<string?> Compress()
    {
        var option = Arguments.Option<string?>("--compress --enable-compression -e", "compress the requests: gzip (also without a value)");
        option.Arity = ArgumentArity.ZeroOrOne;
        return option.AcceptOnlyFromAmong("gzip");
    }

    static TimeSpan? KeepAlive(ArgumentResult result)
    {
        var time = Arguments.Duration(result);
        // SocketsHttpHandler takes no less
        if (time < TimeSpan.FromSeconds(1) || time > TimeSpan.FromDays(1))
            result.AddError($"{Arguments.Name(result)} is from 1s to 24h, not {result.Tokens.Single().Value}");
        return time;
    }

    /// <summary>Returns an endpoint that has no address yet.</summary>
    RpcEndpoint Connection(ParseResult parsed)
    {
        var other = parsed.GetValue(authority);
        if (other is not null && (other.Contains('/', StringComparison.Ordinal) || !Uri.TryCreate("http://" + other, UriKind.Absolute, out _)))
            throw new UsageException($"'{other}' is not an authority: host, or host:port");
        return tls.Of(parsed, new() { Authority = other });
    }
}

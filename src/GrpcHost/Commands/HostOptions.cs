using System.CommandLine;

namespace ProtoBench.GrpcHost;

sealed class HostOptions
{
    /// <summary>The note of options that take several values. The command <c>host</c> removes it.</summary>
    public const string Several = ", or several with commas";

    public Option<string[]> Stack { get; } = Arguments.Option(
        "--stack", $"the transport{Several}: {string.Join(", ", RpcTransports.All.Select(Describe))}",
        Arguments.Names([.. RpcTransports.All.Select(transport => transport.Name)]), [RpcTransports.All[0].Name]);

    public Option<string[]> Codec { get; } = Arguments.Option(
        "--codec", $"the codec{Several}: {string.Join(", ", HiveServices.Names)}", Arguments.Names(HiveServices.Names), [.. HiveServices.Names]);

    public Option<string[]> Root { get; } = Arguments.Option(
        "--root", $"where the root objects of reused messages come from: {string.Join(", ", HiveServices.Roots)}",
        Arguments.Names(HiveServices.Roots), [HiveServices.Roots[0]]);

    public Option<string[]> Payload { get; } = Arguments.Many("--payload", "hive; 200B, 1KB or 5KB: a hive of that size; or empty: messages without a field");

    public Option<int> Items { get; } = Arguments.Option("--items", "sub-items of the hive", Arguments.AtLeast0, Payloads.Hive.Items);

    public Option<bool> Tls { get; } = Arguments.Option<bool>("--tls", "TLS with a certificate that is created for this run");

    public Option<bool> Attribute { get; } = Arguments.Option<bool>(
        "--attribute", "measure the time of each part of a call; this adds overhead, so use a separate run");

    public Option<int> Allocate { get; } = Arguments.Option(
        "--allocate", "extra bytes that the handler allocates in each call, to check that the measurement reports them", Arguments.AtLeast0);

    /// <summary>An option of the command <c>host</c> only. The other commands start hosts that take all calls of their plan.</summary>
    public Option<int> MaxStreams { get; } = Arguments.Option(
        "--max-streams", "calls at a time on a connection; over HTTP/2 further ones wait in the client, and the stack socket refuses them",
        Arguments.AtLeast1, new RpcLimits().MaxStreamsPerConnection);

    public HostOptions() => Payload.DefaultValueFactory = _ => ["hive"];

    public IEnumerable<Option> All => [Stack, Codec, Root, Payload, Items, Tls, Attribute, Allocate];

    public HivePayload PayloadOf(ParseResult parsed) => parsed.GetValue(Payload) switch
    {
        ["hive"] => HivePayload.Hive(parsed.GetValue(Items)),
        [var name] when HivePayload.SmallOnes.ContainsKey(name) => HivePayload.Small(name),
        ["empty"] => HivePayload.Empty(),
        var other => throw new UsageException($"'{string.Join(' ', other ?? [])}' is no value of --payload: hive, 200B, 1KB, 5KB, empty"),
    };

    public IReadOnlyList<Variant> Variants(ParseResult parsed)
    {
        foreach (var stack in Stacks(parsed))
        {
            if (Variant.Product([stack], parsed.GetValue(Codec)!, parsed.GetValue(Root)!).Count == 0)
                throw new UsageException(Variant.NotPossible([stack], parsed.GetValue(Codec)!).First());
        }

        var variants = Variant.Product(Stacks(parsed), parsed.GetValue(Codec)!, parsed.GetValue(Root)!);
        var roots = parsed.GetValue(Root)!;
        if (!roots.Contains(HiveServices.Roots[0]) && !variants.Any(variant => HiveServices.HasRoots(variant.Codec)))
        {
            throw new UsageException(
                $"--root {string.Join(',', roots)}: none of these codecs reuses its messages: {string.Join(", ", parsed.GetValue(Codec)!)}; "
                    + $"these do: {string.Join(", ", HiveServices.Names.Where(HiveServices.HasRoots))}");
        }

        return variants;
    }

    public IReadOnlyList<string> LeftOut(ParseResult parsed) => [.. Variant.NotPossible(Stacks(parsed), parsed.GetValue(Codec)!)];

    public int MaxStreamsOf(ParseResult parsed, RpcTransport stack) =>
        HasMaxStreams(stack) || parsed.GetResult(MaxStreams) is not { Implicit: false }
            ? parsed.GetValue(MaxStreams)
            : throw new UsageException($"{MaxStreams.Name} has no effect on the stack {stack.Name}");

    static bool HasMaxStreams(RpcTransport stack) => stack is { Multiplexed: true, HasLibraryDefaults: false };

    IEnumerable<RpcTransport> Stacks(ParseResult parsed) => parsed.GetValue(Stack)!.Select(RpcTransports.Named);

    static string Describe(RpcTransport transport) =>
        transport.OnlyCodecs is { } codecs ? $"{transport.Name} ({string.Join(" and ", codecs)} only)" : transport.Name;

    public IEnumerable<string> ForHost(ParseResult parsed, Variant variant, int callsPerConnection)
    {
        List<string> arguments =
        [
            Stack.Name, variant.Stack.Name, Codec.Name, variant.Codec, Root.Name, variant.Root,
            Payload.Name, parsed.GetValue(Payload)![0], Items.Name, Text(parsed.GetValue(Items)), Allocate.Name,
                Text(parsed.GetValue(Allocate)),
        ];
        foreach (var flag in new[] { Tls, Attribute }.Where(parsed.GetValue))
            arguments.Add(flag.Name);

        // The stack socket refuses a call above the limit, where HTTP/2 makes it wait. It counts a call until the reply has been sent, and
        // the caller may have read the reply and begun the next call by then.
        var most = variant.Stack.Protocol == "socket" ? 2 * callsPerConnection : callsPerConnection;
        if (HasMaxStreams(variant.Stack) && most > new RpcLimits().MaxStreamsPerConnection)
            arguments.AddRange([MaxStreams.Name, Text(most)]);
        return arguments;

        static string Text(int number) => number.ToString(System.Globalization.CultureInfo.InvariantCulture);
    }
}

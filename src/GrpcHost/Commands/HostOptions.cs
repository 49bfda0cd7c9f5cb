using System.CommandLine;
using ProtoBench.GrpcHost.Hive;
using ProtoBench.GrpcHost.Runs;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Commands;

/// <summary>Represents the options of a host, for all commands that start hosts.</summary>
sealed class HostOptions
{
    /// <summary>The note of options that take several values. The command <c>host</c> removes it.</summary>
    public const string Several = ", or several with commas";

    public Option<string[]> Stack { get; } = Arguments.Option(
        "--stack", $"the transport{Several}: {string.Join(", ", RpcTransports.All.Select(Describe))}",
        Arguments.Names([.. RpcTransports.All.Select(transport => transport.Name)]), [RpcTransports.All[0].Name]);

    public Option<string[]> Codec { get; } = Arguments.Option(
        "--codec", $"the codec{Several}: {string.Join(", ", HiveCodecs.Names)}", Arguments.Names(HiveCodecs.Names), [.. HiveCodecs.Names]);

    public Option<string[]> Root { get; } = Arguments.Option(
        "--root", $"where the root objects of reused messages come from: {string.Join(", ", HiveCodecs.Roots)}",
        Arguments.Names(HiveCodecs.Roots), [HiveCodecs.Roots[0]]);

    public Option<string[]> Payload { get; } = Arguments.Many("--payload", "hive; 1KB: a hive of that size; or empty: messages without a field");

    public Option<int> Items { get; } = Arguments.Option("--items", "sub-items of the hive", Arguments.AtLeast0, Payloads.Hive.Items);

    public Option<bool> Tls { get; } = Arguments.Option<bool>("--tls", "TLS with a certificate that is created for this run");

    public Option<bool> Attribute { get; } = Arguments.Option<bool>(
        "--attribute", "measure the time of each part of a call; this adds overhead, so use a separate run");

    public Option<int> Allocate { get; } = Arguments.Option(
        "--allocate", "extra bytes that the handler allocates in each call, to check that the measurement reports them", Arguments.AtLeast0);

    /// <summary>Gets an option of the command <c>host</c> only. The other commands start hosts that take all calls of their plan.</summary>
    public Option<int> MaxStreams { get; } = Arguments.Option(
        "--max-streams", "calls at a time on a connection; over HTTP/2 further ones wait in the client, and the stack socket refuses them",
        Arguments.AtLeast1, new RpcLimits().MaxStreamsPerConnection);

    public HostOptions() => Payload.DefaultValueFactory = _ => ["hive"];

    public IEnumerable<Option> All => [Stack, Codec, Root, Payload, Items, Tls, Attribute, Allocate];

    /// <summary>Returns the payload of the hive's service.</summary>
    /// <exception cref="RunException">Thrown when there is no such payload.</exception>
    public HivePayload PayloadOf(ParseResult parsed) => parsed.GetValue(Payload) switch
    {
        ["hive"] => HivePayload.Hive(parsed.GetValue(Items)),
        ["1KB"] => HivePayload.Small(),
        ["empty"] => HivePayload.Empty(),
        var other => throw new RunException(ExitCode.Usage, $"'{string.Join(' ', other ?? [])}' is no value of --payload: hive, 1KB, empty"),
    };

    /// <summary>Returns the variants to run.</summary>
    /// <exception cref="RunException">Thrown when none of the requested codecs is possible on a stack, or no codec has the requested
    /// root.</exception>
    public IReadOnlyList<Variant> Variants(ParseResult parsed)
    {
        foreach (var stack in Stacks(parsed))
        {
            if (Variant.Product([stack], parsed.GetValue(Codec)!, parsed.GetValue(Root)!).Count == 0)
                throw new RunException(ExitCode.Usage, Variant.NotPossible([stack], parsed.GetValue(Codec)!).First());
        }

        var variants = Variant.Product(Stacks(parsed), parsed.GetValue(Codec)!, parsed.GetValue(Root)!);
        var roots = parsed.GetValue(Root)!;
        if (!roots.Contains(HiveCodecs.Roots[0]) && !variants.Any(variant => HiveCodecs.HasRoots(variant.Codec)))
        {
            throw new RunException(ExitCode.Usage,
                $"--root {string.Join(',', roots)}: none of these codecs reuses its messages: {string.Join(", ", parsed.GetValue(Codec)!)}; "
                    + $"these do: {string.Join(", ", HiveCodecs.Names.Where(HiveCodecs.HasRoots))}");
        }

        return variants;
    }

    /// <summary>Returns the combinations of transport and codec that are not possible, each with the reason.</summary>
    public IReadOnlyList<string> LeftOut(ParseResult parsed) => [.. Variant.NotPossible(Stacks(parsed), parsed.GetValue(Codec)!)];

    /// <summary>Returns the highest number of calls at a time on a connection.</summary>
    /// <exception cref="RunException">Thrown when the option is given for a stack that does not have it.</exception>
    public int MaxStreamsOf(ParseResult parsed, RpcTransport stack) =>
        HasMaxStreams(stack) || parsed.GetResult(MaxStreams) is not { Implicit: false }
            ? parsed.GetValue(MaxStreams)
            : throw new RunException(ExitCode.Usage, $"{MaxStreams.Name} has no effect on the stack {stack.Name}");

    static bool HasMaxStreams(RpcTransport stack) => stack is { Multiplexed: true, HasLibraryDefaults: false };

    IEnumerable<RpcTransport> Stacks(ParseResult parsed) => parsed.GetValue(Stack)!.Select(RpcTransports.Named);

    static string Describe(RpcTransport transport) =>
        transport.OnlyCodecs is { } codecs ? $"{transport.Name} ({string.Join(" and ", codecs)} only)" : transport.Name;

    /// <summary>Returns the arguments of a host for one variant.</summary>
    /// <param name="parsed">The values of the options.</param>
    /// <param name="variant">The variant.</param>
    /// <param name="callsPerConnection">The calls at a time on a connection, none of which has to wait for another.</param>
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

using System.CommandLine;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost;

static class Program
{
    static Task<int> Main(string[] args) => RunAsync(args);

    public static async Task<int> RunAsync(string[] args)
    {
        var root = new RootCommand(
            "gRPC hosts and a load client that measure codecs and transports: QPS, latency, memory and CPU of both sides.\n"
            + "Examples:\n"
            + "  run\n"
            + "  run --codec google,slab --interleave --rounds 8 -z 3s\n"
            + "  run --rate 5000 --payload empty\n"
            + "  run --attribute\n"
            + "  sweep --codec slab\n"
            + "  settings --quick --setting server-window-8MB,gzip\n"
            + "  drive --scenarios scenarios.json --workers 10.0.0.1:10000,10.0.0.2:10000 --out r.json\n"
            + "Exit codes: 0 done, 1 the run failed, 2 wrong usage, 3 INVALID: the figures are not reliable, 5 a limit of --fail-if was passed, "
            + "130 stopped\n")
        {
            HostCommand.Create(),
            LoadCommand.Create(),
            RunCommand.Create(),
            SweepCommand.Create(),
            SettingsCommand.Create(),
            SettingOptions.Client(),
            WorkerCommand.Create(),
            DriveCommand.Create(),
            MergeCommand.Create(),
        };
        TypedDefaultsHelp.Use(root);
        var configuration = new ParserConfiguration { ResponseFileTokenReplacer = null }; // @FILE is data
        var parsed = root.Parse(args.Length == 0 ? ["--help"] : args, configuration);
        try
        {
            if (ConfigFile.Read(parsed, Console.Error) is { Count: > 0 } more)
                parsed = root.Parse([.. args, .. more], configuration);

            // The library's message for an unknown command is "Required command was not provided." Some of its messages have several lines.
            if (parsed.Errors.Count > 0)
                throw new UsageException(CommandRunner.Unmatched(parsed, "--help lists them")
                    ?? string.Join(' ', parsed.Errors[0].Message.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)));

            // if a file cannot be written, the run has ended and its report is printed
            return await CommandRunner.RunAsync(parsed, unwritable: ExitCode.Failed);
        }
        catch (Exception e) when (e is RunException or SchemaException)
        {
            await Console.Error.WriteLineAsync(e.Message);
            return (e as RunException)?.ExitCode ?? ExitCode.Usage;
        }
    }
}

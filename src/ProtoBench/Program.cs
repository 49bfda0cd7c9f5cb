using System.CommandLine;
using System.CommandLine.Help;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using ProtoBench.Harness.Duet;

namespace ProtoBench;

static partial class Program
{
    static Task<int> Main(string[] args) => RunAsync(args, new());

    /// <param name="output">Where help, lists of cells, failures and the output of verbs are written. Runs of cells write to the console.</param>
    internal static async Task<int> RunAsync(string[] args, InvocationConfiguration output)
    {
        var verbs = new RootCommand("What protobuf serialization costs in .NET")
        {
            CompareVerb.Create(), TargetsVerb.Create(), ReportVerb.Create(), ReadmeVerb.Create(), QuickVerb.Create(),
            MergeVerb.Create(),
            DuetVerb.Create(BuildFacts.Program), VersionsVerb.Create(BuildFacts.Program),
        };
        AddNew(verbs);
        switch (args)
        {
            case [] or ["help" or "--help" or "-h" or "-?"]:
                await output.Output.WriteLineAsync(Help.Text);
                return ExitCode.Done;
            case ["help" or "--help" or "-h" or "-?", "all"]:
                BenchmarkSwitcher.FromTypes([.. BenchmarkClasses.All])
                    .Run(["--help"], ManualConfig.CreateEmpty().AddLogger(ConsoleLogger.Default));
                return ExitCode.Done;
            case ["help", var verb]:
                args = [verb, "--help"];
                break;
        }

        // Arguments that do not start with a verb are options of BenchmarkDotNet, which parses them itself.
        if (verbs.Subcommands.All(verb => verb.Name != args[0]))
            return BenchmarkRun.Start(args, verbs.Subcommands.Select(verb => verb.Name), output);
        foreach (var help in verbs.Options.OfType<HelpOption>().Select(option => option.Action).OfType<HelpAction>())
            help.MaxWidth = Help.Width;
        var parsed = verbs.Parse(args);
        if (parsed.Errors.Count == 0)
            return await CommandRunner.RunAsync(parsed, output: output);
        var hint = $"{args[0]} --help shows the options";
        await output.Error.WriteLineAsync(
            $"ProtoBench: {CommandRunner.Unmatched(parsed, hint) ?? $"{parsed.Errors[0].Message} ({hint})"}");
        return ExitCode.Usage;
    }

    // The verb "new" needs the generator of the slab codec, which needs a newer Google.Protobuf than the oldest measured one.
    static partial void AddNew(RootCommand verbs);
}

static class Help
{
    public const int Width = 100;

    public const string Text = """
        ProtoBench: what protobuf serialization costs in .NET.

        Four commands to try, from the root of the checkout, each after
        dotnet run -c Release --project src/ProtoBench --
          quick                        Google, protobuf-net and slab read and write, in a minute
          --filter '*Request*'         the hive's request, every library and buffer
          --list                       the names of all cells
          --filter '*' --job dry       every cell once, to check that all of them run

        Options of a run:
          --filter GLOB...             the cells, by name, in any case; quote it, or the shell replaces *
          --headline                   the cells of README's first table, in about a minute
          --list [flat|tree]           the names of the cells; nothing is measured
          --anyCategories NAME...      the cells of a category: Serialize, Request, RpcStack, ...
          --job dry|short|medium|long  not the default job (15 iterations of 100 ms, 3 s a cell)
          --columns narrow|wide        the table on the console: 120 characters wide, or every column
          --verbose                    everything that BenchmarkDotNet prints, as in the log file
          --pause                      wait for a line of the input between building and measuring
          --artifacts FOLDER           where results and the log go (BenchmarkDotNet.Artifacts)
          --save [NAME]                keep figures and table, all columns, as results/<cpu>/NAME.json
          --shard 2/3                  the second of three parts of the cells, for as many machines
          --note TEXT                  a line that is kept with the table and in the result file
          --map                        the fastest library and memory strategy by items and leaf size
          --allocations off|on|types   count objects, in twice the time: never, always, or by type
          --help all                   the options of BenchmarkDotNet, which work beside these

        Verbs, each with a --help of its own:
          quick                        how fast each library reads and writes the hive, by duet
          compare OLD.json NEW.json    compare result files, with significance
          duet --filter A --against B  compare two cells or builds; finds a few percent in seconds
          versions --package P         what an upgrade costs: the newest version against older ones
          targets                      measure the ratios of results/targets.txt, by duet, in five minutes
          report RESULT.json...        make one HTML page: pictures, tables, environment
          merge NAME                   make one result of the shards of several machines
          readme                       copy tables and pictures of results/ into README.md and docs
          new FOLDER --proto F...      make a benchmark project for your own message; or --classes F...
          help [VERB|all]              this text, the help of a verb, or BenchmarkDotNet's options

        Exit codes, the same for every verb:
          0    done; with --fail-on: every row was judged, and none is worse
          1    a row is worse (with any: changed), a target is not reached, a cell failed, or the
               libraries do not agree
          2    wrong usage, or a file that cannot be read or written
          3    --fail-on cannot judge: too few launches; the message says how many it takes
          4    cells are missing: nothing to compare, cells of the first side are not in another
               one, or a target's cells were not measured
          130  stopped with Ctrl-C
        """;
}

using System.CommandLine;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using ProtoBench.Duet;
using ProtoBench.Running;
using ProtoBench.Verbs;

namespace ProtoBench;

static partial class Program
{
    /// <summary>0: done. 1: a cell failed, the libraries do not agree, or a guard
    /// found what it guards against. 2: wrong usage, unreadable file.</summary>
    static int Main(string[] args)
    {
        var verbs = new RootCommand("What protobuf serialization costs in .NET")
        {
            CompareVerb.Create(), RepeatVerb.Create(), NoiseVerb.Create(), TargetsVerb.Create(), ReportVerb.Create(), ReadmeVerb.Create(),
            DuetVerb.Create(), VersionsVerb.Create(),
        };
        AddNew(verbs);
        switch (args)
        {
            case [] or ["help" or "--help" or "-h" or "-?"]:
                Console.WriteLine(Help.Text);
                return ExitCode.Done;
            case ["help" or "--help" or "-h" or "-?", "all"]:
                BenchmarkSwitcher.FromTypes([.. BenchmarkClasses.All])
                    .Run(["--help"], ManualConfig.CreateEmpty().AddLogger(ConsoleLogger.Default));
                return ExitCode.Done;
            case ["help", var verb]:
                args = [verb, "--help"];
                break;
        }

        // BenchmarkDotNet's own options are not ours to parse: whatever does not start with a verb goes to it unchanged.
        if (verbs.Subcommands.All(verb => verb.Name != args[0]))
            return BenchmarkRun.Start(args, verbs.Subcommands.Select(verb => verb.Name));
        var parsed = verbs.Parse(args);
        var exit = parsed.Invoke();
        return parsed.Errors.Count > 0 ? ExitCode.Usage : exit;
    }

    // The verb "new" needs the slab codec's generator, which an old Google.Protobuf cannot serve.
    static partial void AddNew(RootCommand verbs);
}

static class Help
{
    public const string Text = text + "\n\n" + ExitCode.Table;

    const string text = """
        ProtoBench: what protobuf serialization costs in .NET.

        Four commands to try, from the root of the checkout:
          dotnet run -c Release --project src/ProtoBench -- --headline                 the hive, the usual call of each library
          dotnet run -c Release --project src/ProtoBench -- --filter '*Request*'       the hive's request, every library and buffer
          dotnet run -c Release --project src/ProtoBench -- --list flat                the names of all cells
          dotnet run -c Release --project src/ProtoBench -- --filter '*' --job dry     every cell once, to check that all of them run

        Options of a run:
          --filter GLOB...              the cells, by name; upper and lower case are the same; quote it, or the shell replaces *
          --headline                    the cells of README's first table, in about a minute
          --anyCategories NAME...       the cells of a category: Serialize, Deserialize, Request, Allocator, RpcStack, ...
          --job dry|short|medium|long   another job than the default (15 iterations of 100 ms, 3 s for each cell)
          --columns narrow|wide         the table on the console: 120 characters wide (the default), or every column
          --verbose                     everything that BenchmarkDotNet prints; otherwise only in the log file
          --pause                       build everything, then wait for Enter (or a line of the input) before the first cell is measured
          --artifacts FOLDER            where results and the log go (BenchmarkDotNet.Artifacts)
          --save [NAME]                 keep the table, all columns, under results/<cpu>/NAME.md
          --note TEXT                   a line that is kept with the table and in the result file
          --map                         the fastest library and memory strategy by item count (1 to 100,000) and leaf size (0 to 16 KiB)
          --allocations off|on|types    count allocated objects, which doubles a cell's time: for no cell, for every cell, or by type
          --help all                    the options of BenchmarkDotNet, which work beside these

        Verbs, each with a --help of its own:
          compare OLD.json NEW.json    compare result files, with significance
          repeat N --filter '*'        run N launches, each a sample, with the cells in alternating order
          duet --filter A --against B  compare two cells or two builds in turns; finds a few percent in seconds
          versions --package P         what an upgrade of a package costs: the newest of several versions against the others
          noise N --filter '*'         compare the program with itself, N launches a side: shows the noise
          targets LAUNCHES             check results against results/targets.txt; --measure measures them now
          report RESULT.json...        make one HTML page: pictures, tables, environment
          readme                       copy tables and pictures of results/ into README.md and docs
          new FOLDER --proto F...      make a benchmark project for your own message, from .proto files and payloads
          help [VERB|all]              this text, the help of a verb, or the options of BenchmarkDotNet
        """;
}

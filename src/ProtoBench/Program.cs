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
            DuetVerb.Create(),
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

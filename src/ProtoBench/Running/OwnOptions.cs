using System.CommandLine;
using System.CommandLine.Parsing;
using BenchmarkDotNet.Jobs;
using ProtoBench.Harness;

namespace ProtoBench;

/// <summary>Represents the options of a benchmark run of this program. All others are passed to BenchmarkDotNet unchanged.</summary>
/// <param name="Name">The name of the saved table; null to create it from the cells.</param>
/// <param name="Map">Whether to run the break-even map, and print the fastest library for each shape.</param>
/// <param name="Job">The job that the user named; null for the program's own.</param>
/// <param name="Jit">Whether to measure with the runtime of this program. False only if --runtimes lists NativeAOT alone.</param>
/// <param name="Shard">The part of the cells to measure; null for all.</param>
/// <param name="Rest">All other arguments, in order.</param>
sealed record OwnOptions(
    bool Save = false, string? Name = null, bool Map = false, string? Note = null, AllocationCounting Allocations = default,
    bool Wide = false, bool Pause = false, bool Verbose = false, Job? Job = null, bool NativeAot = false, bool Jit = true,
    Shard? Shard = null, params string[] Rest)
{
    const string jit = "net10.0";
    const string nativeAot = "nativeaot10.0";

    static readonly (string Name, Job Value)[] jobs =
    [
        ("default", Job.Default.WithId("Default")), ("dry", Job.Dry), ("short", Job.ShortRun), ("medium", Job.MediumRun),
        ("long", Job.LongRun), ("verylong", Job.VeryLongRun),
    ];

    /// <summary>The names of these options.</summary>
    public IReadOnlyList<string> Names { get; init; } = [];

    /// <summary>Gets the cells of the first table of README, which take about a minute.</summary>
    public static IReadOnlyList<string> Headline { get; } =
    [
        .. from message in new[] { "Request", "Response" }
           from cell in new[]
           {
               "Serialize{0}Google_BW", "Serialize{0}PBN_MS", "Serialize{0}Slab_BW",
               "Deserialize{0}Google_BA", "Deserialize{0}Google_ROM", "Deserialize{0}PBN_ROM", "Deserialize{0}Slab_ROM",
               "DeserializeStrings{0}Google_BA", "DeserializeStrings{0}Google_ROM", "DeserializeStrings{0}PBN_ROM",
               "DeserializeStrings{0}Slab_ROM",
           }
           select "*." + cell.Replace("{0}", message, StringComparison.Ordinal),
        .. from cell in new[] { "Make", "Serve" }
           from library in new[] { "Google", "PBN", "PBN_BW", "Slab" }
           select $"*.{cell}Set{library}(DataSet: Hive)",
    ];

    public static OwnOptions Parse(string[] args)
    {
        var (save, note) = (Value<string?>("--save", FileName), Value("--note", result => Text(result, "text")));
        var allocations = AllocationOption.Create();
        var columns = Value("--columns", Arguments.OneOf(("narrow", "narrow"), ("wide", "wide"))); // a bool would have no value
        var job = Value("--job -j", Arguments.OneOf(jobs));
        // the current folder may change before BenchmarkDotNet reads it
        var artifacts = Value("--artifacts -a", result => Path.GetFullPath(Text(result, "folder")));
        var runtimes = Arguments.Many("--runtimes -r", "");
        var shard = Value<Shard?>("--shard", ShardOf);
        var (headline, map, pause, verbose) = (Flag("--headline"), Flag("--map"), Flag("--pause"), Flag("--verbose"));
        var command = new Command("run")
        {
            save, note, allocations, columns, job, artifacts, runtimes, headline, map, pause, verbose, shard,
        };
        var (own, rest) = Arguments.Divide(args, command.Options);
        for (var i = 0; i < rest.Count; i++)
        {
            if (rest[i] == "--list" && (i + 1 == rest.Count || rest[i + 1].StartsWith('-')))
                rest.Insert(i + 1, "flat");
        }

        var parsed = command.Parse(own, new() { ResponseFileTokenReplacer = null });
        if (parsed.Errors is [var error, ..])
            throw new UsageException(error.Message);
        if (parsed.GetValue(headline))
            rest.AddRange(["--filter", .. Headline]);
        if (parsed.GetValue(map))
            rest.AddRange(["--filter", "*BreakEvenBenchmarks*"]);
        if (parsed.GetValue(artifacts) is { } folder)
            rest.AddRange(["--artifacts", folder]);
        if (parsed.GetValue(shard) is not null)
        {
            if (parsed.GetValue(save) is null)
                throw new UsageException("--shard needs --save NAME, by which the verb merge finds the shards");
            var filter = rest.FindIndex(arg => arg is "--filter" or "-f");
            if (filter < 0)
                throw new UsageException("--shard needs --filter, as every run of cells");
            rest.Insert(filter + 1, $"*{Shard.Control.Name}*");
        }

        var asked = parsed.GetValue(runtimes) ?? [];
        Array.ForEach(asked, CheckRuntime);
        var aot = Array.Exists(asked, IsNativeAot);
        return new(
            parsed.GetResult(save) is not null, parsed.GetValue(save), parsed.GetValue(map), parsed.GetValue(note),
            parsed.GetValue(allocations), Wide: parsed.GetValue(columns) == "wide", parsed.GetValue(pause), parsed.GetValue(verbose),
            parsed.GetValue(job), aot, Jit: !aot || !Array.TrueForAll(asked, IsNativeAot), parsed.GetValue(shard), WithoutFullJson(rest))
        {
            Names = [.. command.Options.Select(option => option.Name)],
        };
    }

    static Option<bool> Flag(string name)
    {
        var option = Arguments.Option<bool>(name, "");
        option.Arity = ArgumentArity.Zero;
        return option;
    }

    // the parser says what is missing
    static Option<T> Value<T>(string names, Func<ArgumentResult, T> parser)
    {
        var option = Arguments.Option(names, "", parser);
        option.Arity = ArgumentArity.ZeroOrOne;
        return option;
    }

    static Shard? ShardOf(ArgumentResult result)
    {
        var text = result.Tokens is [var token] ? token.Value : "";
        if (text.Split('/') is [var number, var of] && Arguments.TryWhole(number) is >= 1 and var one
            && Arguments.TryWhole(of) is <= Shard.Most and var all && one <= all)
            return new((int)one, (int)all);
        result.AddError($"--shard: '{text}' is not the number of a shard and how many there are, at most {Shard.Most}: 1/3, 2/3, 3/3");
        return null;
    }

    static string? FileName(ArgumentResult result)
    {
        var name = result.Tokens is [var token] ? token.Value : null;
        if (name is not null && name.AsSpan().ContainsAny(Path.GetInvalidFileNameChars()))
            result.AddError($"--save: '{name}' is not a file name");
        return name;
    }

    static string Text(ArgumentResult result, string what)
    {
        if (result.Tokens is [var token])
            return token.Value;
        result.AddError($"{Arguments.Name(result)}: the {what} is missing");
        return ".";
    }

    // Every run writes the full JSON with a node of this program. BenchmarkDotNet's own exporter would overwrite it.
    static string[] WithoutFullJson(List<string> args)
    {
        var kept = new List<string>();
        var exporters = false;
        foreach (var arg in args)
        {
            if (arg.StartsWith('-'))
            {
                DropIfEmpty();
                exporters = arg is "-e" or "--exporters";
            }

            if (!(exporters && arg.Equals("fulljson", StringComparison.OrdinalIgnoreCase)))
                kept.Add(arg.StartsWith("--exporters=", StringComparison.Ordinal)
                    && arg.EndsWith("=fulljson", StringComparison.OrdinalIgnoreCase) ? "--exporters" : arg);
        }

        DropIfEmpty();
        return [.. kept];
        void DropIfEmpty()
        {
            if (kept is [.., "-e" or "--exporters"])
                kept.RemoveAt(kept.Count - 1);
        }
    }

    static bool IsNativeAot(string runtime) => string.Equals(runtime, nativeAot, StringComparison.OrdinalIgnoreCase);

    static void CheckRuntime(string name)
    {
        if (!string.Equals(name, jit, StringComparison.OrdinalIgnoreCase) && !IsNativeAot(name))
        {
            throw new UsageException(
                $"--runtimes: {name} cannot run these cells, which are built for {jit} and can be compiled for {nativeAot}; "
                + $"without this option they run on .NET {Environment.Version}. A runtime of your own: --coreRun PATH");
        }
    }
}

using BenchmarkDotNet.Jobs;
using ProtoBench.Diagnosers;
using ProtoBench.Results;

namespace ProtoBench.Running;

/// <summary>Represents the options of a benchmark run of this program. All others are passed to BenchmarkDotNet unchanged.</summary>
sealed record OwnOptions
{
    /// <summary>Whether to save the table under results/.</summary>
    public bool Save { get; init; }

    /// <summary>The name of the saved table; null to create it from the cells.</summary>
    public string? Name { get; init; }

    /// <summary>Whether to run the break-even map, and print the fastest library for each shape.</summary>
    public bool Map { get; init; }

    /// <summary>A note that is saved with the results.</summary>
    public string? Note { get; init; }

    /// <summary>The cells whose objects are counted.</summary>
    public AllocationCounting Allocations { get; init; }

    /// <summary>Whether to show every column.</summary>
    public bool Wide { get; init; }

    /// <summary>Whether to wait for the user between building and measuring.</summary>
    public bool Pause { get; init; }

    /// <summary>Whether to show all output of BenchmarkDotNet.</summary>
    public bool Verbose { get; init; }

    /// <summary>The job that the user named; null for the program's own.</summary>
    public Job? Job { get; init; }

    /// <summary>Whether to measure ahead-of-time compiled programs.</summary>
    public bool NativeAot { get; init; }

    /// <summary>Whether to measure with the runtime of this program. False only if --runtimes lists NativeAOT alone.</summary>
    public bool Jit { get; init; } = true;

    /// <summary>All other arguments, in order.</summary>
    public string[] Rest { get; init; } = [];

    const string jit = "net10.0";
    const string nativeAot = "nativeaot10.0";

    static readonly Dictionary<string, Job> jobs = new(StringComparer.OrdinalIgnoreCase)
    {
        ["default"] = Job.Default.WithId("Default"),
        ["dry"] = Job.Dry,
        ["short"] = Job.ShortRun,
        ["medium"] = Job.MediumRun,
        ["long"] = Job.LongRun,
        ["verylong"] = Job.VeryLongRun,
    };

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
    ];

    /// <exception cref="UsageException">Thrown when an option has no value, has an invalid one, or cannot work.</exception>
    public static OwnOptions Parse(string[] args)
    {
        var options = new OwnOptions();
        var rest = new List<string>();
        for (var i = 0; i < args.Length; i++)
        {
            // --option=value is the same as --option value
            var (name, joined) = args[i].StartsWith("--", StringComparison.Ordinal)
                && args[i].IndexOf('=', StringComparison.Ordinal) is > 0 and var equals
                ? (args[i][..equals], args[i][(equals + 1)..])
                : (args[i], null);
            var value = joined ?? (i + 1 < args.Length && !args[i + 1].StartsWith('-') ? args[i + 1] : null);
            var last = joined is null && value is not null ? i + 1 : i;
            switch (name)
            {
                case "--save":
                    if (value is not null && value.AsSpan().ContainsAny(Path.GetInvalidFileNameChars()))
                        throw new UsageException($"--save: '{value}' is not a file name");
                    options = options with { Save = true, Name = value };
                    i = last;
                    break;
                case "--headline":
                    rest.Add("--filter");
                    rest.AddRange(Headline);
                    break;
                case "--map":
                    options = options with { Map = true };
                    rest.AddRange("--filter", "*BreakEvenBenchmarks*");
                    break;
                case "--note":
                    options = options with { Note = value ?? throw new UsageException("--note: the text is missing") };
                    i = last;
                    break;
                case "--allocations":
                    options = options with
                    {
                        Allocations =
                        Among(name, value, ("off", AllocationCounting.Off), ("on", AllocationCounting.All),
                            ("types", AllocationCounting.Types))
                    };
                    i = last;
                    break;
                case "--columns":
                    options = options with { Wide = Among(name, value, ("narrow", false), ("wide", true)) };
                    i = last;
                    break;
                case "--list" when value is null:
                    rest.AddRange("--list", "flat");
                    break;
                case "--pause":
                    options = options with { Pause = true };
                    break;
                case "--verbose":
                    options = options with { Verbose = true };
                    break;
                case "-j" or "--job":
                    options = options with { Job = Among(name, value, [.. jobs.Select(job => (job.Key, job.Value))]) };
                    i = last;
                    break;
                case "-a" or "--artifacts":
                    // the current folder may change before BenchmarkDotNet reads this
                    rest.AddRange(name, Path.GetFullPath(value ?? throw new UsageException($"{name}: the folder is missing")));
                    i = last;
                    break;
                case "-r" or "--runtimes":
                    List<string> runtimes = joined is null ? [] : [joined];
                    while (i + 1 < args.Length && !args[i + 1].StartsWith('-'))
                        runtimes.Add(args[++i]);
                    runtimes.ForEach(CheckRuntime);
                    var aot = runtimes.Exists(IsNativeAot);
                    options = options with { NativeAot = aot, Jit = !aot || runtimes.Exists(runtime => !IsNativeAot(runtime)) };
                    break;
                default:
                    rest.Add(args[i]);
                    break;
            }
        }

        return options with { Rest = WithoutFullJson(rest) };
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

    /// <summary>Refuses runtimes other than that of this program and native code for it.</summary>
    static void CheckRuntime(string name)
    {
        if (!string.Equals(name, jit, StringComparison.OrdinalIgnoreCase) && !IsNativeAot(name))
        {
            throw new UsageException(
                $"--runtimes: {name} cannot run these cells, which are built for {jit} and can be compiled for {nativeAot}; "
                + $"without this option they run on .NET {Environment.Version}. A runtime of your own: --coreRun PATH");
        }
    }

    static T Among<T>(string option, string? value, params (string Name, T Value)[] known)
    {
        foreach (var (name, one) in known)
        {
            if (string.Equals(name, value, StringComparison.OrdinalIgnoreCase))
                return one;
        }

        throw new UsageException($"{option}: '{value}' is none of {string.Join(", ", known.Select(one => one.Name))}");
    }
}

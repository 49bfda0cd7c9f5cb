using ProtoBench.Diagnosers;
using ProtoBench.Results;

namespace ProtoBench;

/// <summary>The options of a benchmark run that are ours; the rest belongs to BenchmarkDotNet and is handed on unchanged.</summary>
/// <param name="Save">Keep the table under results/.</param>
/// <param name="Name">The name to keep it under; null: named after what was run.</param>
/// <param name="Map">Run the break-even map, and print who wins where.</param>
/// <param name="Note">A line to keep with the results.</param>
/// <param name="Allocations">Which cells have their objects counted.</param>
/// <param name="Rest">Everything else, in order.</param>
sealed record OwnOptions(bool Save, string? Name, bool Map, string? Note, AllocationCounting Allocations, string[] Rest)
{
    /// <exception cref="UsageException">An option lacks its value, or has a wrong one.</exception>
    public static OwnOptions Parse(string[] args)
    {
        var options = new OwnOptions(false, null, false, null, AllocationCounting.Marked, []);
        var rest = new List<string>();
        for (var i = 0; i < args.Length; i++)
        {
            var value = i + 1 < args.Length && !args[i + 1].StartsWith('-') ? args[i + 1] : null;
            switch (args[i])
            {
                case "--save":
                    if (value is not null && value.AsSpan().ContainsAny(Path.GetInvalidFileNameChars()))
                        throw new UsageException($"--save: '{value}' is not a file name");
                    options = options with { Save = true, Name = value };
                    i += value is null ? 0 : 1;
                    break;
                case "--map":
                    options = options with { Map = true };
                    rest.AddRange("--filter", "*BreakEvenBenchmarks*");
                    break;
                case "--note":
                    options = options with { Note = value ?? throw new UsageException("--note: the text is missing") };
                    i++;
                    break;
                case "--allocations":
                    options = options with
                    {
                        Allocations = value switch
                        {
                            "off" => AllocationCounting.Off,
                            "on" => AllocationCounting.All,
                            "types" => AllocationCounting.Types,
                            _ => throw new UsageException($"--allocations: '{value}' is none of off, on, types"),
                        },
                    };
                    i++;
                    break;
                default:
                    rest.Add(args[i]);
                    break;
            }
        }

        return options with { Rest = WithoutFullJson(rest) };
    }

    // Every run writes the full JSON, with a node of ours. BenchmarkDotNet's own would be written over it under the same name.
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
                kept.Add(arg.StartsWith("--exporters=", StringComparison.Ordinal) && arg.EndsWith("=fulljson", StringComparison.OrdinalIgnoreCase) ? "--exporters" : arg);
        }

        DropIfEmpty();
        return [.. kept];
        void DropIfEmpty()
        {
            if (kept is [.., "-e" or "--exporters"])
                kept.RemoveAt(kept.Count - 1);
        }
    }
}

using System.Text.Json;

namespace ProtoBench.Tests;

public class MeterTests
{
    // A count of operations instead of a time: on a busy machine few fit a time, and the runtime reports objects in batches of thousands.
    // With 256 operations, Objects_2_Async had 1.94 ± 0.04 at a load of 20.
    [Theory]
    [InlineData(8192, "*MeterBenchmarks.Objects_? *MeterBenchmarks.Objects_2_Async",
        "Objects_0: 0 ± 0", "Objects_1: 1 ± 0", "Objects_2: 2 ± 0", "Objects_2_Async: 2 ± 0", "Objects_7: 7 ± 0")]
    [InlineData(2048, "*MeterBenchmarks.Objects_7_BesideLarge", "Objects_7_BesideLarge: 8 ± 0")]
    public void Known_objects_are_counted_exactly(int invocations, string filters, params string[] expected)
    {
        using var artifacts = new TempFolder();
        var (exit, output, error) =
            TheProgram.Run(["--filter", .. filters.Split(' '), "--iterationCount", "2", "--warmupCount", "1", "--invocationCount", $"{invocations}",
                "--artifacts", artifacts.Path]);
        var file = Directory.GetFiles(artifacts.Path, "*-report-full.json", SearchOption.AllDirectories);
        Assert.True(exit == 0 && file.Length == 1, $"exit code {exit}, {file.Length} result files; the program said:\n{output}{error}");
        using var result = JsonDocument.Parse(File.ReadAllBytes(file[0]));
        Assert.Equal(expected, result.RootElement.GetProperty("Benchmarks").EnumerateArray().Select(Count).Order(StringComparer.Ordinal));
    }

    static string Count(JsonElement cell)
    {
        var name = cell.GetProperty("Method").GetString();
        var metrics =
            cell.GetProperty("Metrics").EnumerateArray()
                .ToDictionary(metric => metric.GetProperty("Descriptor").GetProperty("Id").GetString()!,
                    metric => metric.GetProperty("Value").GetDouble());
        return metrics.TryGetValue("AllocatedObjects", out var objects) && metrics.TryGetValue("AllocatedObjectsError", out var error)
            ? $"{name}: {objects} ± {error}"
            : $"{name}: not counted";
    }
}

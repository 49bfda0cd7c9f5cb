using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Tests;

public sealed class GcModeTests : IDisposable
{
    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("protobench-");

    [Fact]
    public async Task Each_mode_and_number_of_callers_is_measured_on_a_host_that_runs_in_it()
    {
        var cores = Math.Min(2, Environment.ProcessorCount);
        var (json, markdown) = (Path.Combine(folder.FullName, "gc.json"), Path.Combine(folder.FullName, "gc.md"));
        var (exitCode, output, error) = await TheProgram.RunProcessAsync(
            "gc-modes", "--cores", $"{cores}", "--callers", "1,3", "--codec", "slab", "--items", "40",
            "--duration", "200ms", "--warmup", "0s", "--rounds", "1", "--out", json, "--markdown", markdown);
        Assert.True(exitCode is 0 or 3, output + error);
        var result = LoadResultFile.Read(json);
        string[] modes = [.. GcMode.All.Select(mode => mode.Name)];
        Assert.Equal(
            from mode in modes from callers in new int?[] { 1, 3 } select (mode, "slab", callers),
            result.Variants.Select(variant => (variant.GcMode!, variant.Codec, variant.Callers)));
        Assert.All(result.Variants, variant =>
        {
            Assert.Equal((cores, Expected(variant.GcMode!, cores)), (variant.Server!.Cores, variant.Server.GcMode));
            var round = variant.Rounds.Single();
            Assert.True(round.Succeeded > 0 && round.FailedByStatus.Count == 0, variant.Name);
            Assert.True(round.Server!.WorkingSetBytes > 1_000_000, variant.Name);
        });

        var table = await File.ReadAllTextAsync(markdown);
        Assert.Contains(table, output, StringComparison.Ordinal);
        Assert.All(
            result.Variants,
            variant => Assert.Single(table.Split('\n'),
                line => line.StartsWith($"| {variant.GcMode} | {cores} | {variant.Codec} | {variant.Callers} | ",
                    StringComparison.Ordinal)));
    }

    public void Dispose() => folder.Delete(recursive: true);

    /// <summary>The mode in the runtime's words. The runtime has no server GC on one processor.</summary>
    static string Expected(string mode, int cores) => (mode, cores) switch
    {
        ("workstation" or "server", 1) => "Workstation non-concurrent",
        (_, 1) => "Workstation concurrent",
        ("workstation-concurrent", _) => "Workstation concurrent",
        ("workstation", _) => "Workstation non-concurrent",
        ("server", _) => "Server non-concurrent",
        ("server-concurrent", _) => "Server concurrent",
        _ => "Server concurrent, DATAS",
    };
}

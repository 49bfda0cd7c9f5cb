using System.Text.Json;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Running;
using ProtoBench.Harness.Toolchains;

namespace ProtoBench.Tests;

/// <summary>MSBuild finds no SDK here, so any build of a project fails, and with it the cell: a run builds no project.</summary>
public sealed class BenchmarkRunTests : IDisposable
{
    readonly string folder = Directory.CreateTempSubdirectory("protobench-run-").FullName;

    [Fact]
    public void Results_are_where_a_relative_folder_is_and_the_console_has_the_table_alone()
    {
        var output = Run("--job", "dry", "--artifacts", "here");
        Assert.Single(Directory.GetFiles(Path.Combine(folder, "here", "results"), "*-report-full.json"));
        var log = Assert.Single(Directory.GetFiles(Path.Combine(folder, "here"), "*.log"));
        Assert.Contains("// BeforeAnythingElse", File.ReadAllText(log), StringComparison.Ordinal);
        Assert.DoesNotContain("// BeforeAnythingElse", output, StringComparison.Ordinal);
        Assert.DoesNotContain("StdDev", output, StringComparison.Ordinal);
        Assert.InRange(output.Split('\n').Length, 10, 30);
        Assert.Contains("This was a dry run; the times are not measurements.", output, StringComparison.Ordinal);
        Assert.Contains($"Log:     {log}", output, StringComparison.Ordinal);
        Assert.False(Directory.Exists(Path.Combine(Golden.Root, "here")));
    }

    [Fact]
    public void A_dry_run_says_first_that_its_times_are_not_measurements()
    {
        var (exit, output, error) =
            TheProgram.Run([],
                ["--filter", "*.MeasureRequestGoogle", "*.MeasureRequestSlab", "--allocations", "off", "--job", "dry", "--inProcess", "--noForcedGCs"],
                folder);
        Assert.True(exit == 0, output + error);
        var table = output.IndexOf("| Method", StringComparison.Ordinal);
        Assert.InRange(output.IndexOf("This was a dry run", StringComparison.Ordinal), 0, table);
        Assert.DoesNotContain(" MB/s ", output, StringComparison.Ordinal);
        Assert.DoesNotContain(" Ratio ", output, StringComparison.Ordinal);
    }

    [Fact]
    public void Verbose_prints_what_BenchmarkDotNet_says() =>
        Assert.Contains("// BeforeAnythingElse", Run("--job", "dry", "--verbose"), StringComparison.Ordinal);

    [Fact]
    public void Diagnosers_that_ask_for_the_runtime_work_and_wide_has_every_column()
    {
        var output = Run("--job", "short", "--iterationTime", "20", "--threading", "--disasm", "--profiler", "EP", "--runtimes", "net10.0",
            "--columns", "wide", "--artifacts", "here");
        Assert.Contains("| StdDev ", output, StringComparison.Ordinal);
        var results = Path.Combine(folder, "here");
        Assert.Contains("Completed Work Items",
            File.ReadAllText(Directory.GetFiles(results, "*-report-github.md", SearchOption.AllDirectories).Single()),
                StringComparison.Ordinal);
        // what the disassembler finds depends on what the JIT has finished: on a busy machine the file may be empty
        Assert.Single(Directory.GetFiles(results, "*-asm.md", SearchOption.AllDirectories));
        Assert.NotEmpty(Directory.GetFiles(results, "*.nettrace", SearchOption.AllDirectories));
    }

    /// <summary>Attributes, parameters and set-up. OtherCellTests and CellTests judge the cells without BenchmarkDotNet.</summary>
    [Fact]
    public void BenchmarkDotNet_runs_a_cell_of_each_class()
    {
        // the classes of the data sets have one base, which has their cells
        var first = BenchmarkClasses.MeantBy(["*"])
            .DistinctBy(type => typeof(IDataSetCells).IsAssignableFrom(type) ? typeof(IDataSetCells) : type)
            .Select(type => BenchmarkConverter.TypeToBenchmarks(type).BenchmarksCases[0]).ToList();
        var (exit, output, error) = TheProgram.Run([],
            ["--job", "dry", "--inProcess", "--noForcedGCs", "--allocations", "off", "--filter", .. first.Select(FullNameProvider.GetBenchmarkName)],
            folder);
        Assert.True(exit == 0, output + error);
        var file = Assert.Single(Directory.GetFiles(folder, "*-report-full.json", SearchOption.AllDirectories));
        using var result = JsonDocument.Parse(File.ReadAllBytes(file));
        var measured = result.RootElement.GetProperty("Benchmarks").EnumerateArray()
            .Where(cell => cell.GetProperty("Statistics").ValueKind == JsonValueKind.Object)
            .Select(cell => $"{cell.GetProperty("Namespace")}.{cell.GetProperty("Type")}.{cell.GetProperty("Method")}");
        Assert.Equal(first.Select(cell => $"{cell.Descriptor.Type.FullName}.{cell.Descriptor.WorkloadMethod.Name}").Order(StringComparer.Ordinal),
            measured.Order(StringComparer.Ordinal));
    }

    /// <summary>The shared framework of ASP.NET Core has an older System.Formats.Cbor, which the process must not take.</summary>
    [Fact]
    public void A_measured_process_has_the_libraries_of_the_program()
    {
        Assert.SkipUnless(PrebuiltToolchain.CanMeasure, "needs an optimized build: dotnet test -c Release");
        var (exit, output, error) = TheProgram.Run([],
            ["--job", "dry", "--allocations", "off", "--filter", "*OrderSetBenchmarks.SerializeSetCbor*"], folder);
        Assert.True(exit == 0, output + error);
        Assert.Contains("SerializeSetCbor", output, StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(folder, recursive: true);

    string Run(params string[] more)
    {
        Assert.SkipUnless(PrebuiltToolchain.CanMeasure, "needs an optimized build: dotnet test -c Release");
        var (exit, output, error) = TheProgram.Run([("MSBuildSDKsPath", "/nowhere")],
            ["--filter", "*MeterBenchmarks.Objects_0", "--allocations", "off", .. more], folder);
        Assert.True(exit == 0, output + error);
        return output;
    }
}

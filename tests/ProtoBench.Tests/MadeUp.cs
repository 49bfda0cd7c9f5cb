using System.Globalization;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.Results;

namespace ProtoBench.Tests;

static class MadeUp
{
    /// <summary>Three iterations of <paramref name="nanoseconds"/>; bytes and collections over <paramref name="operations"/>.</summary>
    public static (Summary Summary, BenchmarkCase Case) Cell(string method, double nanoseconds, int gen0 = 0, int gen1 = 0,
        long allocatedBytes = 0, long operations = 1_000)
    {
        var benchmark = Case(method);
        return (Of([Report(benchmark, true,
            Measured([nanoseconds, nanoseconds, nanoseconds], $"// GC:  {gen0} {gen1} 0 {allocatedBytes * operations} {operations}"))]),
                benchmark);
    }

    /// <summary>A cell whose process has said <paramref name="output"/> and left no result.</summary>
    public static (Summary Summary, BenchmarkCase Case) Failed(string method, params string[] output)
    {
        var benchmark = Case(method);
        return (Of([Report(benchmark, false, output)]), benchmark);
    }

    /// <summary>Every cell of a class, under the program's own configuration, with the same measurements.</summary>
    public static Summary Class(Type type, params double[] nanoseconds) => Class(type, _ => nanoseconds);

    public static Summary Class(Type type, Func<BenchmarkCase, double[]> nanoseconds,
        Func<IReadOnlyList<BenchmarkCase>, IEnumerable<BenchmarkCase>>? choose = null)
    {
        IReadOnlyList<BenchmarkCase> cells = Config.Cells(type, Config.Create(new()), new(new(), null)).BenchmarksCases;
        return Of([.. (choose?.Invoke(cells) ?? cells).Select(cell =>
            Report(cell, true, Measured(nanoseconds(cell), "// GC:  45 3 0 123456000 1000")))]);
    }

    static BenchmarkCase Case(string method)
    {
        var type = BenchmarkClasses.All.Single(type => type.GetMethod(method) is not null);
        return BenchmarkConverter.TypeToBenchmarks(type,
            ManualConfig.CreateEmpty().AddJob(Job.Dry)).BenchmarksCases.Single(c => c.Descriptor.WorkloadMethod.Name == method);
    }

    static string[] Measured(double[] nanoseconds, string collections) =>
        [.. nanoseconds.Select((ns, i) =>
            $"WorkloadResult   {i + 1}: 1 op, {ns:F2} ns, {ns:F2} ns/op"), collections];

    static BenchmarkReport Report(BenchmarkCase benchmark, bool success, string[] output)
    {
        var build = BuildResult.Success(GenerateResult.Success(null!, []));
        return new(success, benchmark, build, build, [new ExecuteResult(true, 0, 1, success ? output : [], output, output, 1)], []);
    }

    static Summary Of(BenchmarkReport[] reports) =>
        new("made up", [.. reports], HostEnvironmentInfo.GetCurrent(), "", "", TimeSpan.Zero, CultureInfo.InvariantCulture, [], []);
}

using System.Globalization;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.Results;

namespace ProtoBench.Tests;

/// <summary>A summary in which one cell was measured, or failed, as told.</summary>
static class MadeUp
{
    /// <summary>Three iterations of <paramref name="nanoseconds"/> each; collections and bytes over <paramref name="operations"/> operations.</summary>
    public static (Summary Summary, BenchmarkCase Case) Cell(string method, double nanoseconds, int gen0 = 0, int gen1 = 0, long allocatedBytes = 0, long operations = 1_000)
    {
        var ns = nanoseconds.ToString("F2", CultureInfo.InvariantCulture);
        string[] lines = [.. Enumerable.Range(1, 3).Select(i => $"WorkloadResult   {i}: 1 op, {ns} ns, {ns} ns/op"), $"// GC:  {gen0} {gen1} 0 {allocatedBytes * operations} {operations}"];
        var run = new ExecuteResult(true, 0, 1, lines, lines, [], 1);
        return Of(method, success: true, [run]);
    }

    public static (Summary Summary, BenchmarkCase Case) Failed(string method) => Of(method, success: false, []);

    static (Summary Summary, BenchmarkCase Case) Of(string method, bool success, ExecuteResult[] runs)
    {
        var type = BenchmarkClasses.All.Single(type => type.GetMethod(method) is not null);
        var benchmark = BenchmarkConverter.TypeToBenchmarks(type, ManualConfig.CreateEmpty().AddJob(Job.Dry)).BenchmarksCases.Single(c => c.Descriptor.WorkloadMethod.Name == method);
        var build = BuildResult.Success(GenerateResult.Success(null!, []));
        var report = new BenchmarkReport(success, benchmark, build, build, runs, []);
        return (new Summary("made up", [report], HostEnvironmentInfo.GetCurrent(), "", "", TimeSpan.Zero, CultureInfo.InvariantCulture, [], []), benchmark);
    }
}

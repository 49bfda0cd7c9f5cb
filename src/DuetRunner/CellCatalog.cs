using System.Reflection;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Running;

namespace ProtoBench.DuetRunner;

sealed class CellCatalog(Assembly program)
{
    readonly Dictionary<Type, BenchmarkCase[]> expanded = [];

    /// <summary>Returns every cell, including those that cannot be measured.</summary>
    public IEnumerable<RunnerCell> List() => Types().SelectMany(type => Cases(type).Select(benchmark => new RunnerCell(
        NameOf(benchmark),
        type.Name,
        benchmark.Descriptor.WorkloadMethod.Name,
        benchmark.Parameters.Items.ToDictionary(item => item.Name, item => item.ToDisplayText()),
        type.GetCustomAttributesData().Any(attribute => attribute.AttributeType.Name == "OnlyWhenNamedAttribute"),
        CallLoops.Waits(benchmark.Descriptor.WorkloadMethod),
        Refusal(benchmark))));

    public MeasuredCell Find(string name)
    {
        // Only the class of the cell is expanded, because other classes may need long to compute their parameters.
        var found = Types().Where(type => name.StartsWith(type.FullName + ".", StringComparison.Ordinal)).SelectMany(Cases)
            .FirstOrDefault(benchmark => NameOf(benchmark) == name)
            ?? throw new RunnerException($"{name}: there is no such cell in {program.GetName().Name}");
        return Refusal(found) is { } reason ? throw new RunnerException($"{name}: {reason}") : new(found);
    }

    IEnumerable<Type> Types() => program.GetTypes()
        .Where(type => type is { IsPublic: true, IsAbstract: false }
        && type.GetMethods().Any(method => method.IsDefined(typeof(BenchmarkAttribute), inherit: false)))
        .OrderBy(type => type.FullName, StringComparer.Ordinal);

    // A class with several jobs has each of its cells several times. Here all of them run in this process with its settings.
    BenchmarkCase[] Cases(Type type) =>
        expanded.TryGetValue(type, out var known)
        ? known : expanded[type] =
            [.. BenchmarkConverter.TypeToBenchmarks(type, ManualConfig.CreateEmpty().AddJob(Job.Dry)).BenchmarksCases.DistinctBy(NameOf)];

    static string NameOf(BenchmarkCase benchmark) => FullNameProvider.GetBenchmarkName(benchmark);

    static string? Refusal(BenchmarkCase benchmark) => benchmark.Descriptor switch
    {
        { IterationSetupMethod: { } setup } =>
            $"its [IterationSetup] {setup.Name} would have to run before each slice, and would decide what a slice of a few "
                + $"milliseconds measures",
        { IterationCleanupMethod: { } cleanup } =>
            $"its [IterationCleanup] {cleanup.Name} would have to run after each slice, and would decide what a slice of a few "
                + $"milliseconds measures",
        { WorkloadMethod: { } method } when method.GetParameters()
            .Any(parameter => parameter.ParameterType.IsByRef || parameter.ParameterType.IsByRefLike) =>
                "it takes an argument that cannot be kept between calls",
        { WorkloadMethod.ReturnType.IsByRef: true } => "it returns a reference",
        _ => null,
    };
}

using ProtoBench.Testing;

namespace ProtoBench.Results.Tests;

/// <summary>Files that BenchmarkDotNet 0.14.0 wrote on a real machine. old-*.json and new-*.json are launches of two programs with the
/// iterations that are read and a few that are not; several-jobs.json has two jobs, two launches each and a cell that fails;
/// as-written.json is one file in full.</summary>
static class Data
{
    public static string Folder { get; } = Path.Combine(Golden.Root, "tests", "Results.Tests", "Data");

    public static string PathOf(string name) => Path.Combine(Folder, name);
}

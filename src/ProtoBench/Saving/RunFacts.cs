using System.Text.Json.Serialization;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Reports;
using ProtoBench.Results;

namespace ProtoBench;

/// <summary>Represents the environment of a run, for the node "ProtoBench" of the result file and the text above a saved table.</summary>
/// <param name="OtherCores">The cores that other programs used, see <see cref="MachineLoad.Busy"/>; null if the machine was not busy.</param>
/// <param name="Tls">TLS version and cipher of the RPC stacks; null if none was measured.</param>
/// <param name="Commit">The commit of the checkout; "unknown" without a checkout.</param>
/// <param name="Clean">False if measured files differ from the commit, see <see cref="Git.IsClean"/>.</param>
sealed record RunFacts(
    [property: JsonPropertyName("schema")] int Schema,
    [property: JsonPropertyName("suite")] int Suite,
    [property: JsonPropertyName("date")] string Date,
    [property: JsonPropertyName("versions")] IReadOnlyDictionary<string, string> Versions,
    [property: JsonPropertyName("libraries")] IReadOnlyList<LibraryFacts> Libraries,
    [property: JsonPropertyName("runtime")] string Runtime,
    [property: JsonPropertyName("gc")] string Gc,
    [property: JsonPropertyName("cpu")] string Cpu,
    [property: JsonPropertyName("caches")] string Caches,
    [property: JsonPropertyName("tls")] string? Tls,
    [property: JsonPropertyName("commit")] string Commit,
    [property: JsonPropertyName("clean")] bool Clean,
    [property: JsonPropertyName("note")] string? Note,
    [property: JsonPropertyName("command")] string Command,
    [property: JsonPropertyName("otherCores")] double? OtherCores = null)
{
    public static RunFacts Of(Summary summary, string? note)
    {
        var host = summary.HostEnvironmentInfo;
        var checkout = Checkout.Root ?? Directory.GetCurrentDirectory();
        var command = Arguments.ThisCommandLine;
        return new(
            1, Results.Suite.Version, DateTime.UtcNow.ToString("yyyy-MM-dd"), BuildFacts.Program.Current.PackageVersions(), MeasuredLibraries.Facts,
            host.RuntimeVersion, GcOf(host), CpuOf(host), ReadCaches(),
            StackValidation.Facts,
            Git.Commit(checkout) ?? "unknown", Git.IsClean(checkout) is true, note, command);
    }

    [JsonIgnore]
    public IReadOnlyList<string> Lines =>
    [
        $"{Date}, {MeasuredBuild.Describe(Commit, Clean)}",
        $"{Cpu} ({Caches}), {Runtime}, {Gc} GC{(Tls is null ? "" : ", " + Tls)}",
        PackageList.Of(Versions),
        .. Note is null ? Array.Empty<string>() : [Note],
    ];

    public static string CpuOf(HostEnvironmentInfo host) => host.Cpu.Value?.ProcessorName?.Trim() ?? "unknown";

    static string GcOf(BenchmarkEnvironmentInfo host) =>
        $"{(host.IsServerGC ? "Server" : "Workstation")} {(host.IsConcurrentGC ? "concurrent" : "non-concurrent")}";

    static string ReadCaches()
    {
        const string folder = "/sys/devices/system/cpu/cpu0/cache";
        if (!Directory.Exists(folder))
            return "unknown";
        string Read(string index, string name) => File.ReadAllText(Path.Combine(index, name)).Trim();
        return string.Join(", ",
            Directory.GetDirectories(folder, "index*").Order(StringComparer.Ordinal)
                .Select(index => $"L{Read(index, "level")} {Read(index, "type")} {Read(index, "size")}"));
    }
}

using System.Globalization;

namespace ProtoBench.GrpcHost.Hosting;

/// <summary>A mode of the garbage collector, as environment variables of a .NET process.</summary>
/// <param name="Name">The name in options and result files.</param>
/// <param name="IsServer">A heap for each processor, instead of one heap.</param>
/// <param name="IsConcurrent">Generation 2 is collected beside the program.</param>
/// <param name="AdaptsHeapCount">Server GC changes the number of heaps with
/// the load: dynamic adaptation to application sizes (DATAS).</param>
sealed record GcMode(string Name, bool IsServer, bool IsConcurrent, bool AdaptsHeapCount = false)
{
    /// <summary>All modes, the runtime's default for console programs first.</summary>
    public static IReadOnlyList<GcMode> All { get; } =
    [
        new("workstation-concurrent", IsServer: false, IsConcurrent: true),
        new("workstation", IsServer: false, IsConcurrent: false),
        new("server", IsServer: true, IsConcurrent: false),
        new("server-concurrent", IsServer: true, IsConcurrent: true),
        new("datas", IsServer: true, IsConcurrent: true, AdaptsHeapCount: true),
    ];

    /// <summary>The variables for a process in this mode. They take precedence over its runtimeconfig.json.</summary>
    public IReadOnlyDictionary<string, string> Environment => new Dictionary<string, string>
    {
        ["DOTNET_gcServer"] = Flag(IsServer),
        ["DOTNET_gcConcurrent"] = Flag(IsConcurrent),
        ["DOTNET_GCDynamicAdaptationMode"] = Flag(AdaptsHeapCount),
    };

    static string Flag(bool on) => (on ? 1 : 0).ToString(CultureInfo.InvariantCulture);
}

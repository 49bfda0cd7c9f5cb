using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace ProtoBench.GrpcHost;

/// <summary>The result of <c>settings</c>. Each round starts all processes again, so it is one sample of each figure.</summary>
sealed record SettingsResult : MeasuredBuild
{
    public int SchemaVersion { get; init; } = 1;

    public required DateTimeOffset StartedAt { get; init; }

    public bool Partial { get; init; }

    public string CommandLine { get; init; } = "";

    public string Cpu { get; init; } = "";

    public int Cores { get; init; }

    public string Os { get; init; } = "";

    public string Runtime { get; init; } = "";

    /// <summary>The settings with their options of <c>run</c>. The first is the default.</summary>
    public required IReadOnlyDictionary<string, string> Settings { get; init; }

    /// <summary>The cells of each setting and load, in the order of the settings.</summary>
    public required IReadOnlyList<SettingsCell> Cells { get; init; }

    public static SettingsResult Here(DateTimeOffset startedAt, string commandLine, IReadOnlyList<Setting> settings,
        IReadOnlyList<SettingsCell> cells, bool partial) =>
        new()
        {
            StartedAt = startedAt,
            Partial = partial,
            CommandLine = commandLine,
            Cpu = HostProcess.Facts.Cpu,
            Cores = HostProcess.Facts.Cores,
            Os = HostProcess.Facts.Os,
            Runtime = HostProcess.Facts.Runtime,
            Commit = Git.Commit(AppContext.BaseDirectory),
            Clean = Git.IsClean(AppContext.BaseDirectory),
            PackageVersions = HostProcess.PackageVersions,
            Settings = settings.ToDictionary(setting => setting.Name, setting => string.Join(' ', setting.Options)),
            Cells = cells,
        };

    public JsonObject ToNode() => JsonSerializer.SerializeToNode(this, SettingsJson.Default.SettingsResult)!.AsObject();
}

sealed record SettingsLoad(string Payload, string Codec, int Callers, double DelayMs);

/// <param name="CpuUsPerCall">The processor time of both sides for a call.</param>
/// <param name="Host">Null in files of before 2026-11-29.</param>
sealed record LoadFigures(double CallsPerSecond, double P99Us, double CpuUsPerCall, HostFigures? Host = null);

/// <param name="PausePercent">The share of the time for which collections stopped the host.</param>
/// <param name="Collections">Of generation 0, 1 and 2.</param>
sealed record HostFigures(double PausePercent, IReadOnlyList<long> Collections, double AllocatedBytesPerCall, double WorkingSetMiB)
{
    public static HostFigures? Of(LoadRound round) => round.Server is not { } host ? null
        : new(Math.Round(host.GcPauseUs / 1e4 / round.DurationSeconds, 2), host.GcCollections, Math.Round(host.AllocatedBytesPerCall),
            Math.Round((host.WorkingSetBytes ?? 0) / 1048576.0));
}

/// <param name="Host">The collector and the number of processors that the host reports.</param>
sealed record LoadOutcome(LoadFigures? Figures, string? Failure = null, string? Host = null)
{
    public static LoadOutcome Of(LoadRound round) => round.FailedCalls > 0 || round.Succeeded == 0
        ? new(null, $"{round.FailedCalls} calls failed: {string.Join(", ", round.FailedByStatus.Keys)}")
        : new(new LoadFigures(Math.Round(round.SucceededPerSecond, 1), round.Service.Decode().Percentile(99),
            Math.Round(round.Client!.CpuUsPerCall + (round.Server?.CpuUsPerCall ?? 0), 1), HostFigures.Of(round)));
}

sealed record SettingsCell(string Setting, SettingsLoad Load)
{
    /// <summary>The figures of each round; null if there are none. A round has several figures of the default.</summary>
    public List<LoadFigures?> Rounds { get; init; } = [];

    /// <summary>The figures of the default that were measured in the same rounds; empty for the default itself.</summary>
    public List<LoadFigures?> Defaults { get; init; } = [];

    public List<string> Failures { get; init; } = [];

    /// <summary>The collector and the number of processors that the host reports; null in files of before 2026-11-29.</summary>
    public string? Host { get; set; }

    public void Add(LoadOutcome answer, LoadOutcome? byDefault)
    {
        Rounds.Add(answer.Figures);
        if (byDefault is not null)
            Defaults.Add(byDefault.Figures is { } figures ? figures with { Host = null } : null);
        Host ??= answer.Host;
        if (answer.Failure is { } failure && !Failures.Contains(failure))
            Failures.Add(failure);
    }
}

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(SettingsResult))]
sealed partial class SettingsJson : JsonSerializerContext;

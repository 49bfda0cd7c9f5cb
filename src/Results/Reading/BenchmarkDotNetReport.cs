using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <summary>What is read of BenchmarkDotNet's full JSON.</summary>
sealed record BenchmarkDotNetReport
{
    public BenchmarkDotNetHost? HostEnvironmentInfo { get; init; }

    public required IReadOnlyList<BenchmarkDotNetCase> Benchmarks { get; init; }

    /// <summary>What our own exporter adds, because BenchmarkDotNet does not say it.</summary>
    public ProtoBenchNode? ProtoBench { get; init; }
}

sealed record BenchmarkDotNetHost
{
    public string? BenchmarkDotNetVersion { get; init; }

    public string? OsVersion { get; init; }

    public string? ProcessorName { get; init; }

    public int? LogicalCoreCount { get; init; }

    public string? RuntimeVersion { get; init; }

    public string? Architecture { get; init; }

    public bool? HasAttachedDebugger { get; init; }

    public string? Configuration { get; init; }
}

sealed record BenchmarkDotNetCase
{
    public string? DisplayInfo { get; init; }

    public required string Type { get; init; }

    public required string Method { get; init; }

    public string? Parameters { get; init; }

    public required string FullName { get; init; }

    /// <summary>Null when the benchmark failed.</summary>
    public BenchmarkDotNetStatistics? Statistics { get; init; }

    public BenchmarkDotNetMemory? Memory { get; init; }

    public IReadOnlyList<BenchmarkDotNetMeasurement>? Measurements { get; init; }

    public IReadOnlyList<BenchmarkDotNetMetric>? Metrics { get; init; }
}

sealed record BenchmarkDotNetStatistics
{
    public IReadOnlyList<double>? OriginalValues { get; init; }
}

sealed record BenchmarkDotNetMemory
{
    public long? BytesAllocatedPerOperation { get; init; }
}

sealed record BenchmarkDotNetMeasurement
{
    public required string IterationMode { get; init; }

    public required string IterationStage { get; init; }

    public int LaunchIndex { get; init; }

    public long Operations { get; init; }

    public double Nanoseconds { get; init; }
}

sealed record BenchmarkDotNetMetric
{
    public double Value { get; init; }

    public BenchmarkDotNetMetricDescriptor? Descriptor { get; init; }
}

sealed record BenchmarkDotNetMetricDescriptor
{
    public string? Id { get; init; }

    public string? DisplayName { get; init; }

    public string? Unit { get; init; }

    public bool TheGreaterTheBetter { get; init; }
}

/// <summary>The node "ProtoBench" at the top of the report, with schema 1.</summary>
sealed record ProtoBenchNode
{
    public int Schema { get; init; }

    public Dictionary<string, string>? Versions { get; init; }

    /// <summary>The libraries of the hive's table; null in files of older versions.</summary>
    public IReadOnlyList<LibraryFacts>? Libraries { get; init; }

    public string? Commit { get; init; }

    public bool? Clean { get; init; }

    public string? Gc { get; init; }

    public string? Note { get; init; }

    public string? Command { get; init; }
}

/// <summary>The generated reader. BenchmarkDotNet writes NaN in quotes.</summary>
[JsonSourceGenerationOptions(NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals, PropertyNameCaseInsensitive = true,
    RespectNullableAnnotations = true)]
[JsonSerializable(typeof(BenchmarkDotNetReport))]
sealed partial class BenchmarkDotNetJson : JsonSerializerContext;

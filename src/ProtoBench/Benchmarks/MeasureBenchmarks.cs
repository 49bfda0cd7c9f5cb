namespace ProtoBench.Benchmarks;

/// <summary>How many bytes would this message take? Each cell returns them.</summary>
public partial class MeasureBenchmarks;

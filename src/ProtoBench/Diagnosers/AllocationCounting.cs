namespace ProtoBench.Diagnosers;

/// <summary>Which cells have their allocated objects counted. It doubles a cell's time.</summary>
enum AllocationCounting
{
    /// <summary>Those of classes with <see cref="Running.CostColumnsAttribute"/>.</summary>
    Marked,

    /// <summary>None: for a quick run.</summary>
    Off,

    /// <summary>All.</summary>
    All,

    /// <summary>All, and by type below the table.</summary>
    Types,
}

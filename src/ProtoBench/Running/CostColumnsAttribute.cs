namespace ProtoBench.Running;

/// <summary>
/// A class of cells whose table has the columns of a published one: allocations per operation (a second run of each cell, unless
/// <c>--allocations off</c> is given), operations timed and the share of the processor.
/// </summary>
[AttributeUsage(AttributeTargets.Class)]
sealed class CostColumnsAttribute : Attribute;

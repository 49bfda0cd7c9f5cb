namespace ProtoBench;

/// <summary>The table has the columns of a published one: allocations per operation (a second run of each cell, unless <c>--allocations
/// off</c> is given), timed operations and the share of the processor.</summary>
[AttributeUsage(AttributeTargets.Class)]
sealed class CostColumnsAttribute : Attribute;

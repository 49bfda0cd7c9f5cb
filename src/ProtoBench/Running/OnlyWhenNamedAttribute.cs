namespace ProtoBench.Running;

/// <summary>A class of cells that <c>--filter '*'</c> leaves out, because it takes long: it runs when a filter names it.</summary>
[AttributeUsage(AttributeTargets.Class)]
sealed class OnlyWhenNamedAttribute : Attribute;

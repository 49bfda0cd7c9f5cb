namespace ProtoBench;

/// <summary>For cells that take long. <c>--filter '*'</c> does not select them: a filter has to name their class.</summary>
[AttributeUsage(AttributeTargets.Class)]
sealed class OnlyWhenNamedAttribute : Attribute;

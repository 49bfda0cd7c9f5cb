namespace ProtoBench.Fuzz;

/// <summary>Thrown for an input whose result is wrong.</summary>
sealed class FindingException(string message) : Exception(message);

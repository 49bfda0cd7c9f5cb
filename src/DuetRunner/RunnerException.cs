namespace ProtoBench.DuetRunner;

/// <summary>A pair cannot be measured. Its message is for the user.</summary>
#pragma warning disable CA1032, CA1064 // thrown and caught in this assembly only, always with a message
sealed class RunnerException(string message) : Exception(message);
#pragma warning restore CA1032, CA1064

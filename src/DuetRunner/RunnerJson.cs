using System.Text.Json.Serialization;

namespace ProtoBench.DuetRunner;

/// <summary>How job and answer travel between the verb and its runners.</summary>
[JsonSourceGenerationOptions(DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(RunnerJob))]
[JsonSerializable(typeof(RunnerOutput))]
sealed partial class RunnerJson : JsonSerializerContext;

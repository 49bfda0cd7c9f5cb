namespace ProtoBench.GrpcHost.Target;

/// <summary>A gRPC method.</summary>
/// <param name="Path"><c>package.Service/Method</c>, without a leading slash.</param>
/// <param name="IsServerStreaming">Whether it answers one request with a stream.</param>
sealed record TargetMethod(string Path, bool IsServerStreaming);

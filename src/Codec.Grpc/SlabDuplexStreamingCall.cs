namespace ProtoBench.Codec.Grpc;

/// <summary>Represents a call with streams in both directions.</summary>
/// <remarks>Ownership: the reader and the writer own their messages. The call must be disposed. Thread safety: one reader and one writer
/// may be used at the same time.</remarks>
/// <typeparam name="TRequest">The type of the requests.</typeparam>
/// <typeparam name="TResponse">The type of the replies.</typeparam>
public sealed class SlabDuplexStreamingCall<TRequest, TResponse> : IDisposable
    where TRequest : struct, ISlabMessage<TRequest>
    where TResponse : struct, ISlabMessage<TResponse>
{
    readonly AsyncDuplexStreamingCall<GrpcMessage<TRequest>, GrpcMessage<TResponse>> call;

    internal SlabDuplexStreamingCall(AsyncDuplexStreamingCall<GrpcMessage<TRequest>, GrpcMessage<TResponse>> call) =>
        (this.call, RequestStream, ResponseStream) = (call, new(call.RequestStream), new(call.ResponseStream));

    /// <summary>Gets the writer of the requests.</summary>
    public SlabClientStreamWriter<TRequest> RequestStream { get; }

    /// <summary>Gets the reader of the replies.</summary>
    public SlabStreamReader<TResponse> ResponseStream { get; }

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.ResponseHeadersAsync"/>
    public Task<Metadata> ResponseHeadersAsync => call.ResponseHeadersAsync;

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.GetStatus"/>
    public Status GetStatus() => call.GetStatus();

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.GetTrailers"/>
    public Metadata GetTrailers() => call.GetTrailers();

    /// <summary>Cancels the call if it has not ended, and releases the messages of both streams.</summary>
    public void Dispose()
    {
        call.Dispose();
        RequestStream.End();
        ResponseStream.End();
    }
}

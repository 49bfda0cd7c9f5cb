namespace ProtoBench.Codec.Grpc;

/// <summary>Represents a call with one request and a stream of replies.</summary>
/// <remarks>Ownership: the caller of the stub owns the request, and may change or release it when the first read has ended. The reader owns
/// the replies. The call must be disposed. Thread safety: one reader.</remarks>
/// <typeparam name="TResponse">The type of the replies.</typeparam>
public sealed class SlabServerStreamingCall<TResponse> : IDisposable
    where TResponse : struct, ISlabMessage<TResponse>
{
    readonly AsyncServerStreamingCall<GrpcMessage<TResponse>> call;
    readonly CallMessage? request;

    internal SlabServerStreamingCall(AsyncServerStreamingCall<GrpcMessage<TResponse>> call, CallMessage? request)
    {
        (this.call, this.request) = (call, request);
        ResponseStream = new(new FirstRead<TResponse>(call.ResponseStream, request));
    }

    /// <summary>Gets the reader of the replies.</summary>
    public SlabStreamReader<TResponse> ResponseStream { get; }

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.ResponseHeadersAsync"/>
    public Task<Metadata> ResponseHeadersAsync => call.ResponseHeadersAsync;

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.GetStatus"/>
    public Status GetStatus() => call.GetStatus();

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.GetTrailers"/>
    public Metadata GetTrailers() => call.GetTrailers();

    /// <summary>Cancels the call if it has not ended, and releases the last reply.</summary>
    public void Dispose()
    {
        call.Dispose();
        request?.End();
        ResponseStream.End();
    }
}

namespace ProtoBench.Codec.Grpc;

/// <summary>Represents a call with a stream of requests and one reply. Await it to get the reply, after the requests are
/// completed.</summary>
/// <remarks>Ownership and thread safety: as <see cref="SlabUnaryCall{TResponse}"/>. A call that is not awaited must be disposed.</remarks>
/// <typeparam name="TRequest">The type of the requests.</typeparam>
/// <typeparam name="TResponse">The type of the reply.</typeparam>
public sealed class SlabClientStreamingCall<TRequest, TResponse> : IDisposable
    where TRequest : struct, ISlabMessage<TRequest>
    where TResponse : struct, ISlabMessage<TResponse>
{
    readonly AsyncClientStreamingCall<GrpcMessage<TRequest>, GrpcMessage<TResponse>> call;
    Reply<TResponse> reply;

    internal SlabClientStreamingCall(AsyncClientStreamingCall<GrpcMessage<TRequest>, GrpcMessage<TResponse>> call) =>
        (this.call, RequestStream, reply) = (call, new(call.RequestStream), new(call.ResponseAsync, null));

    /// <summary>Gets the writer of the requests.</summary>
    public SlabClientStreamWriter<TRequest> RequestStream { get; }

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.ResponseAsync"/>
    public Task<Message<TResponse>> ResponseAsync => reply.TakeAsync();

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.ResponseHeadersAsync"/>
    public Task<Metadata> ResponseHeadersAsync => call.ResponseHeadersAsync;

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.GetAwaiter"/>
    public SlabReplyAwaiter<TResponse> GetAwaiter() => reply.GetAwaiter(continueOnCapturedContext: true);

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.ConfigureAwait"/>
    public SlabReplyAwaiter<TResponse> ConfigureAwait(bool continueOnCapturedContext) => reply.GetAwaiter(continueOnCapturedContext);

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.GetStatus"/>
    public Status GetStatus() => call.GetStatus();

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.GetTrailers"/>
    public Metadata GetTrailers() => call.GetTrailers();

    /// <summary>Cancels the call if it has not ended, and releases the message of <see cref="RequestStream"/>.</summary>
    public void Dispose()
    {
        call.Dispose();
        RequestStream.End();
        reply.Abandon();
    }
}

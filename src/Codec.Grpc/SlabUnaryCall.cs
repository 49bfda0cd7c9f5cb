namespace ProtoBench.Codec.Grpc;

/// <summary>Represents a call with one request and one reply. Await it to get the reply.</summary>
/// <remarks>
/// <para>Ownership: the reply belongs to the code that awaits the call, or <see cref="ResponseAsync"/>, and can be taken once. The caller
/// of the stub owns the request, and may change or release it when the await has ended, even with an exception. <see cref="Dispose"/>
/// releases a reply that was not requested. If the call is not disposed either, the memory of the reply goes back to its pool when the call
/// is garbage-collected.</para>
/// <para>Thread safety: as <see cref="AsyncUnaryCall{TResponse}"/>.</para>
/// </remarks>
/// <typeparam name="TResponse">The type of the reply.</typeparam>
public sealed class SlabUnaryCall<TResponse> : IDisposable
    where TResponse : struct, ISlabMessage<TResponse>
{
    readonly AsyncUnaryCall<GrpcMessage<TResponse>> call;
    Reply<TResponse> reply;

    internal SlabUnaryCall(AsyncUnaryCall<GrpcMessage<TResponse>> call, CallMessage? request) =>
        (this.call, reply) = (call, new(call.ResponseAsync, request));

    /// <summary>Gets the reply, which belongs to the reader of this property.</summary>
    public Task<Message<TResponse>> ResponseAsync => reply.TakeAsync();

    /// <summary>Gets the metadata that the service sent before its reply.</summary>
    public Task<Metadata> ResponseHeadersAsync => call.ResponseHeadersAsync;

    /// <summary>Gets an awaiter for <c>await</c>. The awaiting code gets the reply, and must dispose it.</summary>
    public SlabReplyAwaiter<TResponse> GetAwaiter() => reply.GetAwaiter(continueOnCapturedContext: true);

    /// <summary>Configures an <c>await</c>, as <see cref="Task.ConfigureAwait(bool)"/> does. The awaiting code gets the reply, and must
    /// dispose it.</summary>
    /// <param name="continueOnCapturedContext">Whether the code after the <c>await</c> runs in the context of the code before it.</param>
    public SlabReplyAwaiter<TResponse> ConfigureAwait(bool continueOnCapturedContext) => reply.GetAwaiter(continueOnCapturedContext);

    /// <summary>Gets the status of a call that has ended.</summary>
    /// <exception cref="InvalidOperationException">The call has not ended.</exception>
    public Status GetStatus() => call.GetStatus();

    /// <summary>Gets the metadata that the service sent after its reply.</summary>
    /// <exception cref="InvalidOperationException">The call has not ended.</exception>
    public Metadata GetTrailers() => call.GetTrailers();

    /// <summary>Cancels the call if it has not ended. The request is not used after that.</summary>
    public void Dispose()
    {
        call.Dispose();
        reply.Abandon();
    }
}

using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Codec.Grpc;

/// <summary>Represents a method of a service with slab messages, and starts calls of it. Generated stubs have one for each method.
/// Thread-safe.</summary>
/// <typeparam name="TRequest">The type of the requests.</typeparam>
/// <typeparam name="TResponse">The type of the replies.</typeparam>
[SuppressMessage("Reliability", "CA2000", Justification = "what is lent owns nothing")]
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class SlabMethod<TRequest, TResponse>
    where TRequest : struct, ISlabMessage<TRequest>
    where TResponse : struct, ISlabMessage<TResponse>
{
    readonly MessageSource<TResponse>? replies;

    /// <summary>Initializes the description of a method.</summary>
    /// <param name="type">The type of the method: which sides send a stream.</param>
    /// <param name="serviceName">The name of the service with its package, as in <c>shop.Shop</c>.</param>
    /// <param name="name">The name of the method.</param>
    /// <exception cref="ArgumentNullException">A name is null.</exception>
    public SlabMethod(MethodType type, string serviceName, string name) => Method = new(type, serviceName, name,
        new(static (message, context) => message.Write(context),
            static context => new(MessageSource.Read(MessageSource.Rent<TRequest>(), context))),
        new(static (message, context) => message.Write(context),
            static context => new ReceivedMessage<TResponse>(MessageSource.Read(MessageSource.Rent<TResponse>(), context))));

    /// <summary>Initializes the same method with other sources of its messages. As a service of a host it replaces the method of the
    /// generated code.</summary>
    internal SlabMethod(MethodType type, string serviceName, string name, MessageSource<TRequest> requests,
        MessageSource<TResponse> replies)
    {
        this.replies = replies;
        Method = new(type, serviceName, name,
            requests.Around(new(static (message, context) => message.Write(context),
                context => new SourcedMessage<TRequest>(MessageSource.Read(requests.Rent(), context), requests))),
            replies.Around(new(static (message, context) => message.Write(context),
                context => new ReceivedMessage<TResponse>(MessageSource.Read(replies.Rent(), context)))));
    }

    /// <summary>Gets the method in the form of grpc-dotnet, with marshallers for both sides. A message that cannot be parsed fails the call
    /// with <see cref="StatusCode.Internal"/>, on both sides.</summary>
    public Method<GrpcMessage<TRequest>, GrpcMessage<TResponse>> Method { get; }

    /// <summary>Creates the empty reply of a call on a server, which the call releases.</summary>
    internal GrpcMessage<TResponse> CreateReply() => replies is null
        ? new GrpcMessage<TResponse>(MessageSource.Rent<TResponse>())
        : new SourcedMessage<TResponse>(replies.Rent(), replies);

    /// <summary>Calls a unary method and blocks until the reply has arrived.</summary>
    /// <param name="invoker">The invoker of the client.</param>
    /// <param name="request">The request. The caller owns it, and may change or release it when this method has returned.</param>
    /// <param name="options">Metadata, deadline and cancellation.</param>
    /// <returns>The reply, which the caller must dispose.</returns>
    /// <exception cref="RpcException">The call has failed.</exception>
    public Message<TResponse> Call(CallInvoker invoker, Message<TRequest> request, CallOptions options) =>
        Call(invoker, new LentMessage<TRequest>(request), options);

    /// <summary>Calls a unary method with a request that is serialized already, and blocks until the reply has arrived.</summary>
    /// <param name="invoker">The invoker of the client.</param>
    /// <param name="encoded">The request, which is not checked. The caller may reuse the memory when this method has returned.</param>
    /// <param name="options">Metadata, deadline and cancellation.</param>
    /// <returns>The reply, which the caller must dispose.</returns>
    /// <exception cref="RpcException">The call has failed.</exception>
    public Message<TResponse> Call(CallInvoker invoker, ReadOnlyMemory<byte> encoded, CallOptions options) =>
        Call(invoker, new EncodedMessage<TRequest>(encoded, null, null), options);

    Message<TResponse> Call(CallInvoker invoker, GrpcMessage<TRequest> lent, CallOptions options)
    {
        ArgumentNullException.ThrowIfNull(invoker);
        try
        {
            return invoker.BlockingUnaryCall(Method, null, options, lent).Take();
        }
        finally
        {
            lent.End();
        }
    }

    /// <summary>Starts a unary call.</summary>
    /// <param name="invoker">The invoker of the client.</param>
    /// <param name="request">The request. The caller owns it, and may change or release it when the call was awaited or disposed.</param>
    /// <param name="options">Metadata, deadline and cancellation.</param>
    public SlabUnaryCall<TResponse> CallAsync(CallInvoker invoker, Message<TRequest> request, CallOptions options) =>
        CallAsync(invoker, new LentMessage<TRequest>(request), options);

    /// <summary>Starts a unary call with a request that is serialized already.</summary>
    /// <param name="invoker">The invoker of the client.</param>
    /// <param name="encoded">The request, which is not checked. The caller may reuse the memory when the call was awaited or disposed.</param>
    /// <param name="options">Metadata, deadline and cancellation.</param>
    public SlabUnaryCall<TResponse> CallAsync(CallInvoker invoker, ReadOnlyMemory<byte> encoded, CallOptions options) =>
        CallAsync(invoker, new EncodedMessage<TRequest>(encoded, null, null), options);

    SlabUnaryCall<TResponse> CallAsync(CallInvoker invoker, GrpcMessage<TRequest> lent, CallOptions options)
    {
        ArgumentNullException.ThrowIfNull(invoker);
        return new(invoker.AsyncUnaryCall(Method, null, options, lent), lent);
    }

    /// <summary>Starts a call with a stream of requests.</summary>
    /// <param name="invoker">The invoker of the client.</param>
    /// <param name="options">Metadata, deadline and cancellation.</param>
    public SlabClientStreamingCall<TRequest, TResponse> ClientStreaming(CallInvoker invoker, CallOptions options)
    {
        ArgumentNullException.ThrowIfNull(invoker);
        return new(invoker.AsyncClientStreamingCall(Method, null, options));
    }

    /// <summary>Starts a call with a stream of replies.</summary>
    /// <param name="invoker">The invoker of the client.</param>
    /// <param name="request">The request. The caller owns it, and may change or release it when the first read has ended, or when the call
    /// was disposed.</param>
    /// <param name="options">Metadata, deadline and cancellation.</param>
    public SlabServerStreamingCall<TResponse> ServerStreaming(CallInvoker invoker, Message<TRequest> request, CallOptions options) =>
        ServerStreaming(invoker, new LentMessage<TRequest>(request), options);

    /// <summary>Starts a call with a request that is serialized already, and a stream of replies.</summary>
    /// <param name="invoker">The invoker of the client.</param>
    /// <param name="encoded">The request, which is not checked. The caller may reuse the memory when the first read has ended, or when the
    /// call was disposed.</param>
    /// <param name="options">Metadata, deadline and cancellation.</param>
    public SlabServerStreamingCall<TResponse> ServerStreaming(CallInvoker invoker, ReadOnlyMemory<byte> encoded, CallOptions options) =>
        ServerStreaming(invoker, new EncodedMessage<TRequest>(encoded, null, null), options);

    SlabServerStreamingCall<TResponse> ServerStreaming(CallInvoker invoker, GrpcMessage<TRequest> lent, CallOptions options)
    {
        ArgumentNullException.ThrowIfNull(invoker);
        return new(invoker.AsyncServerStreamingCall(Method, null, options, lent), lent);
    }

    /// <summary>Starts a call with streams in both directions.</summary>
    /// <param name="invoker">The invoker of the client.</param>
    /// <param name="options">Metadata, deadline and cancellation.</param>
    public SlabDuplexStreamingCall<TRequest, TResponse> DuplexStreaming(CallInvoker invoker, CallOptions options)
    {
        ArgumentNullException.ThrowIfNull(invoker);
        return new(invoker.AsyncDuplexStreamingCall(Method, null, options));
    }
}

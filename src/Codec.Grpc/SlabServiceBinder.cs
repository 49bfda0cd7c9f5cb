using System.ComponentModel;

namespace ProtoBench.Codec.Grpc;

/// <summary>Registers the methods of a service. Generated code calls it once for each method.</summary>
/// <remarks>The binder uses the C# name of the method to find the service's implementation. The attributes of the implementation apply to
/// its endpoint, after those of the class.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class SlabServiceBinder
{
    private protected SlabServiceBinder()
    {
    }

    /// <summary>Registers a method with one request and one reply.</summary>
    /// <typeparam name="TService">The generated base class.</typeparam>
    /// <typeparam name="TRequest">The type of the requests.</typeparam>
    /// <typeparam name="TResponse">The type of the replies.</typeparam>
    /// <param name="method">The method.</param>
    /// <param name="name">The name of the method in C#.</param>
    /// <param name="handler">The delegate that calls the method.</param>
    public abstract void Unary<TService, TRequest, TResponse>(SlabMethod<TRequest, TResponse> method, string name,
        Func<TService, TRequest, TResponse, ServerCallContext, ValueTask> handler)
        where TService : class, ISlabService
        where TRequest : struct, ISlabMessage<TRequest>
        where TResponse : struct, ISlabMessage<TResponse>;

    /// <summary>Registers a method with a stream of requests and one reply.</summary>
    /// <inheritdoc cref="Unary"/>
    public abstract void ClientStreaming<TService, TRequest, TResponse>(SlabMethod<TRequest, TResponse> method, string name,
        Func<TService, SlabStreamReader<TRequest>, TResponse, ServerCallContext, ValueTask> handler)
        where TService : class, ISlabService
        where TRequest : struct, ISlabMessage<TRequest>
        where TResponse : struct, ISlabMessage<TResponse>;

    /// <summary>Registers a method with one request and a stream of replies.</summary>
    /// <inheritdoc cref="Unary"/>
    public abstract void ServerStreaming<TService, TRequest, TResponse>(SlabMethod<TRequest, TResponse> method, string name,
        Func<TService, TRequest, SlabStreamWriter<TResponse>, ServerCallContext, Task> handler)
        where TService : class, ISlabService
        where TRequest : struct, ISlabMessage<TRequest>
        where TResponse : struct, ISlabMessage<TResponse>;

    /// <summary>Registers a method with streams in both directions.</summary>
    /// <inheritdoc cref="Unary"/>
    public abstract void DuplexStreaming<TService, TRequest, TResponse>(SlabMethod<TRequest, TResponse> method, string name,
        Func<TService, SlabStreamReader<TRequest>, SlabStreamWriter<TResponse>, ServerCallContext, Task> handler)
        where TService : class, ISlabService
        where TRequest : struct, ISlabMessage<TRequest>
        where TResponse : struct, ISlabMessage<TResponse>;
}

using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Codec.Grpc;

/// <summary>Provides methods that send a reply which exists already: serialized, or as a message that many calls share.</summary>
/// <remarks>
/// <para>The reply that the method got is not sent, and interceptors get the given one. If several replies are set, the last one is
/// sent. In a test without a host, <see cref="SlabTestCalls.InvokeAsync"/> calls such a method.</para>
/// <para>Thread safety: the methods are called by the method of the service, one at a time. Any number of calls may share the bytes or the
/// message.</para>
/// </remarks>
[SuppressMessage("Reliability", "CA2000", Justification = "the call owns the message")]
public static class EncodedReplies
{
    /// <summary>Sends bytes as the reply of a unary method, or of a method with a stream of requests. They are not parsed, and not
    /// checked.</summary>
    /// <param name="context">The context of the call.</param>
    /// <param name="reply">The reply that the method got.</param>
    /// <param name="encoded">A serialized message of the same type. The bytes must not change until the call has ended.</param>
    /// <param name="owner">What is disposed when the call has ended, such as the owner of the memory; null for nothing.</param>
    /// <typeparam name="T">The type of the reply.</typeparam>
    /// <exception cref="ArgumentNullException"><paramref name="context"/> is null.</exception>
    /// <exception cref="InvalidOperationException">The code does not run in a call of a host. The owner was disposed.</exception>
    /// <exception cref="OperationCanceledException">The call has ended. The owner was disposed.</exception>
    public static void SetReply<T>(this ServerCallContext context, T reply, ReadOnlyMemory<byte> encoded, IDisposable? owner = null)
        where T : struct, ISlabMessage<T>
    {
        var call = Call(context, owner);
        call.Replace(new EncodedMessage<T>(encoded, owner, call));
    }

    /// <summary>Sends a message that many calls may share as the reply of a unary method, or of a method with a stream of
    /// requests.</summary>
    /// <param name="context">The context of the call.</param>
    /// <param name="reply">The reply that the method got.</param>
    /// <param name="message">The message. The caller owns it, and must not change or release it until the call has ended.</param>
    /// <param name="owner">What is disposed when the call has ended, such as a reference to the message; null for nothing.</param>
    /// <inheritdoc cref="SetReply{T}(ServerCallContext, T, ReadOnlyMemory{byte}, IDisposable)"/>
    public static void SetReply<T>(this ServerCallContext context, T reply, Message<T> message, IDisposable? owner = null)
        where T : struct, ISlabMessage<T>
    {
        var call = Call(context, owner);
        call.Replace(new SharedMessage<T>(message, owner, call));
    }

    static CallMessages Call(ServerCallContext context, IDisposable? owner)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (CallMessages.Current is { } call) return call;
        owner?.Dispose();
        throw new InvalidOperationException("The method was not called by a host. In a test, call it with SlabTestCalls.InvokeAsync.");
    }
}

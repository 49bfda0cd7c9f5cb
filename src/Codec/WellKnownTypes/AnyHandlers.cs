using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Codec.WellKnownTypes;

/// <summary>Calls a function for the message in an <see cref="Any"/>, by the type of the message.</summary>
/// <remarks>
/// <para>The function gets a view of a message that is rented for the call and released after it. A result that has to live longer needs a
/// copy of what the view shows. So a function cannot use the view after an <c>await</c>.</para>
/// <para>Thread safety: any number of threads may use the instance while no type is added.</para>
/// </remarks>
/// <typeparam name="TResult">The result of the functions.</typeparam>
public sealed class AnyHandlers<TResult>
{
    readonly TypeUrlTable<Handler> handlers = new();

    /// <summary>Adds the function of a message type.</summary>
    /// <typeparam name="T">The message type.</typeparam>
    /// <param name="handle">The function.</param>
    /// <returns>This instance.</returns>
    /// <exception cref="ArgumentException">The message type has a function already.</exception>
    public AnyHandlers<TResult> Add<T>(Func<T, TResult> handle)
        where T : struct, ISlabMessage<T>
    {
        ArgumentNullException.ThrowIfNull(handle);
        if (!handlers.TryAdd(T.FullName, new Handler<T>(handle)))
            throw new ArgumentException($"{T.FullName} has a function already.", nameof(handle));
        return this;
    }

    /// <summary>Parses a copy of the message in an Any and calls the function of its type. What the function throws is passed
    /// on.</summary>
    /// <param name="any">The Any. The name of the type is behind the last slash of its type URL.</param>
    /// <param name="result">The result of the function.</param>
    /// <returns>Whether the type has a function.</returns>
    /// <exception cref="WireFormatException">The Any contains something else than a message of its type.</exception>
    /// <exception cref="InsufficientMemoryException">A repeated field has more than 2^30 elements.</exception>
    /// <exception cref="Allocators.SlabPoolExhaustedException">The shared pool is at its limit.</exception>
    /// <exception cref="ObjectDisposedException">The message of the Any was released, cleared or parsed again.</exception>
    public bool TryHandle(Any any, [MaybeNullWhen(false)] out TResult result)
    {
        if (handlers.Find(any.TypeUrl.Span) is not { } handler)
        {
            result = default;
            return false;
        }

        result = handler.Handle(any);
        return true;
    }

    abstract class Handler
    {
        public abstract TResult Handle(Any any);
    }

    sealed class Handler<T>(Func<T, TResult> handle) : Handler
        where T : struct, ISlabMessage<T>
    {
        public override TResult Handle(Any any)
        {
            using var message = Message<T>.Rent();
            return handle(message.Parse(any.Value.Span));
        }
    }
}

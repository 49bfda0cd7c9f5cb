using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using ProtoBench.Allocators;

namespace ProtoBench.Codec;

/// <summary>Represents a rented message: a handle to its content (<see cref="Value"/>) and to the memory that holds it.</summary>
/// <remarks>
/// <para>Ownership: the message belongs to the renter until <see cref="Dispose"/>. Copies of the handle refer to the same message. After
/// the release every member throws <see cref="ObjectDisposedException"/>, except for <see cref="Dispose"/> and the comparison of handles.
/// Every view of the content throws it too, on any thread, also when the memory was rented again. A parse, a merge, a copy into the
/// message and <see cref="Clear"/> do the same to the views that were taken before. The default value behaves like a message that was
/// released.</para>
/// <para>A message over the shared pool is recycled, with its arrays and one slab, so that a steady state allocates nothing. One over a
/// pool of the caller's own is not.</para>
/// <para>Thread safety: any number of threads may read and write (serialize) a message at once. To parse, change, clear or release it needs
/// exclusive access.</para>
/// </remarks>
/// <typeparam name="T">The message type.</typeparam>
public readonly partial struct Message<T> : IDisposable, IEquatable<Message<T>>
    where T : struct, IMessage<T>
{
    readonly MessageCore<T>? core;
    readonly long rental;

    Message(MessageCore<T> core) => (this.core, rental) = (core, core.Rental);

    /// <summary>A view of the content. It is empty after <see cref="Rent()"/> and after a parse that failed.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public T Value
    {
        get
        {
            Snapshot(out _, out var content);
            core!.MarkSeen();
            return content;
        }
    }

    /// <summary>Number of strings and bytes fields that were copied since the last parse began, because they crossed the border of two
    /// segments of aliased input.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public int StraddledFields
    {
        get
        {
            var root = Snapshot(out _, out _);
            var count = root.Memory.StraddledFields;
            ThrowIfReleased(core!);
            return count;
        }
    }

    MessageCore<T> Core
    {
        get
        {
            if (core is null || core.Rental != rental) ThrowReleased();
            return core;
        }
    }

    /// <summary>Takes an empty message over the shared pool. The caller disposes it. Any thread may call this.</summary>
    [SuppressMessage("Design", "CA1000", Justification = "the type argument is what is asked for")]
    public static Message<T> Rent() => new(MessageCore<T>.Rent());

    /// <summary>Makes an empty message over a pool of the caller's own. The caller disposes it, before the pool.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="pool"/> is null.</exception>
    [SuppressMessage("Design", "CA1000", Justification = "the type argument is what is asked for")]
    public static Message<T> Rent(SlabPool pool)
    {
        ArgumentNullException.ThrowIfNull(pool);
        return new(MessageCore<T>.Rent(pool));
    }

    /// <summary>Whether two handles came from the same call of <see cref="Rent()"/>. The content is not compared.</summary>
    public static bool operator ==(Message<T> left, Message<T> right) => left.Equals(right);

    /// <summary>Whether two handles came from different calls of <see cref="Rent()"/>.</summary>
    public static bool operator !=(Message<T> left, Message<T> right) => !left.Equals(right);

    /// <summary>Replaces the content by what the input holds. The input may change after the call: it is copied if the message type has
    /// strings or bytes, and otherwise its unknown fields are.</summary>
    /// <returns><see cref="Value"/>: valid until the message is released, cleared or parsed again.</returns>
    /// <exception cref="WireFormatException">The input is not a message; this one is empty then.</exception>
    /// <exception cref="ArgumentException">The input is memory of this message's own, which is about to be emptied; or a sequence whose
    /// segments have another length than it says. The message is as it was.</exception>
    /// <exception cref="InsufficientMemoryException">The message has more than 2 GiB, or a repeated field more than 2^30 elements; this
    /// message is empty then.</exception>
    /// <exception cref="SlabPoolExhaustedException">The pool is at its limit; this message is empty then.</exception>
    /// <exception cref="ObjectDisposedException">The message was released; or code that the input's memory runs has released, cleared or
    /// parsed it meanwhile.</exception>
    public T Parse(ReadOnlySpan<byte> input)
    {
        var core = Core;
        core.ThrowIfOwned(input);
        core.Begin();
        return core.Read(T.KeepsInput ? core.Memory.Copy(input) : core.Memory.Borrow(input));
    }

    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T Parse(ReadOnlyMemory<byte> input) => Parse(input.Span);

    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T Parse(in ReadOnlySequence<byte> input)
    {
        if (input.IsSingleSegment) return Parse(input.FirstSpan);
        var core = CoreFor(input);
        core.Begin();
        return core.Read(core.Memory.Copy(input));
    }

    /// <summary>Reads a stream to its end, into the message's memory. The stream is not closed. What it throws is passed on, and this
    /// message is empty then.</summary>
    /// <exception cref="IOException">The stream says that it read more than it was asked for.</exception>
    /// <exception cref="InvalidOperationException">The stream set a string or bytes of this message.</exception>
    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T Parse(Stream input)
    {
        ArgumentNullException.ThrowIfNull(input);
        if (input.GetType() == typeof(MemoryStream) && ((MemoryStream)input).TryGetBuffer(out var bytes))
        {
            var from = (int)Math.Min(input.Position, bytes.Count);
            input.Position = Math.Max(input.Position, bytes.Count);
            return Parse(bytes.AsSpan(from));
        }

        var core = Core;
        core.Begin();
        return core.Read(core.Memory.Copy(input));
    }

    /// <summary>Reads the input where it is: strings, bytes and packed numbers of fixed width refer to the caller's memory, which must stay
    /// as it is until the message is released, cleared or parsed again.</summary>
    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T ParseAlias(ReadOnlyMemory<byte> input)
    {
        var bytes = input.Span;
        var core = Core;
        core.ThrowIfOwned(bytes);
        core.Begin();
        return core.Read(core.Memory.Alias(input, bytes));
    }

    /// <summary>Reads the input where it is: strings, bytes and packed numbers of fixed width refer to the caller's memory, which must stay
    /// as it is until the message is released, cleared or parsed again. A field that crosses the border of two segments is copied.
    /// </summary>
    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T ParseAlias(in ReadOnlySequence<byte> input)
    {
        if (input.IsSingleSegment) return ParseAlias(input.First);
        var core = CoreFor(input);
        core.Begin();
        return core.Read(core.Memory.Alias(input));
    }

    /// <summary>Empties the message. Its memory is kept for what comes next.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public void Clear() => Core.Clear();

    /// <summary>Releases the message. A second call does nothing, on any thread, also when somebody else has rented the memory since.
    /// </summary>
    public void Dispose() => core?.Release(rental);

    /// <summary>Releases a message whose last handle was collected, on the finalizer's thread.</summary>
    internal void Abandon() => core?.Abandon(rental);

    /// <inheritdoc/>
    public bool Equals(Message<T> other) => core == other.core && rental == other.rental;

    /// <inheritdoc/>
    public override bool Equals([NotNullWhen(true)] object? obj) => obj is Message<T> other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(core, rental);

    /// <summary>The message, for input that is to replace its content. The input's memory may be anybody's code: the handle is compared
    /// after each look at it.</summary>
    MessageCore<T> CoreFor(in ReadOnlySequence<byte> input)
    {
        MessageMemory.LengthOf(input);
        foreach (var segment in input)
        {
            var bytes = segment.Span;
            Core.ThrowIfOwned(bytes);
        }

        return Core;
    }

    void ThrowIfReleased(MessageCore<T> core)
    {
        Volatile.ReadBarrier();
        if (core.Rental != rental) ThrowReleased();
    }

    [DoesNotReturn]
    static void ThrowReleased() => throw new ObjectDisposedException("Message", "This message was released.");
}

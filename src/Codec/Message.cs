using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using ProtoBench.Allocators;

namespace ProtoBench.Codec;

/// <summary>A message and the memory that it lives in. <see cref="Value"/> is its content; this handle is the right to read, change and
/// release it.</summary>
/// <remarks>
/// <para>Ownership: the renter's, until <see cref="Dispose"/>. Copies of the handle are the same message. After the release every member
/// but <see cref="Dispose"/> throws <see cref="ObjectDisposedException"/>, and so does every view of the content, on any thread, also when
/// the memory was rented again; after the next parse or <see cref="Clear"/> the views of the earlier content do. The default value behaves
/// like a message that was released. In the aliasing forms the caller's bytes must stay as they are for as long as the content.</para>
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

    /// <summary>The content. Empty after <see cref="Rent()"/> and after a parse that failed.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public T Value
    {
        get
        {
            var (_, _, content) = Snapshot();
            core!.MarkSeen();
            return content;
        }
    }

    /// <summary>Strings and bytes that the last parse had to copy, because they straddled segments of aliased input.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public int StraddledFields
    {
        get
        {
            var (root, _, _) = Snapshot();
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

    /// <summary>An empty message over the shared pool.</summary>
    [SuppressMessage("Design", "CA1000", Justification = "the type argument is what is asked for")]
    public static Message<T> Rent() => new(MessageCore<T>.Rent());

    /// <summary>An empty message over a pool of the caller's own.</summary>
    [SuppressMessage("Design", "CA1000", Justification = "the type argument is what is asked for")]
    public static Message<T> Rent(SlabPool pool)
    {
        ArgumentNullException.ThrowIfNull(pool);
        return new(MessageCore<T>.Rent(pool));
    }

    /// <summary>Whether two handles are of one renting of one message.</summary>
    public static bool operator ==(Message<T> left, Message<T> right) => left.Equals(right);

    /// <summary>Whether two handles are of different messages or rentings.</summary>
    public static bool operator !=(Message<T> left, Message<T> right) => !left.Equals(right);

    /// <summary>Reads the input. What the message keeps of it is copied: all of it
    /// where the message type has strings or bytes, else the unknown fields.</summary>
    /// <returns><see cref="Value"/>: valid until the message is released, cleared or parsed again.</returns>
    /// <exception cref="WireFormatException">The input is not a message; this one is empty then.</exception>
    /// <exception cref="ArgumentException">The input is memory of this message's own, which is about to be emptied.</exception>
    /// <exception cref="InsufficientMemoryException">The message has more than 2 GiB, or a repeated field more than 2^30 elements, or the
    /// pool is at its cap; this message is empty then.</exception>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
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
        var core = Core;
        foreach (var segment in input) core.ThrowIfOwned(segment.Span);
        core.Begin();
        return core.Read(core.Memory.Copy(input));
    }

    /// <summary>Reads a stream to its end, into the message's memory.</summary>
    /// <exception cref="IOException">The stream says that it read more than it was asked for.</exception>
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

    /// <summary>Reads the input where it is: strings and bytes refer to the caller's memory.</summary>
    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T ParseAlias(ReadOnlyMemory<byte> input)
    {
        var core = Core;
        core.ThrowIfOwned(input.Span);
        core.Begin();
        return core.Read(core.Memory.Alias(input));
    }

    /// <summary>Reads the input where it is: strings and bytes refer to the
    /// caller's memory, but for those that straddle two segments.</summary>
    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T ParseAlias(in ReadOnlySequence<byte> input)
    {
        var core = Core;
        foreach (var segment in input) core.ThrowIfOwned(segment.Span);
        core.Begin();
        return core.Read(core.Memory.Alias(input));
    }

    /// <summary>Empties the message.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public void Clear() => Core.Clear();

    /// <summary>Releases the message. Calling it again does nothing, from any
    /// thread, also when the memory is another renter's by then.</summary>
    public void Dispose() => core?.Release(rental);

    /// <inheritdoc/>
    public bool Equals(Message<T> other) => core == other.core && rental == other.rental;

    /// <inheritdoc/>
    public override bool Equals([NotNullWhen(true)] object? obj) => obj is Message<T> other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(core, rental);

    void ThrowIfReleased(MessageCore<T> core)
    {
        Volatile.ReadBarrier();
        if (core.Rental != rental) ThrowReleased();
    }

    [DoesNotReturn]
    static void ThrowReleased() => throw new ObjectDisposedException("Message", "This message was released.");
}

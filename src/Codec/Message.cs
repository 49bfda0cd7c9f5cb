using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using ProtoBench.Allocators;

namespace ProtoBench.Codec;

/// <summary>A message and the memory that it lives in. <see cref="Value"/> is what it says; this object is whose it is.</summary>
/// <remarks>
/// <para>Ownership: the renter's alone, until <see cref="Dispose"/>. Views, spans and memory of its leaves are valid until then, or until
/// the next parse. In the aliasing forms the caller's bytes must stay as they are for as long.</para>
/// <para>A message over the shared pool is recycled, with its arrays and one slab, so that a steady state allocates nothing; a late use
/// then shows another message. One over a pool of the caller's own is not: a late use throws <see cref="ObjectDisposedException"/>. Hand
/// it a <see cref="DiagnosticSlabPool"/> to hunt for late uses and leaks.</para>
/// <para>Thread safety: none while it is parsed, changed or written; any number of threads may read.</para>
/// </remarks>
/// <typeparam name="T">The message type.</typeparam>
public sealed partial class Message<T> : IDisposable
    where T : struct, IMessage<T>
{
    static readonly BagRecycler<Message<T>> bag = new(() => new(SlabPool.Shared, recycled: true));

    // Most messages end on the thread where the next one begins; the bag is for the others.
    [ThreadStatic]
    static Message<T>? spare;

    readonly MessageMemory memory;
    readonly WireOutput output = new();
    readonly bool recycled;
    readonly T value;
    State state = State.Rented;

    // Nobody has seen the message since it was emptied.
    bool isFresh = true;

    Message(SlabPool pool, bool recycled)
    {
        memory = new(pool);
        this.recycled = recycled;
        value = T.Create(memory);
        memory.Reset();
    }

    enum State
    {
        Rented,
        Idle,
        Released,
    }

    /// <summary>What the message says. Empty after <see cref="Rent()"/> and after a parse that failed.</summary>
    public T Value
    {
        get
        {
            isFresh = false;
            return value;
        }
    }

    /// <summary>Leaves that the last parse had to copy, because they straddled segments of aliased input.</summary>
    public int StraddledLeaves => memory.StraddledLeaves;

    /// <summary>An empty message over the shared pool.</summary>
    [SuppressMessage("Design", "CA1000", Justification = "the type argument is what is asked for")]
    public static Message<T> Rent()
    {
        var message = spare;
        if (message is null)
        {
            do message = bag.Rent();
            while (message.state == State.Released);
        }

        spare = null;
        message.state = State.Rented;
        message.isFresh = true;
        return message;
    }

    /// <summary>An empty message over a pool of the caller's own.</summary>
    [SuppressMessage("Design", "CA1000", Justification = "the type argument is what is asked for")]
    public static Message<T> Rent(SlabPool pool)
    {
        ArgumentNullException.ThrowIfNull(pool);
        return new(pool, recycled: false);
    }

    /// <summary>Copies the input into the message's memory and reads it there.</summary>
    /// <returns><see cref="Value"/>, for as long as the message lives.</returns>
    /// <exception cref="WireFormatException">The input is not a message; this one is empty then.</exception>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public T Parse(ReadOnlySpan<byte> input)
    {
        Begin();
        return Read(memory.Copy(input));
    }

    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T Parse(ReadOnlyMemory<byte> input) => Parse(input.Span);

    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T Parse(in ReadOnlySequence<byte> input)
    {
        Begin();
        return Read(memory.Copy(input));
    }

    /// <summary>Reads a stream to its end, into the message's memory.</summary>
    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T Parse(Stream input)
    {
        ArgumentNullException.ThrowIfNull(input);
        if (input is MemoryStream exposed && exposed.TryGetBuffer(out var bytes))
        {
            var from = (int)Math.Min(exposed.Position, bytes.Count);
            exposed.Position = Math.Max(exposed.Position, bytes.Count);
            return Parse(bytes.AsSpan(from));
        }

        Begin();
        return Read(memory.Copy(input));
    }

    /// <summary>Reads the input where it is: leaves refer to the caller's bytes.</summary>
    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T ParseAlias(ReadOnlyMemory<byte> input)
    {
        Begin();
        return Read(memory.Alias(input));
    }

    /// <summary>Reads the input where it is: leaves refer to the caller's bytes, but for those that straddle two segments.</summary>
    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T ParseAlias(in ReadOnlySequence<byte> input)
    {
        Begin();
        return Read(memory.Alias(input));
    }

    /// <summary>Empties the message.</summary>
    public void Clear() => Begin();

    /// <summary>Releases the message. Calling it again does nothing, as long as nobody else has rented the message since.</summary>
    public void Dispose()
    {
        if (recycled && Interlocked.CompareExchange(ref state, State.Idle, State.Rented) == State.Rented)
        {
            memory.Reset();
            if (spare is null) spare = this;
            else bag.Return(this);
        }
        else if (spare != this && Interlocked.Exchange(ref state, State.Released) != State.Released)
        {
            // Over a pool of its own; or idle, and the bag is full.
            memory.Release();
        }
    }

    void Begin()
    {
        memory.ThrowIfReleased();
        if (!isFresh) memory.Reset();
        isFresh = false;
    }

    T Read(WireReader reader)
    {
        try
        {
            T.Parse(reader, value);
            return value;
        }
        catch
        {
            memory.Reset();
            throw;
        }
    }
}

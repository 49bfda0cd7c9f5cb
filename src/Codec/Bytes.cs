using System.Collections;
using System.ComponentModel;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec;

/// <summary>Represents the bytes of a field of type bytes, in the memory of the message. Two values are equal if their bytes are
/// equal.</summary>
/// <remarks>Ownership: the content belongs to the message. A use after the message was released, cleared or parsed again throws
/// <see cref="ObjectDisposedException"/>, except for the number of bytes or elements, which is stored in the view. The default value is
/// empty. Thread safety: any number of threads may read.</remarks>
public readonly struct Bytes : IEquatable<Bytes>
{
    readonly Storage? storage;
    readonly ByteRange range;
    readonly int stamp;

    /// <summary>Initializes a view of a range. For generated code.</summary>
    /// <param name="storage">The storage of the message that has the field.</param>
    /// <param name="range">The range of the field.</param>
    /// <param name="stamp">The stamp of the message's view.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public Bytes(Storage storage, ByteRange range, int stamp) => (this.storage, this.range, this.stamp) = (storage, range, stamp);

    /// <summary>Gets the number of bytes.</summary>
    public int Length => range.Length;

    /// <summary>Gets the bytes. The message is checked when the span is taken and not later: do not use the span after the message was
    /// released, cleared or parsed again.</summary>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public ReadOnlySpan<byte> Span
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => MessageMemory.Span(storage, range, stamp);
    }

    /// <summary>Gets the bytes as memory that can be kept across an await. The bytes belong to the message. If they are used after the
    /// message was released, cleared or parsed again, the memory throws <see cref="ObjectDisposedException"/>. Bytes of aliased input
    /// belong to the caller and do not throw.</summary>
    /// <remarks>The first use in each content of a message allocates one object.</remarks>
    /// <inheritdoc cref="Span" path="/exception"/>
    public ReadOnlyMemory<byte> Memory => MessageMemory.Memory(storage, range, stamp);

    /// <summary>Gets the bytes, as <see cref="Span"/> does, so that methods that take a span take a field: setters, keys of maps,
    /// streams.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    [SuppressMessage("Usage", "CA2225", Justification = "Span")]
    public static implicit operator ReadOnlySpan<byte>(Bytes value) => value.Span;

    /// <summary>Determines whether two fields have the same content.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public static bool operator ==(Bytes left, Bytes right) => left.Equals(right);

    /// <summary>Determines whether two fields have different content.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public static bool operator !=(Bytes left, Bytes right) => !left.Equals(right);

    /// <summary>Determines whether a field has the given content.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public static bool operator ==(Bytes left, ReadOnlySpan<byte> right) => left.Span.SequenceEqual(right);

    /// <summary>Determines whether a field has other content than the given one.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public static bool operator !=(Bytes left, ReadOnlySpan<byte> right) => !(left == right);

    /// <summary>Determines whether a field has the given content.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public static bool operator ==(ReadOnlySpan<byte> left, Bytes right) => right == left;

    /// <summary>Determines whether a field has other content than the given one.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public static bool operator !=(ReadOnlySpan<byte> left, Bytes right) => !(right == left);

    /// <summary>Copies the bytes into a new array.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public byte[] ToArray()
    {
        var copy = Span.ToArray();
        ThrowIfEmptied();
        return copy;
    }

    /// <summary>Determines whether both fields have the same content.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public bool Equals(Bytes other)
    {
        var equal = Span.SequenceEqual(other.Span);
        ThrowIfEmptied();
        other.ThrowIfEmptied();
        return equal;
    }

    /// <summary>Determines whether the object is a <see cref="Bytes"/> value with the same content.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public override bool Equals([NotNullWhen(true)] object? obj) => obj is Bytes other && Equals(other);

    /// <summary>Gets a hash of the content. The hash differs from process to process.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public override int GetHashCode()
    {
        var hash = MapKey.Hash(Span);
        ThrowIfEmptied();
        return hash;
    }

    /// <summary>Gets a text with the number of bytes. It does not contain the bytes.</summary>
    public override string ToString() => $"{Length} bytes";

    internal void ThrowIfEmptied() => storage?.ThrowIfEmptied(stamp);
}

/// <summary>Represents a repeated field of type bytes. It contains the elements that the field had when the list was taken.</summary>
/// <inheritdoc cref="Bytes" path="/remarks"/>
[DebuggerDisplay("Count = {Count}")]
[DebuggerTypeProxy(typeof(ListDebuggerView))]
public readonly struct BytesList : IEnumerable<Bytes>
{
    readonly Storage storage;
    readonly ElementRange range;
    readonly int stamp;

    /// <summary>Initializes a view of a range. For generated code.</summary>
    /// <param name="storage">The storage of the message that has the field.</param>
    /// <param name="range">The range of the field.</param>
    /// <param name="stamp">The stamp of the message's view.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public BytesList(Storage storage, ElementRange range, int stamp) => (this.storage, this.range, this.stamp) = (storage, range, stamp);

    /// <summary>Gets the number of elements.</summary>
    public int Count => range.Count;

    /// <summary>Gets the element at an index.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The list has no element at the index.</exception>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public Bytes this[int index]
    {
        get
        {
            if ((uint)index >= (uint)Count) Storage.ThrowNoElement(index, Count);
            return At(index);
        }
    }

    /// <summary>Returns an enumerator over the elements, in order.</summary>
    public Enumerator GetEnumerator() => new(this);

    IEnumerator<Bytes> IEnumerable<Bytes>.GetEnumerator()
    {
        for (var i = 0; i < Count; i++) yield return At(i);
    }

    IEnumerator IEnumerable.GetEnumerator() => ((IEnumerable<Bytes>)this).GetEnumerator();

    Bytes At(int index)
    {
        var value = storage.Memory.Ranges[range.Start + index];
        storage.ThrowIfEmptied(stamp);
        return new(storage, value, stamp);
    }

    /// <summary>Enumerates the elements of a list.</summary>
    [SuppressMessage("Design", "CA1034", Justification = "an enumerator is named by foreach only")]
    public struct Enumerator
    {
        readonly BytesList list;
        int index;

        internal Enumerator(BytesList list) => (this.list, index) = (list, -1);

        /// <summary>Gets the element at the enumerator's position.</summary>
        /// <exception cref="InvalidOperationException">The enumeration has not started, or has ended.</exception>
        /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
        public readonly Bytes Current =>
            (uint)index < (uint)list.Count ? list.At(index) : throw new InvalidOperationException("The walk has not begun, or is over.");

        /// <summary>Advances the enumerator to the next element.</summary>
        public bool MoveNext()
        {
            var next = index + 1;
            if (next >= list.Count)
            {
                index = list.Count;
                return false;
            }

            index = next;
            return true;
        }
    }
}

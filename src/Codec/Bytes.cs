using System.ComponentModel;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using ProtoBench.Codec.Generated;

namespace ProtoBench.Codec;

/// <summary>The bytes of a field of type bytes, where the message keeps them. Two are equal if their bytes are.</summary>
/// <remarks>Ownership: the message's. A use after the message was released, cleared or parsed again throws
/// <see cref="ObjectDisposedException"/>, except for the number of bytes or elements, which the view itself has. The default value is
/// empty. Thread safety: any number of threads may read.</remarks>
public readonly struct Bytes : IEquatable<Bytes>
{
    readonly Storage? storage;
    readonly ByteRange range;
    readonly int stamp;

    /// <summary>For generated code: the view of a range.</summary>
    /// <param name="storage">Storage of the message that has the field.</param>
    /// <param name="range">The field.</param>
    /// <param name="stamp">Stamp of the message's view.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public Bytes(Storage storage, ByteRange range, int stamp) => (this.storage, this.range, this.stamp) = (storage, range, stamp);

    /// <summary>Number of bytes.</summary>
    public int Length => range.Length;

    /// <summary>The bytes. The span is checked when it is taken and not later: do not use it after the message was released, cleared or
    /// parsed again.</summary>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public ReadOnlySpan<byte> Span
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => MessageMemory.Span(storage, range, stamp);
    }

    /// <summary>The bytes, to be kept across an await. They belong to the message. If they are used after the message was released,
    /// cleared or parsed again, they throw <see cref="ObjectDisposedException"/>. Bytes of aliased input belong to the caller and do not
    /// throw.</summary>
    /// <remarks>The first use in each content of a message allocates one object.</remarks>
    /// <inheritdoc cref="Span" path="/exception"/>
    public ReadOnlyMemory<byte> Memory => MessageMemory.Memory(storage, range, stamp);

    /// <summary>Whether two fields have the same content.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public static bool operator ==(Bytes left, Bytes right) => left.Equals(right);

    /// <summary>Whether two fields differ.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public static bool operator !=(Bytes left, Bytes right) => !left.Equals(right);

    /// <summary>A copy of the bytes.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public byte[] ToArray()
    {
        var copy = Span.ToArray();
        ThrowIfEmptied();
        return copy;
    }

    /// <summary>Whether both have the same content.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public bool Equals(Bytes other)
    {
        var equal = Span.SequenceEqual(other.Span);
        ThrowIfEmptied();
        other.ThrowIfEmptied();
        return equal;
    }

    /// <summary>Whether both are bytes with the same content.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public override bool Equals([NotNullWhen(true)] object? obj) => obj is Bytes other && Equals(other);

    /// <summary>A hash of the content, other in each process.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public override int GetHashCode()
    {
        var hash = MapKey.Hash(Span);
        ThrowIfEmptied();
        return hash;
    }

    /// <summary>The length. The content is not text.</summary>
    public override string ToString() => $"{Length} bytes";

    internal void ThrowIfEmptied() => storage?.ThrowIfEmptied(stamp);
}

/// <summary>A repeated field of type bytes. It shows the elements that were there when it was taken.</summary>
/// <inheritdoc cref="Bytes" path="/remarks"/>
[DebuggerDisplay("Count = {Count}")]
[DebuggerTypeProxy(typeof(ListDebuggerView))]
public readonly struct BytesList
{
    readonly Storage storage;
    readonly ElementRange range;
    readonly int stamp;

    /// <summary>For generated code: the view of a range.</summary>
    /// <param name="storage">Storage of the message that has the field.</param>
    /// <param name="range">The field.</param>
    /// <param name="stamp">Stamp of the message's view.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public BytesList(Storage storage, ElementRange range, int stamp) => (this.storage, this.range, this.stamp) = (storage, range, stamp);

    /// <summary>Number of elements.</summary>
    public int Count => range.Count;

    /// <summary>An element.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public Bytes this[int index]
    {
        get
        {
            if ((uint)index >= (uint)Count) Storage.ThrowNoElement(index, Count);
            return At(index);
        }
    }

    /// <summary>Walks the elements in order.</summary>
    public Enumerator GetEnumerator() => new(this);

    Bytes At(int index)
    {
        var value = storage.Memory.Ranges[range.Start + index];
        storage.ThrowIfEmptied(stamp);
        return new(storage, value, stamp);
    }

    /// <summary>Where a walk is.</summary>
    [SuppressMessage("Design", "CA1034", Justification = "an enumerator is named by foreach only")]
    public struct Enumerator
    {
        readonly BytesList list;
        int index;

        internal Enumerator(BytesList list) => (this.list, index) = (list, -1);

        /// <summary>The element.</summary>
        /// <exception cref="InvalidOperationException">The walk has not begun, or is over.</exception>
        /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
        public readonly Bytes Current =>
            (uint)index < (uint)list.Count ? list.At(index) : throw new InvalidOperationException("The walk has not begun, or is over.");

        /// <summary>Goes to the next element.</summary>
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

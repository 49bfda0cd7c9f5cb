using System.ComponentModel;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using ProtoBench.Codec.Generated;

namespace ProtoBench.Codec;

/// <summary>The UTF-8 of a field of type string, where the message keeps it. Two are equal if their bytes are. Text of proto3 was checked
/// when it was read or set. Text of proto2 that was read is not checked, as its rules say.</summary>
/// <inheritdoc cref="Bytes" path="/remarks"/>
public readonly struct Utf8String : IEquatable<Utf8String>, IEquatable<string>
{
    readonly Bytes bytes;

    /// <summary>For generated code: the view of a range.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public Utf8String(Storage storage, ByteRange range, int stamp) => bytes = new(storage, range, stamp);

    /// <inheritdoc cref="Bytes.Length"/>
    public int Length => bytes.Length;

    /// <inheritdoc cref="Bytes.Span"/>
    public ReadOnlySpan<byte> Span
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => bytes.Span;
    }

    /// <inheritdoc cref="Bytes.Memory"/>
    public ReadOnlyMemory<byte> Memory => bytes.Memory;

    /// <summary>Whether two strings have the same content.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public static bool operator ==(Utf8String left, Utf8String right) => left.Equals(right);

    /// <summary>Whether two strings differ.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public static bool operator !=(Utf8String left, Utf8String right) => !left.Equals(right);

    /// <summary>Whether two strings have the same content. A string that is null equals none.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public static bool operator ==(Utf8String left, string? right) => left.Equals(right);

    /// <summary>Whether two strings differ.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public static bool operator !=(Utf8String left, string? right) => !left.Equals(right);

    /// <summary>Whether two strings have the same content. A string that is null equals none.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public static bool operator ==(string? left, Utf8String right) => right.Equals(left);

    /// <summary>Whether two strings differ.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public static bool operator !=(string? left, Utf8String right) => !right.Equals(left);

    /// <summary>Whether both have the same content.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public bool Equals(Utf8String other) => bytes.Equals(other.bytes);

    /// <summary>Whether both have the same content. A string that is null equals none. This and the operators with a string allocate the
    /// text of <see cref="ToString()"/>; comparing <see cref="Span"/> with a UTF-8 literal allocates nothing.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public bool Equals(string? other) => other is not null && string.Equals(ToString(), other, StringComparison.Ordinal);

    /// <summary>Whether the object is such a view of the same content. A <see cref="string"/> is not.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public override bool Equals([NotNullWhen(true)] object? obj) => obj is Utf8String other && Equals(other);

    /// <summary>A hash of the content, other in each process.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public override int GetHashCode() => bytes.GetHashCode();

    /// <summary>A new string with the text. Bytes that are not UTF-8, which proto2 allows, become U+FFFD.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public override string ToString()
    {
        var text = Utf8Text.ToString(Span);
        bytes.ThrowIfEmptied();
        return text;
    }

    /// <summary>The string with the text from a pool: a new one only where the pool does not have it.</summary>
    /// <param name="pool">The pool.</param>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public string ToString(Utf8StringPool pool)
    {
        ArgumentNullException.ThrowIfNull(pool);
        var text = pool.GetOrAdd(Span);
        bytes.ThrowIfEmptied();
        return text;
    }
}

/// <summary>A repeated field of type string. It shows the elements that were there when it was taken.</summary>
/// <inheritdoc cref="Bytes" path="/remarks"/>
[DebuggerDisplay("Count = {Count}")]
[DebuggerTypeProxy(typeof(ListDebuggerView))]
public readonly struct Utf8StringList
{
    readonly Storage storage;
    readonly ElementRange range;
    readonly int stamp;

    /// <summary>For generated code: the view of a range.</summary>
    /// <param name="storage">Storage of the message that has the field.</param>
    /// <param name="range">The field.</param>
    /// <param name="stamp">Stamp of the message's view.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public Utf8StringList(Storage storage, ElementRange range, int stamp) =>
        (this.storage, this.range, this.stamp) = (storage, range, stamp);

    /// <summary>Number of elements.</summary>
    public int Count => range.Count;

    /// <summary>An element.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public Utf8String this[int index]
    {
        get
        {
            if ((uint)index >= (uint)Count) Storage.ThrowNoElement(index, Count);
            return At(index);
        }
    }

    /// <summary>Walks the elements in order.</summary>
    public Enumerator GetEnumerator() => new(this);

    Utf8String At(int index)
    {
        var value = storage.Memory.Ranges[range.Start + index];
        storage.ThrowIfEmptied(stamp);
        return new(storage, value, stamp);
    }

    /// <summary>Where a walk is.</summary>
    [SuppressMessage("Design", "CA1034", Justification = "an enumerator is named by foreach only")]
    public struct Enumerator
    {
        readonly Utf8StringList list;
        int index;

        internal Enumerator(Utf8StringList list) => (this.list, index) = (list, -1);

        /// <summary>The element.</summary>
        /// <exception cref="InvalidOperationException">The walk has not begun, or is over.</exception>
        /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
        public readonly Utf8String Current =>
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

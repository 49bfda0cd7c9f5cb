using System.Collections;
using System.ComponentModel;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec;

/// <summary>Represents the UTF-8 text of a field of type string, in the memory of the message. Two values are equal if their bytes are
/// equal. Text of proto3 is checked when it is read or set. Text of proto2 is not checked when it is read, as proto2 specifies.</summary>
/// <inheritdoc cref="Bytes" path="/remarks"/>
public readonly struct Utf8String : IEquatable<Utf8String>, IEquatable<string>
{
    readonly Bytes bytes;

    /// <summary>Initializes a view of a range. For generated code.</summary>
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

    /// <inheritdoc cref="Bytes.op_Implicit"/>
    [SuppressMessage("Usage", "CA2225", Justification = "Span")]
    public static implicit operator ReadOnlySpan<byte>(Utf8String value) => value.Span;

    /// <summary>Determines whether two strings have the same content.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public static bool operator ==(Utf8String left, Utf8String right) => left.Equals(right);

    /// <summary>Determines whether two strings have different content.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public static bool operator !=(Utf8String left, Utf8String right) => !left.Equals(right);

    /// <summary>Determines whether two strings have the same content. No value is equal to a null string.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public static bool operator ==(Utf8String left, string? right) => left.Equals(right);

    /// <summary>Determines whether two strings have different content.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public static bool operator !=(Utf8String left, string? right) => !left.Equals(right);

    /// <summary>Determines whether two strings have the same content. No value is equal to a null string.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public static bool operator ==(string? left, Utf8String right) => right.Equals(left);

    /// <summary>Determines whether two strings have different content.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public static bool operator !=(string? left, Utf8String right) => !right.Equals(left);

    // The operators of a string have priority for a literal null.

    /// <summary>Determines whether a string has the given content in UTF-8.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    [OverloadResolutionPriority(-1)]
    public static bool operator ==(Utf8String left, ReadOnlySpan<byte> right) => left.bytes == right;

    /// <summary>Determines whether a string has other content than the given one in UTF-8.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    [OverloadResolutionPriority(-1)]
    public static bool operator !=(Utf8String left, ReadOnlySpan<byte> right) => left.bytes != right;

    /// <summary>Determines whether a string has the given content in UTF-8.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    [OverloadResolutionPriority(-1)]
    public static bool operator ==(ReadOnlySpan<byte> left, Utf8String right) => right.bytes == left;

    /// <summary>Determines whether a string has other content than the given one in UTF-8.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    [OverloadResolutionPriority(-1)]
    public static bool operator !=(ReadOnlySpan<byte> left, Utf8String right) => right.bytes != left;

    /// <summary>Determines whether both strings have the same content.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public bool Equals(Utf8String other) => bytes.Equals(other.bytes);

    /// <summary>Determines whether both strings have the same content. No value is equal to a null string. This method and the operators
    /// with a string allocate the result of <see cref="ToString()"/>. A comparison with a UTF-8 literal allocates nothing.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public bool Equals(string? other) => other is not null && string.Equals(ToString(), other, StringComparison.Ordinal);

    /// <summary>Determines whether the object is a <see cref="Utf8String"/> with the same content. A <see cref="string"/> is never
    /// equal.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public override bool Equals([NotNullWhen(true)] object? obj) => obj is Utf8String other && Equals(other);

    /// <summary>Gets a hash of the content. The hash differs from process to process.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public override int GetHashCode() => bytes.GetHashCode();

    /// <summary>Creates a string with the text. Bytes that are not valid UTF-8, which proto2 allows, become U+FFFD.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public override string ToString()
    {
        var text = Utf8Text.ToString(Span);
        bytes.ThrowIfEmptied();
        return text;
    }

    /// <summary>Gets the string with the text from a pool. A new string is created only if the pool does not have the text.</summary>
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

/// <summary>Represents a repeated field of type string. It contains the elements that the field had when the list was taken.</summary>
/// <inheritdoc cref="Bytes" path="/remarks"/>
[DebuggerDisplay("Count = {Count}")]
[DebuggerTypeProxy(typeof(ListDebuggerView))]
public readonly struct Utf8StringList : IEnumerable<Utf8String>
{
    readonly Storage storage;
    readonly ElementRange range;
    readonly int stamp;

    /// <summary>Initializes a view of a range. For generated code.</summary>
    /// <param name="storage">The storage of the message that has the field.</param>
    /// <param name="range">The range of the field.</param>
    /// <param name="stamp">The stamp of the message's view.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public Utf8StringList(Storage storage, ElementRange range, int stamp) =>
        (this.storage, this.range, this.stamp) = (storage, range, stamp);

    /// <summary>Gets the number of elements.</summary>
    public int Count => range.Count;

    /// <summary>Gets the element at an index.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The list has no element at the index.</exception>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public Utf8String this[int index]
    {
        get
        {
            if ((uint)index >= (uint)Count) Storage.ThrowNoElement(index, Count);
            return At(index);
        }
    }

    /// <summary>Returns an enumerator over the elements, in order.</summary>
    public Enumerator GetEnumerator() => new(this);

    IEnumerator<Utf8String> IEnumerable<Utf8String>.GetEnumerator()
    {
        for (var i = 0; i < Count; i++) yield return At(i);
    }

    IEnumerator IEnumerable.GetEnumerator() => ((IEnumerable<Utf8String>)this).GetEnumerator();

    Utf8String At(int index)
    {
        var value = storage.Memory.Ranges[range.Start + index];
        storage.ThrowIfEmptied(stamp);
        return new(storage, value, stamp);
    }

    /// <summary>Enumerates the elements of a list.</summary>
    [SuppressMessage("Design", "CA1034", Justification = "an enumerator is named by foreach only")]
    public struct Enumerator
    {
        readonly Utf8StringList list;
        int index;

        internal Enumerator(Utf8StringList list) => (this.list, index) = (list, -1);

        /// <summary>Gets the element at the enumerator's position.</summary>
        /// <exception cref="InvalidOperationException">The enumeration has not started, or has ended.</exception>
        /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
        public readonly Utf8String Current =>
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

using System.Collections;
using System.ComponentModel;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec;

/// <summary>Represents a repeated field of sub-messages. It contains the elements that the field had when the list was taken.</summary>
/// <inheritdoc cref="Bytes" path="/remarks"/>
/// <typeparam name="T">The message type.</typeparam>
[DebuggerDisplay("Count = {Count}")]
[DebuggerTypeProxy(typeof(MessageListDebuggerView<>))]
public readonly struct MessageList<T> : IEnumerable<T>
    where T : struct, IListElement<T>
{
    readonly T first;
    readonly ElementRange range;

    /// <summary>Initializes a view of a range. For generated code.</summary>
    /// <param name="first">The view of the first message in the storage of the elements. It is read before the range.</param>
    /// <param name="range">The range of the field.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public MessageList(T first, ElementRange range) => (this.first, this.range) = (first, range);

    /// <summary>Gets the number of elements.</summary>
    public int Count => range.Count;

    /// <summary>Gets the element at an index.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The list has no element at the index.</exception>
    public T this[int index]
    {
        get
        {
            if ((uint)index >= (uint)Count) Storage.ThrowNoElement(index, Count);
            return first.At(range.Start + index);
        }
    }

    /// <summary>Returns an enumerator over the elements, in order.</summary>
    public Enumerator GetEnumerator() => new(this);

    IEnumerator<T> IEnumerable<T>.GetEnumerator()
    {
        for (var i = 0; i < Count; i++) yield return this[i];
    }

    IEnumerator IEnumerable.GetEnumerator() => ((IEnumerable<T>)this).GetEnumerator();

    /// <summary>Enumerates the elements of a list.</summary>
    [SuppressMessage("Design", "CA1034", Justification = "an enumerator is named by foreach only")]
    public struct Enumerator
    {
        readonly MessageList<T> list;
        int index;

        internal Enumerator(MessageList<T> list) => (this.list, index) = (list, -1);

        /// <summary>Gets the element at the enumerator's position.</summary>
        /// <exception cref="InvalidOperationException">The enumeration has not started, or has ended.</exception>
        public readonly T Current =>
            (uint)index < (uint)list.Count
            ? list.first.At(list.range.Start + index) : throw new InvalidOperationException("The walk has not begun, or is over.");

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

using System.ComponentModel;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using ProtoBench.Codec.Generated;

namespace ProtoBench.Codec;

/// <summary>A repeated field of sub-messages. It shows the elements that were there when it was taken.</summary>
/// <inheritdoc cref="Bytes" path="/remarks"/>
/// <typeparam name="T">The message type.</typeparam>
[DebuggerDisplay("Count = {Count}")]
[DebuggerTypeProxy(typeof(MessageListDebuggerView<>))]
public readonly struct MessageList<T>
    where T : struct, IListElement<T>
{
    readonly T first;
    readonly ElementRange range;

    /// <summary>For generated code: the view of a range.</summary>
    /// <param name="first">The view of the first message in the storage of the elements. It is read before the range.</param>
    /// <param name="range">The field.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public MessageList(T first, ElementRange range) => (this.first, this.range) = (first, range);

    /// <summary>Number of elements.</summary>
    public int Count => range.Count;

    /// <summary>An element.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    public T this[int index]
    {
        get
        {
            if ((uint)index >= (uint)Count) Storage.ThrowNoElement(index, Count);
            return first.At(range.Start + index);
        }
    }

    /// <summary>Walks the elements in order.</summary>
    public Enumerator GetEnumerator() => new(this);

    /// <summary>Where a walk is.</summary>
    [SuppressMessage("Design", "CA1034", Justification = "an enumerator is named by foreach only")]
    public struct Enumerator
    {
        readonly MessageList<T> list;
        int index;

        internal Enumerator(MessageList<T> list) => (this.list, index) = (list, -1);

        /// <summary>The element.</summary>
        /// <exception cref="InvalidOperationException">The walk has not begun, or is over.</exception>
        public readonly T Current =>
            (uint)index < (uint)list.Count
            ? list.first.At(list.range.Start + index) : throw new InvalidOperationException("The walk has not begun, or is over.");

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

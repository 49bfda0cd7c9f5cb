using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Codec;

/// <summary>A repeated field of sub-messages. It shows the elements that were there when it was taken.</summary>
/// <inheritdoc cref="Bytes" path="/remarks"/>
/// <typeparam name="T">The message type.</typeparam>
[SuppressMessage("Performance", "CA1815", Justification = "nobody compares lists")]
public readonly struct MessageList<T>
    where T : struct, IMessage<T>
{
    readonly Storage storage;
    readonly ElementRange range;
    readonly int stamp;

    /// <summary>For message types: the view of a range.</summary>
    /// <param name="storage">Storage of the elements.</param>
    /// <param name="range">The field.</param>
    /// <param name="stamp">Stamp of <paramref name="storage"/>, read before the range was.</param>
    public MessageList(Storage storage, ElementRange range, int stamp) => (this.storage, this.range, this.stamp) = (storage, range, stamp);

    /// <summary>Number of elements.</summary>
    public int Count => range.Count;

    /// <summary>An element.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    public T this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            return T.Create(storage, range.Start + index, stamp);
        }
    }

    /// <summary>Walks the elements in order.</summary>
    public Enumerator GetEnumerator() => new(this);

    /// <summary>Where a walk is.</summary>
    [SuppressMessage("Design", "CA1034", Justification = "an enumerator is named by foreach only")]
    [SuppressMessage("Performance", "CA1815", Justification = "nobody compares enumerators")]
    public struct Enumerator
    {
        readonly MessageList<T> list;
        int index;

        internal Enumerator(MessageList<T> list) => (this.list, index) = (list, -1);

        /// <summary>The element.</summary>
        /// <exception cref="InvalidOperationException">The walk has not begun, or is over.</exception>
        public readonly T Current =>
            (uint)index < (uint)list.Count ? T.Create(list.storage, list.range.Start + index, list.stamp) : throw new InvalidOperationException("The walk has not begun, or is over.");

        /// <summary>Goes to the next element.</summary>
        public bool MoveNext()
        {
            if (index < list.Count) index++;
            return index < list.Count;
        }
    }
}

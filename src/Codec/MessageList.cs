using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Codec;

/// <summary>A repeated field of sub-messages. It shows the elements that were there when it was taken.</summary>
/// <typeparam name="T">The message type.</typeparam>
/// <param name="First">View of the first element, wherever it will be if there is none.</param>
/// <param name="Count">Number of elements.</param>
public readonly record struct MessageList<T>(T First, int Count)
    where T : struct, IMessage<T>
{
    /// <summary>An element.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    public T this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            return First.Sibling(index);
        }
    }

    /// <summary>Walks the elements in order.</summary>
    public Enumerator GetEnumerator() => new(this);

    /// <summary>Where a walk is.</summary>
    [SuppressMessage("Design", "CA1034", Justification = "an enumerator is named by foreach only")]
    public record struct Enumerator
    {
        readonly MessageList<T> list;
        int index;

        internal Enumerator(MessageList<T> list) => (this.list, index) = (list, -1);

        /// <summary>The element.</summary>
        public readonly T Current => list.First.Sibling(index);

        /// <summary>Goes to the next element.</summary>
        public bool MoveNext() => ++index < list.Count;
    }
}

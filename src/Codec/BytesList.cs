using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Codec;

/// <summary>A repeated field of type bytes. It shows the elements that were there when it was taken.</summary>
/// <inheritdoc cref="Bytes" path="/remarks"/>
public readonly struct BytesList
{
    readonly Storage storage;
    readonly ElementRange range;
    readonly int stamp;

    /// <summary>For message types: the view of a range.</summary>
    /// <param name="storage">Storage of the message that has the field.</param>
    /// <param name="range">The field.</param>
    /// <param name="stamp">Stamp of the message's view.</param>
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

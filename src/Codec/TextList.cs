using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Codec;

/// <summary>A repeated field of type string. It shows the elements that were there when it was taken.</summary>
/// <param name="Leaves">The message's leaves.</param>
/// <param name="Run">Which of them.</param>
public readonly record struct TextList(Rows<Leaf> Leaves, Run Run)
{
    /// <summary>Number of elements.</summary>
    public int Count => Run.Count;

    /// <summary>An element.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    public Text this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            return new(Leaves.Memory, Leaves[Run.Start + index]);
        }
    }

    /// <summary>Walks the elements in order.</summary>
    public Enumerator GetEnumerator() => new(this);

    /// <summary>Where a walk is.</summary>
    [SuppressMessage("Design", "CA1034", Justification = "an enumerator is named by foreach only")]
    public record struct Enumerator
    {
        readonly TextList list;
        int index;

        internal Enumerator(TextList list) => (this.list, index) = (list, -1);

        /// <summary>The element.</summary>
        public readonly Text Current => list[index];

        /// <summary>Goes to the next element.</summary>
        public bool MoveNext() => ++index < list.Count;
    }
}

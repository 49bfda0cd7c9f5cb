using ProtoBench.Codec.Reflection;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec.WellKnownTypes;

/// <summary>Represents the fields that paths name, as a tree in rented arrays. A node is a field in one place. The root is node 0, which
/// is no field.</summary>
struct FieldTree : IDisposable
{
    const int firstSlots = 64;

    RentedStack<Node> nodes;

    // a hash table: the node, or 0
    RentedStack<int> slots;

    /// <summary>Whether a field, or a message on the way to a name that does not exist, is named.</summary>
    public readonly bool HasFields => nodes.Count > 1;

    public readonly ref Node this[int node] => ref nodes.Items[node];

    /// <summary>Adds what a path names. What follows a name that does not exist, or a field that is no single message, is
    /// ignored.</summary>
    public void Add(ReadOnlySpan<byte> path, MessageDescriptor type)
    {
        // No message is deeper.
        for (var (node, depth) = (0, 0); depth <= ParseLimits.MaxDepth; depth++)
        {
            var end = path.IndexOf((byte)'.');
            var field = type.FindFieldByName(end < 0 ? path : path[..end]);
            if (field is null || (end >= 0 && (field.IsRepeated || field.MessageType is null))) return;
            node = FindOrAdd(node, field.FieldNumber);
            ref var isEnd = ref nodes.Items[node].IsEnd;
            isEnd |= end < 0;
            if (isEnd) return;
            type = field.MessageType!;
            path = path[(end + 1)..];
        }
    }

    /// <summary>Finds the node of a field by the node of its message; 0 if there is none.</summary>
    public readonly int Find(int parent, int number) => slots.Count == 0 ? 0 : slots.Items[Slot(parent, number)];

    public void Dispose()
    {
        nodes.Dispose();
        slots.Dispose();
    }

    int FindOrAdd(int parent, int number)
    {
        if (2 * (nodes.Count + 1) > slots.Count) Enlarge();
        ref var slot = ref slots.Items[Slot(parent, number)];
        if (slot == 0)
        {
            slot = nodes.Count;
            nodes.Push(new Node { Parent = parent, Number = number });
        }

        return slot;
    }

    void Enlarge()
    {
        if (nodes.Count == 0) nodes.Push(default(Node));
        var length = Math.Max(firstSlots, 2 * slots.Count);
        slots.Count = 0;
        slots.Push(zeros: length);
        for (var node = 1; node < nodes.Count; node++)
            slots.Items[Slot(nodes.Items[node].Parent, nodes.Items[node].Number)] = node;
    }

    // The slot of the node, or the free one where it would be. A sender cannot choose paths that collide.
    readonly int Slot(int parent, int number)
    {
        var mask = slots.Count - 1;
        for (var at = MapKey.Hash(((long)parent << 32) | (uint)number) & mask; ; at = (at + 1) & mask)
        {
            if (slots.Items[at] == 0) return at;
            ref var node = ref nodes.Items[slots.Items[at]];
            if (node.Parent == parent && node.Number == number) return at;
        }
    }

    public struct Node
    {
        public int Parent;
        public int Number;

        /// <summary>Whether a path ends here, so that all of the field is named.</summary>
        public bool IsEnd;

        /// <summary>Whether the source of a merge has the field.</summary>
        public bool IsInSource;
    }
}

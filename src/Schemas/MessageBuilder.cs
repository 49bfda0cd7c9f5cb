using System.Buffers;
using System.Buffers.Binary;
using Google.Protobuf.Reflection;

namespace ProtoBench.Schemas;

/// <summary>The fields of one message, which are written in the order of their numbers.</summary>
sealed class MessageBuilder
{
    readonly SortedDictionary<int, ArrayBufferWriter<byte>> fields = [];

    /// <param name="bits">The value, in the form of <see cref="NumberKind"/>.</param>
    public void Add(FieldDescriptorProto field, ulong bits)
    {
        var (to, kind) = (At(field.Number), NumberKind.Of(field.Type));
        Varint(to, (ulong)(uint)field.Number << 3 | (uint)kind.WireType);
        Element(to, kind, bits);
    }

    /// <param name="isGroup">Whether the body is a message that is written as a group.</param>
    public void Add(FieldDescriptorProto field, ReadOnlySpan<byte> body, bool isGroup = false)
    {
        var to = At(field.Number);
        if (isGroup)
        {
            Varint(to, (ulong)(uint)field.Number << 3 | 3);
            to.Write(body);
            Varint(to, (ulong)(uint)field.Number << 3 | 4);
            return;
        }

        Varint(to, (ulong)(uint)field.Number << 3 | 2);
        Varint(to, (ulong)(uint)body.Length);
        to.Write(body);
    }

    public void AddPacked(FieldDescriptorProto field, IEnumerable<ulong> values)
    {
        var body = new ArrayBufferWriter<byte>();
        foreach (var bits in values)
            Element(body, NumberKind.Of(field.Type), bits);
        if (body.WrittenCount == 0)
            return;
        var to = At(field.Number);
        Varint(to, (ulong)(uint)field.Number << 3 | 2);
        Varint(to, (ulong)(uint)body.WrittenCount);
        to.Write(body.WrittenSpan);
    }

    public byte[] ToArray()
    {
        var all = new ArrayBufferWriter<byte>();
        foreach (var field in fields.Values)
            all.Write(field.WrittenSpan);
        return all.WrittenSpan.ToArray();
    }

    ArrayBufferWriter<byte> At(int number)
    {
        if (!fields.TryGetValue(number, out var to))
            fields.Add(number, to = new());
        return to;
    }

    static void Element(ArrayBufferWriter<byte> to, NumberKind kind, ulong bits)
    {
        switch (kind.WireType)
        {
            case 1:
                BinaryPrimitives.WriteUInt64LittleEndian(to.GetSpan(8), bits);
                to.Advance(8);
                break;
            case 5:
                BinaryPrimitives.WriteUInt32LittleEndian(to.GetSpan(4), (uint)bits);
                to.Advance(4);
                break;
            default:
                Varint(to, kind.IsZigZag ? (ulong)(((long)bits << 1) ^ ((long)bits >> 63)) : bits);
                break;
        }
    }

    static void Varint(ArrayBufferWriter<byte> to, ulong value)
    {
        var room = to.GetSpan(10);
        var length = 0;
        for (; value >= 0x80; value >>= 7)
            room[length++] = (byte)(value | 0x80);
        room[length++] = (byte)value;
        to.Advance(length);
    }
}

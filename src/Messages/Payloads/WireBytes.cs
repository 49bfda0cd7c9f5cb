using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace ProtoBench.Payloads;

/// <summary>Without any measured library: a payload does not depend on them, and no measured process loads a second one. The encoding is
/// that of https://protobuf.dev/programming-guides/encoding/. Not thread-safe.</summary>
sealed class WireBytes
{
    const int varint = 0;
    const int fixed64 = 1;
    const int lengthDelimited = 2;
    const int startGroup = 3;
    const int endGroup = 4;
    const int fixed32 = 5;

    readonly ArrayBufferWriter<byte> bytes = new();

    public byte[] ToArray() => bytes.WrittenSpan.ToArray();

    public WireBytes Varint(int field, ulong value) => Tag(field, varint).Raw(value);

    public WireBytes Fixed32(int field, uint value)
    {
        Span<byte> buffer = stackalloc byte[sizeof(uint)];
        BinaryPrimitives.WriteUInt32LittleEndian(buffer, value);
        Tag(field, fixed32);
        bytes.Write(buffer);
        return this;
    }

    public WireBytes Fixed64(int field, ulong value)
    {
        Span<byte> buffer = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(buffer, value);
        Tag(field, fixed64);
        bytes.Write(buffer);
        return this;
    }

    public WireBytes Bytes(int field, ReadOnlySpan<byte> value)
    {
        Tag(field, lengthDelimited).Raw((ulong)value.Length);
        bytes.Write(value);
        return this;
    }

    public WireBytes Text(int field, string value) => Bytes(field, Encoding.UTF8.GetBytes(value));

    public WireBytes Message(int field, WireBytes message) => Bytes(field, message.bytes.WrittenSpan);

    public WireBytes Group(int field, WireBytes message) => Tag(field, startGroup).Append(message).Tag(field, endGroup);

    public WireBytes Append(WireBytes fields)
    {
        bytes.Write(fields.bytes.WrittenSpan);
        return this;
    }

    WireBytes Tag(int field, int wireType) => Raw(((ulong)field << 3) | (uint)wireType);

    WireBytes Raw(ulong value)
    {
        for (; value >= 0x80; value >>= 7)
            bytes.Write([(byte)(value | 0x80)]);
        bytes.Write([(byte)value]);
        return this;
    }
}

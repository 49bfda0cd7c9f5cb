using System.Buffers;
using System.Numerics;
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

    public WireBytes Varint(int field, ulong value) => Tag(field, varint).RawVarint(value);

    public WireBytes Fixed32(int field, uint value) => Tag(field, fixed32).Raw(value);

    public WireBytes Fixed64(int field, ulong value) => Tag(field, fixed64).Raw(value);

    public WireBytes Bytes(int field, ReadOnlySpan<byte> value)
    {
        Tag(field, lengthDelimited).RawVarint((ulong)value.Length);
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

    /// <summary>Appends four or eight bytes without a tag.</summary>
    public WireBytes Raw<T>(T value)
        where T : IBinaryInteger<T>
    {
        value.TryWriteLittleEndian(bytes.GetSpan(sizeof(ulong)), out var size);
        bytes.Advance(size);
        return this;
    }

    /// <summary>Appends a number without a tag.</summary>
    public WireBytes RawVarint(ulong value)
    {
        for (; value >= 0x80; value >>= 7)
            bytes.Write([(byte)(value | 0x80)]);
        bytes.Write([(byte)value]);
        return this;
    }

    WireBytes Tag(int field, int wireType) => RawVarint(((ulong)field << 3) | (uint)wireType);
}

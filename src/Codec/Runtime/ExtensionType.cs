using System.Buffers.Binary;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Text;

namespace ProtoBench.Codec.Runtime;

/// <summary>Represents the type of an extension's value: how it is read and written.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class ExtensionType<TValue>
{
    internal delegate TValue Reader(ref WireReader body, ref WireReader scratch);

    internal ExtensionType(uint wireType, Reader read, Func<TValue, byte[]> write, Func<TValue?, TValue> valueOrDefault,
        bool isMerged = false) =>
        (WireType, Read, Write, ValueOrDefault, IsMerged) = (wireType, read, write, valueOrDefault, isMerged);

    internal uint WireType { get; }

    internal bool CanPack => WireType is not (UnknownFields.Delimited or UnknownFields.Group);

    /// <summary>Whether several fields are one value, as those of a message are. Otherwise the last one is the value.</summary>
    internal bool IsMerged { get; }

    /// <summary>Reads the value of a field, without its tag and its length.</summary>
    internal Reader Read { get; }

    /// <summary>Writes the same.</summary>
    internal Func<TValue, byte[]> Write { get; }

    /// <summary>Gets what is read where the field is not: a copy of the default value of the .proto file, or an empty value.</summary>
    internal Func<TValue?, TValue> ValueOrDefault { get; }
}

/// <summary>Provides the types of extensions. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ExtensionTypes
{
    /// <summary>Gets the type int32.</summary>
    public static ExtensionType<int> Int32 { get; } = Varint((ref r, ref scratch) => r.ReadInt32(ref scratch), value => (ulong)value);

    /// <summary>Gets the type int64.</summary>
    public static ExtensionType<long> Int64 { get; } = Varint((ref r, ref scratch) => r.ReadInt64(ref scratch), value => (ulong)value);

    /// <summary>Gets the type uint32.</summary>
    public static ExtensionType<uint> UInt32 { get; } = Varint((ref r, ref scratch) => r.ReadUInt32(ref scratch), value => value);

    /// <summary>Gets the type uint64.</summary>
    public static ExtensionType<ulong> UInt64 { get; } = Varint((ref r, ref scratch) => r.ReadUInt64(ref scratch), value => value);

    /// <summary>Gets the type sint32.</summary>
    public static ExtensionType<int> SInt32 { get; } = Varint((ref r, ref scratch) => r.ReadSInt32(ref scratch), SInt32Kind.ToWire);

    /// <summary>Gets the type sint64.</summary>
    public static ExtensionType<long> SInt64 { get; } = Varint((ref r, ref scratch) => r.ReadSInt64(ref scratch), SInt64Kind.ToWire);

    /// <summary>Gets the type bool.</summary>
    public static ExtensionType<bool> Bool { get; } = Varint((ref r, ref scratch) => r.ReadBool(ref scratch), value => value ? 1ul : 0ul);

    /// <summary>Gets the type fixed32.</summary>
    public static ExtensionType<uint> Fixed32 { get; } = FourBytes((ref r, ref scratch) => r.ReadFixed32(ref scratch), value => value);

    /// <summary>Gets the type sfixed32.</summary>
    public static ExtensionType<int> SFixed32 { get; } =
        FourBytes((ref r, ref scratch) => r.ReadSFixed32(ref scratch), value => (uint)value);

    /// <summary>Gets the type float.</summary>
    public static ExtensionType<float> Float { get; } =
        FourBytes((ref r, ref scratch) => r.ReadFloat(ref scratch), BitConverter.SingleToUInt32Bits);

    /// <summary>Gets the type fixed64.</summary>
    public static ExtensionType<ulong> Fixed64 { get; } = EightBytes((ref r, ref scratch) => r.ReadFixed64(ref scratch), value => value);

    /// <summary>Gets the type sfixed64.</summary>
    public static ExtensionType<long> SFixed64 { get; } =
        EightBytes((ref r, ref scratch) => r.ReadSFixed64(ref scratch), value => (ulong)value);

    /// <summary>Gets the type double.</summary>
    public static ExtensionType<double> Double { get; } =
        EightBytes((ref r, ref scratch) => r.ReadDouble(ref scratch), BitConverter.DoubleToUInt64Bits);

    /// <summary>Gets the type string.</summary>
    public static ExtensionType<string> String { get; } =
        new(UnknownFields.Delimited, (ref reader, ref _) => Encoding.UTF8.GetString(reader.Body),
        Encoding.UTF8.GetBytes, given => given ?? "");

    /// <summary>Gets the type bytes.</summary>
    public static ExtensionType<byte[]> Bytes { get; } =
        new(UnknownFields.Delimited, (ref r, ref _) => r.Body.ToArray(), value => value, given => given?.ToArray() ?? []);

    /// <summary>Gets the type of an enum.</summary>
    public static ExtensionType<TEnum> Enum<TEnum>()
        where TEnum : unmanaged, Enum =>
        Varint((ref r, ref scratch) => Unsafe.BitCast<int, TEnum>(r.ReadInt32(ref scratch)),
            value => (ulong)Unsafe.BitCast<TEnum, int>(value));

    /// <summary>Gets the type of a message.</summary>
    /// <param name="isDelimited">Whether the message is between two tags, without a length.</param>
    public static ExtensionType<Message<TMessage>> Message<TMessage>(bool isDelimited = false)
        where TMessage : struct, ISlabMessage<TMessage> =>
        new(isDelimited ? UnknownFields.Group : UnknownFields.Delimited, Parse<TMessage>, value => value.ToByteArray(),
            _ => Codec.Message<TMessage>.Rent(), isMerged: true);

    static Message<TMessage> Parse<TMessage>(ref WireReader body, ref WireReader scratch)
        where TMessage : struct, ISlabMessage<TMessage>
    {
        var message = Codec.Message<TMessage>.Rent();
        try
        {
            message.Parse(body.Body);
            return message;
        }
        catch
        {
            message.Dispose();
            throw;
        }
    }

    static ExtensionType<T> Varint<T>(ExtensionType<T>.Reader read, Func<T, ulong> toWire)
        where T : struct => new(0, read, value =>
        {
            Span<byte> bytes = stackalloc byte[MessageMemory.LongestVarint];
            return bytes[..MessageMemory.PutVarint(bytes, toWire(value))].ToArray();
        }, given => given);

    static ExtensionType<T> FourBytes<T>(ExtensionType<T>.Reader read, Func<T, uint> toWire)
        where T : struct => new(5, read, value =>
        {
            var bytes = new byte[sizeof(uint)];
            BinaryPrimitives.WriteUInt32LittleEndian(bytes, toWire(value));
            return bytes;
        }, given => given);

    static ExtensionType<T> EightBytes<T>(ExtensionType<T>.Reader read, Func<T, ulong> toWire)
        where T : struct => new(1, read, value =>
        {
            var bytes = new byte[sizeof(ulong)];
            BinaryPrimitives.WriteUInt64LittleEndian(bytes, toWire(value));
            return bytes;
        }, given => given);
}

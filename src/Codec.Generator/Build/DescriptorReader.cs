using System.Text.Unicode;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Build;

/// <summary>Reads the descriptors that protoc wrote. protoc accepts text that is not UTF-8 in comments, in options and in default values of
/// strings, and Google.Protobuf refuses a whole set of descriptors with such text.</summary>
sealed class DescriptorReader
{
    readonly HashSet<(int File, string Path)> replaced = [];

    /// <summary>Reads the descriptors. Each byte of a text that is not UTF-8 becomes a question mark.</summary>
    public FileDescriptorSet Read(byte[] descriptors)
    {
        Repair(descriptors, FileDescriptorSet.Descriptor, []);
        return FileDescriptorSet.Parser.ParseFrom(descriptors);
    }

    /// <summary>Determines whether a text was not UTF-8.</summary>
    /// <param name="file">The index of the file.</param>
    /// <param name="path">The path of the text, as specified in descriptor.proto.</param>
    public bool IsReplaced(int file, IEnumerable<int> path) => replaced.Contains((file, string.Join(',', path)));

    // The bytes are replaced where they are, so that no length changes.
    void Repair(Span<byte> message, MessageDescriptor type, IReadOnlyList<int> path)
    {
        var counts = new Dictionary<int, int>();
        for (var at = 0; at < message.Length;)
        {
            var tag = (uint)ReadVarint(message, ref at);
            var number = WireFormat.GetTagFieldNumber(tag);
            switch (WireFormat.GetTagWireType(tag))
            {
                case WireFormat.WireType.Varint:
                    ReadVarint(message, ref at);
                    continue;
                case WireFormat.WireType.Fixed64:
                    at += sizeof(ulong);
                    continue;
                case WireFormat.WireType.Fixed32:
                    at += sizeof(uint);
                    continue;
                case WireFormat.WireType.LengthDelimited:
                    break;
                default:
                    return; // a group of an unknown option: protoc writes known fields first
            }

            var length = (int)ReadVarint(message, ref at);
            var value = message.Slice(at, length);
            at += length;
            if (type.FindFieldByNumber(number) is not { } field) continue;
            IReadOnlyList<int> inside = [.. path, number];
            if (field.IsRepeated)
            {
                counts[number] = counts.GetValueOrDefault(number, -1) + 1;
                inside = [.. inside, counts[number]];
            }

            if (field.FieldType == FieldType.Message)
            {
                Repair(value, field.MessageType, inside);
            }
            else if (field.FieldType == FieldType.String && !Utf8.IsValid(value))
            {
                // The first two numbers of the path are the list of files and the index in it.
                replaced.Add((inside[1], string.Join(',', inside.Skip(2))));
                foreach (ref var one in value) one = one < 0x80 ? one : (byte)'?';
            }
        }
    }

    static ulong ReadVarint(ReadOnlySpan<byte> message, ref int at)
    {
        var value = 0ul;
        for (var shift = 0; ; shift += 7)
        {
            var one = message[at++];
            value |= (ulong)(one & 0x7F) << shift;
            if (one < 0x80) return value;
        }
    }
}

using Google.Protobuf.Reflection;
using FieldType = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Schemas;

/// <summary>Creates random messages of a type, for users without captured ones. Not thread-safe.</summary>
public sealed class SyntheticMessages(MessageType type, SynthesisOptions options)
{
    readonly Random random = new(options.Seed);

    public byte[] Next() => Message(type, 0);

    byte[] Message(MessageType type, int depth)
    {
        if (type.FullName is "google.protobuf.Timestamp" or "google.protobuf.Duration")
            return Time(type);
        var message = new MessageBuilder();
        foreach (var oneof in type.Fields.Where(field => field.HasOneofIndex && !field.Proto3Optional).GroupBy(field => field.OneofIndex))
        {
            FieldDescriptorProto[] members = [.. oneof.Where(field => Fits(field, depth))];
            if (members.Length > 0 && random.NextDouble() < options.SetShare)
                Value(message, type, members[random.Next(members.Length)], depth);
        }

        foreach (var field in type.Fields.Where(field => (!field.HasOneofIndex || field.Proto3Optional) && Fits(field, depth)))
        {
            if (type.IsMap(field))
                Map(message, type, field, depth);
            else if (MessageType.IsRepeated(field))
                List(message, type, field, depth);
            else if (field.Label == FieldDescriptorProto.Types.Label.Required || random.NextDouble() < options.SetShare)
                Value(message, type, field, depth);
        }

        return message.ToArray();
    }

    // A time of this century with whole microseconds, as most clocks return it. Captured messages have no invalid times.
    byte[] Time(MessageType type)
    {
        var message = new MessageBuilder();
        message.Add(type.Fields[0], (ulong)(type.FullName.EndsWith("Timestamp", StringComparison.Ordinal)
            ? random.NextInt64(946_684_800, 2_208_988_800) : random.Next(100_000)));
        message.Add(type.Fields[1], (ulong)random.Next(1_000_000) * 1_000);
        return message.ToArray();
    }

    bool Fits(FieldDescriptorProto field, int depth) =>
        field.Type is not (FieldType.Message or FieldType.Group) || depth < options.MaxDepth
        || field.Label == FieldDescriptorProto.Types.Label.Required;

    // The number of elements decreases with the depth. Otherwise the size of nested lists would grow exponentially with the depth.
    int Count(int depth) =>
        random.Next(options.FewestElements, Math.Max(options.FewestElements, options.MostElements >> Math.Min(depth, 30)) + 1);

    void List(MessageBuilder message, MessageType type, FieldDescriptorProto field, int depth)
    {
        var count = Count(depth);
        if (type.IsPacked(field))
        {
            message.AddPacked(field, Enumerable.Range(0, count).Select(_ => Bits(type, field)).ToArray());
            return;
        }

        for (; count > 0; count--)
            Value(message, type, field, depth);
    }

    void Map(MessageBuilder message, MessageType type, FieldDescriptorProto field, int depth)
    {
        var entry = type.MessageOf(field);
        var keys = new HashSet<string>();
        for (var count = Count(depth); count > 0; count--)
        {
            var pair = new MessageBuilder();
            Value(pair, entry, entry.Fields[0], depth + 1);
            if (!keys.Add(Convert.ToHexString(pair.ToArray())))
                continue;
            Value(pair, entry, entry.Fields[1], depth + 1);
            message.Add(field, pair.ToArray());
        }
    }

    void Value(MessageBuilder message, MessageType type, FieldDescriptorProto field, int depth)
    {
        switch (field.Type)
        {
            case FieldType.Message or FieldType.Group:
                message.Add(field, Message(type.MessageOf(field), depth + 1), type.IsGroup(field));
                break;
            case FieldType.String:
                message.Add(field, Letters());
                break;
            case FieldType.Bytes:
                var bytes = new byte[Length()];
                random.NextBytes(bytes);
                message.Add(field, bytes);
                break;
            default:
                message.Add(field, Bits(type, field));
                break;
        }
    }

    byte[] Letters()
    {
        var letters = new byte[Length()];
        for (var i = 0; i < letters.Length; i++)
            letters[i] = "abcdefghijklmnopqrstuvwxyz0123456789-_"u8[random.Next(38)];
        return letters;
    }

    int Length()
    {
        var (low, high) = (Math.Log(options.ShortestString + 1), Math.Log(options.LongestString + 1));
        return Math.Clamp((int)Math.Round(Math.Exp(low + (random.NextDouble() * (high - low)))) - 1, options.ShortestString,
            options.LongestString);
    }

    ulong Bits(MessageType type, FieldDescriptorProto field) => field.Type switch
    {
        FieldType.Bool => (ulong)random.Next(2),
        FieldType.Enum => (ulong)(long)AnyOf(type.EnumOf(field)),
        _ => NumberKind.Of(field.Type).Draw(random),
    };

    int AnyOf(EnumDescriptorProto type) => type.Value[random.Next(type.Value.Count)].Number;
}

/// <param name="Seed">The seed of the generator. The same seed and schema create the same messages.</param>
/// <param name="ShortestString">In bytes, for a string or bytes field.</param>
/// <param name="LongestString">The maximum size of a string or bytes field, in bytes. Sizes are log-uniform, so small ones are
/// frequent.</param>
/// <param name="SetShare">The share of singular fields that are set.</param>
public sealed record SynthesisOptions(
    int Seed = 1, int FewestElements = 0, int MostElements = 8, int ShortestString = 1, int LongestString = 64, double SetShare = 0.8,
    int MaxDepth = 5);

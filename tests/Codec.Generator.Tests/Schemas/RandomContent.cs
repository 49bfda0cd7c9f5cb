using System.Collections;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <summary>Draws content for Google's messages: small, mostly, with the extremes of every type.</summary>
sealed class RandomContent
{
    static readonly string[] texts =
        ["", "a", "Grüße", "\u0000", "日本語", "a string of more than thirty-two bytes, to leave the fast path behind"];

    readonly Random random;

    // Values to come, but for the plain fields of the outermost message, which are drawn in any case. Without a limit a type that contains
    // itself several times fills megabytes, and the comparison sees few messages. One in 32 may be large.
    int left;

    public RandomContent(int seed)
    {
        random = new(seed);
        left = random.Next(32) == 0 ? 20_000 : 500;
    }

    public void Fill(IMessage message, int depth = 0)
    {
        // none, some or nearly all of the fields
        var chance = random.Next(3) switch { 0 => 0.1, 1 => 0.5, _ => 0.95 };
        foreach (var field in message.Descriptor.Fields.InDeclarationOrder())
        {
            var isMessage = field.FieldType is FieldType.Message or FieldType.Group
                || (field.IsMap && ValueOf(field).FieldType == FieldType.Message);
            if (!field.IsRequired && (random.NextDouble() > chance || (isMessage && random.Next(4) < depth))) continue;
            if (!field.IsRequired && left <= 0 && (isMessage || depth > 0)) continue;
            if (field.IsMap) FillMap((IDictionary)field.Accessor.GetValue(message), field, depth);
            else if (field.IsRepeated) FillList((IList)field.Accessor.GetValue(message), field, depth);
            else field.Accessor.SetValue(message, Value(field, depth));
        }
    }

    void FillMap(IDictionary map, FieldDescriptor field, int depth)
    {
        for (var i = Count(); i > 0 && (left > 0 || depth == 0); i--)
            map[Value(field.MessageType.FindFieldByNumber(1), depth)] = Value(ValueOf(field), depth);
    }

    void FillList(IList list, FieldDescriptor field, int depth)
    {
        for (var i = Count(); i > 0 && (left > 0 || depth == 0); i--) list.Add(Value(field, depth));
    }

    int Count() => random.Next(20) == 0 ? 20 + random.Next(20) : 1 + random.Next(3);

    object Value(FieldDescriptor field, int depth)
    {
        left--;
        return Draw(field, depth);
    }

    object Draw(FieldDescriptor field, int depth) => field.FieldType switch
    {
        FieldType.Double =>
            random.Next(6) switch
            {
                0 => 0d,
                1 => double.NaN,
                2 => double.PositiveInfinity,
                3 => double.Epsilon,
                _ => (random.NextDouble() * 1e10) - 5e9
            },
        FieldType.Float =>
            random.Next(6) switch { 0 => 0f, 1 => float.NaN, 2 => float.NegativeInfinity, 3 => float.MaxValue, _ => random.NextSingle() },
        FieldType.Int64 or FieldType.SInt64 or FieldType.SFixed64 => Long(),
        FieldType.UInt64 or FieldType.Fixed64 => (ulong)Long(),
        FieldType.Int32 or FieldType.SInt32 or FieldType.SFixed32 => (int)Long(),
        FieldType.UInt32 or FieldType.Fixed32 => (uint)Long(),
        FieldType.Bool => random.Next(2) == 0,
        FieldType.String => Text(),
        FieldType.Bytes => Bytes(),
        FieldType.Enum => EnumValue(field),
        _ => Message(field, depth),
    };

    object EnumValue(FieldDescriptor field)
    {
        var values = field.EnumType.Values;
        var number = field.EnumType.File.ToProto().Syntax == "proto3" && random.Next(4) == 0
            ? (int)Long() : values[random.Next(values.Count)].Number;
        return field.ContainingType.ClrType is { } owner && ClrEnum(owner, field) is { } type ? Enum.ToObject(type, number) : number;
    }

    /// <summary>The enum's type, if the field is singular; lists and maps take it from their own.</summary>
    static Type? ClrEnum(Type owner, FieldDescriptor field) => field.EnumType.ClrType ?? owner;

    object Message(FieldDescriptor field, int depth)
    {
        var message = field.MessageType.Parser.ParseFrom([]);
        Fill(message, depth + 1);
        if (message.Descriptor.FullName.StartsWith("google.protobuf.", StringComparison.Ordinal)
            && message.Descriptor.Name.EndsWith("Value", StringComparison.Ordinal)
            && message.Descriptor.FindFieldByNumber(1) is { Name: "value" } wrapped)
        {
            return wrapped.Accessor.GetValue(message);
        }

        return message;
    }

    string Text() => random.Next(8) == 0 ? new string('x', random.Next(200)) : texts[random.Next(texts.Length)];

    ByteString Bytes()
    {
        var bytes = new byte[random.Next(10) == 0 ? random.Next(300) : random.Next(5)];
        random.NextBytes(bytes);
        return ByteString.CopyFrom(bytes);
    }

    long Long() =>
        random.Next(6) switch { 0 => 0, 1 => -1, 2 => long.MinValue, 3 => int.MaxValue, 4 => random.NextInt64(), _ => random.Next(300) };

    static FieldDescriptor ValueOf(FieldDescriptor field) => field.MessageType.FindFieldByNumber(2);
}

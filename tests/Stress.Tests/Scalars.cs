using Google.Protobuf;

namespace ProtoBench.Stress.Tests;

/// <summary>Every setter of the messages without sub-messages, with Google's beside it.</summary>
static class Scalars
{
    static readonly (Action<SlabProtobuf.Scalars, int> Slab, Action<Gpb.Scalars, int> Google)[] scalars =
    [
        ((slab, n) => slab.SetDoubleValue(n / 4.0), (google, n) => google.DoubleValue = n / 4.0),
        ((slab, n) => slab.SetFloatValue(n), (google, n) => google.FloatValue = n),
        ((slab, n) => slab.SetInt32Value(n), (google, n) => google.Int32Value = n),
        ((slab, n) => slab.SetInt64Value(n * 1_000_000_000L), (google, n) => google.Int64Value = n * 1_000_000_000L),
        ((slab, n) => slab.SetUint32Value((uint)n), (google, n) => google.Uint32Value = (uint)n),
        ((slab, n) => slab.SetUint64Value((ulong)n), (google, n) => google.Uint64Value = (ulong)n),
        ((slab, n) => slab.SetSint32Value(n), (google, n) => google.Sint32Value = n),
        ((slab, n) => slab.SetSint64Value(n), (google, n) => google.Sint64Value = n),
        ((slab, n) => slab.SetFixed32Value((uint)n), (google, n) => google.Fixed32Value = (uint)n),
        ((slab, n) => slab.SetFixed64Value((ulong)n), (google, n) => google.Fixed64Value = (ulong)n),
        ((slab, n) => slab.SetSfixed32Value(n), (google, n) => google.Sfixed32Value = n),
        ((slab, n) => slab.SetSfixed64Value(n), (google, n) => google.Sfixed64Value = n),
        ((slab, n) => slab.SetBoolValue(n > 0), (google, n) => google.BoolValue = n > 0),
        ((slab, n) => slab.SetStringValue($"{n}"), (google, n) => google.StringValue = $"{n}"),
        ((slab, n) => slab.SetStringValue("u8"u8), (google, _) => google.StringValue = "u8"),
        ((slab, n) => slab.SetBytesValue([(byte)n]), (google, n) => google.BytesValue = ByteString.CopyFrom((byte)n)),
        ((slab, n) => slab.SetEnumValue((SlabProtobuf.Mood)n), (google, n) => google.EnumValue = (Gpb.Mood)n),
        ((slab, n) => slab.SetLargestNumber(n), (google, n) => google.LargestNumber = n),
        ((slab, _) => slab.ClearStringValue(), (google, _) => google.StringValue = ""),
        ((slab, _) => slab.ClearInt32Value(), (google, _) => google.Int32Value = 0),
    ];

    static readonly (Action<SlabProtobuf.Packed, int> Slab, Action<Gpb.Packed, int> Google)[] packed =
    [
        ((slab, n) => slab.AddDoubleValues(n), (google, n) => google.DoubleValues.Add(n)),
        ((slab, n) => slab.AddFloatValues(n), (google, n) => google.FloatValues.Add(n)),
        ((slab, n) => slab.AddInt32Values(n), (google, n) => google.Int32Values.Add(n)),
        ((slab, n) => slab.AddInt64Values(n), (google, n) => google.Int64Values.Add(n)),
        ((slab, n) => slab.AddUint32Values((uint)n), (google, n) => google.Uint32Values.Add((uint)n)),
        ((slab, n) => slab.AddUint64Values((ulong)n), (google, n) => google.Uint64Values.Add((ulong)n)),
        ((slab, n) => slab.AddSint32Values(n), (google, n) => google.Sint32Values.Add(n)),
        ((slab, n) => slab.AddSint64Values(n), (google, n) => google.Sint64Values.Add(n)),
        ((slab, n) => slab.AddFixed32Values((uint)n), (google, n) => google.Fixed32Values.Add((uint)n)),
        ((slab, n) => slab.AddFixed64Values((ulong)n), (google, n) => google.Fixed64Values.Add((ulong)n)),
        ((slab, n) => slab.AddSfixed32Values(n), (google, n) => google.Sfixed32Values.Add(n)),
        ((slab, n) => slab.AddSfixed64Values(n), (google, n) => google.Sfixed64Values.Add(n)),
        ((slab, n) => slab.AddBoolValues(n > 0), (google, n) => google.BoolValues.Add(n > 0)),
        ((slab, n) => slab.AddEnumValues((SlabProtobuf.Mood)n), (google, n) => google.EnumValues.Add((Gpb.Mood)n)),
        ((slab, _) => slab.ClearInt32Values(), (google, _) => google.Int32Values.Clear()),
    ];

    static readonly (Action<SlabProtobuf.Unpacked, int> Slab, Action<Gpb.Unpacked, int> Google)[] unpacked =
    [
        ((slab, n) => slab.AddDoubleValues(n), (google, n) => google.DoubleValues.Add(n)),
        ((slab, n) => slab.AddFloatValues(n), (google, n) => google.FloatValues.Add(n)),
        ((slab, n) => slab.AddInt32Values(n), (google, n) => google.Int32Values.Add(n)),
        ((slab, n) => slab.AddSint64Values(n), (google, n) => google.Sint64Values.Add(n)),
        ((slab, n) => slab.AddBoolValues(n > 0), (google, n) => google.BoolValues.Add(n > 0)),
        ((slab, n) => slab.AddEnumValues((SlabProtobuf.Mood)n), (google, n) => google.EnumValues.Add((Gpb.Mood)n)),
        ((slab, n) => slab.AddStringValues($"{n}"), (google, n) => google.StringValues.Add($"{n}")),
        ((slab, _) => slab.AddStringValues("u8"u8), (google, _) => google.StringValues.Add("u8")),
        ((slab, n) => slab.AddBytesValues([(byte)n]), (google, n) => google.BytesValues.Add(ByteString.CopyFrom((byte)n))),
        ((slab, _) => slab.ClearBytesValues(), (google, _) => google.BytesValues.Clear()),
    ];

    static readonly (Action<SlabProtobuf.Optionals, int> Slab, Action<Gpb.Optionals, int> Google)[] optionals =
    [
        ((slab, n) => slab.SetInt32Value(n), (google, n) => google.Int32Value = n),
        ((slab, n) => slab.SetDoubleValue(n), (google, n) => google.DoubleValue = n),
        ((slab, n) => slab.SetBoolValue(n > 0), (google, n) => google.BoolValue = n > 0),
        ((slab, n) => slab.SetStringValue($"{n}"), (google, n) => google.StringValue = $"{n}"),
        ((slab, _) => slab.SetStringValue(""u8), (google, _) => google.StringValue = ""),
        ((slab, n) => slab.SetBytesValue([(byte)n]), (google, n) => google.BytesValue = ByteString.CopyFrom((byte)n)),
        ((slab, n) => slab.SetEnumValue((SlabProtobuf.Mood)n), (google, n) => google.EnumValue = (Gpb.Mood)n),
        ((slab, _) => slab.ClearDoubleValue(), (google, _) => google.ClearDoubleValue()),
    ];

    public static void Set(Random random, SlabProtobuf.Scalars slab, Gpb.Scalars google, int number) =>
        Do(random, scalars, slab, google, number);

    public static void Add(Random random, SlabProtobuf.Packed slab, Gpb.Packed google, int number) =>
        Do(random, packed, slab, google, number);

    public static void Add(Random random, SlabProtobuf.Unpacked slab, Gpb.Unpacked google, int number) =>
        Do(random, unpacked, slab, google, number);

    public static void Set(Random random, SlabProtobuf.Optionals slab, Gpb.Optionals google, int number) =>
        Do(random, optionals, slab, google, number);

    static void Do<TSlab,
        TGoogle>(Random random, (Action<TSlab, int> Slab, Action<TGoogle, int> Google)[] setters, TSlab slab, TGoogle google, int number)
    {
        for (var count = random.Next(1, 5); count > 0; count--)
        {
            var (one, other) = setters[random.Next(setters.Length)];
            one(slab, number);
            other(google, number);
        }
    }
}

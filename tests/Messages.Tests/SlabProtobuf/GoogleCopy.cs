using System.Runtime.InteropServices;
using Google.Protobuf;
using ProtoBench.Codec;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Messages.Tests.SlabProtobuf;

/// <summary>Reads every field of a slab message through its accessors, into Google's type, where two messages can be compared.</summary>
static class GoogleCopy
{
    public static Gpb.ForwardRequest Of(ForwardRequest message)
    {
        var copy = new Gpb.ForwardRequest { TraceId = message.TraceId.ToString(), RequestContextInfo = Of(message.RequestContextInfo) };
        foreach (var item in message.ItemRequests) copy.ItemRequests.Add(Of(item));
        return copy;
    }

    public static Gpb.ForwardPerItemRequest Of(ForwardPerItemRequest message) =>
        new() { ItemId = message.ItemId.ToString(), ItemContext = Of(message.ItemContext) };

    public static Gpb.ForwardResponse Of(ForwardResponse message)
    {
        var copy = new Gpb.ForwardResponse
        {
            RouteLatencyInUs = message.RouteLatencyInUs,
            RouteStartTimeInTicks = message.RouteStartTimeInTicks
        };
        foreach (var item in message.ItemResponses) copy.ItemResponses.Add(Of(item));
        return copy;
    }

    public static Gpb.ForwardPerItemResponse Of(ForwardPerItemResponse message) =>
        new() { Result = message.Result, ExtraResult = Of(message.ExtraResult) };

    public static Gpb.ColorGroups Of(ColorGroups message)
    {
        var copy = new Gpb.ColorGroups();
        foreach (var group in message.Groups)
        {
            var one = new Gpb.ColorGroup { Id = group.Id, Name = group.Name.ToString() };
            foreach (var color in group.Colors) one.Colors.Add(color.ToString());
            copy.Groups.Add(one);
        }

        return copy;
    }

    public static Gpb.Scalars Of(Scalars message) => new()
    {
        DoubleValue = message.DoubleValue,
        FloatValue = message.FloatValue,
        Int32Value = message.Int32Value,
        Int64Value = message.Int64Value,
        Uint32Value = message.Uint32Value,
        Uint64Value = message.Uint64Value,
        Sint32Value = message.Sint32Value,
        Sint64Value = message.Sint64Value,
        Fixed32Value = message.Fixed32Value,
        Fixed64Value = message.Fixed64Value,
        Sfixed32Value = message.Sfixed32Value,
        Sfixed64Value = message.Sfixed64Value,
        BoolValue = message.BoolValue,
        StringValue = message.StringValue.ToString(),
        BytesValue = Of(message.BytesValue),
        EnumValue = (Gpb.Mood)message.EnumValue,
        LargestNumber = message.LargestNumber,
    };

    public static Gpb.Packed Of(Packed message)
    {
        var copy = new Gpb.Packed();
        copy.DoubleValues.AddRange(message.DoubleValues.ToArray());
        copy.FloatValues.AddRange(message.FloatValues.ToArray());
        copy.Int32Values.AddRange(message.Int32Values.ToArray());
        copy.Int64Values.AddRange(message.Int64Values.ToArray());
        copy.Uint32Values.AddRange(message.Uint32Values.ToArray());
        copy.Uint64Values.AddRange(message.Uint64Values.ToArray());
        copy.Sint32Values.AddRange(message.Sint32Values.ToArray());
        copy.Sint64Values.AddRange(message.Sint64Values.ToArray());
        copy.Fixed32Values.AddRange(message.Fixed32Values.ToArray());
        copy.Fixed64Values.AddRange(message.Fixed64Values.ToArray());
        copy.Sfixed32Values.AddRange(message.Sfixed32Values.ToArray());
        copy.Sfixed64Values.AddRange(message.Sfixed64Values.ToArray());
        copy.BoolValues.AddRange(message.BoolValues.ToArray());
        copy.EnumValues.AddRange(MemoryMarshal.Cast<Mood, Gpb.Mood>(message.EnumValues).ToArray());
        return copy;
    }

    public static Gpb.Unpacked Of(Unpacked message)
    {
        var copy = new Gpb.Unpacked();
        copy.DoubleValues.AddRange(message.DoubleValues.ToArray());
        copy.FloatValues.AddRange(message.FloatValues.ToArray());
        copy.Int32Values.AddRange(message.Int32Values.ToArray());
        copy.Sint64Values.AddRange(message.Sint64Values.ToArray());
        copy.BoolValues.AddRange(message.BoolValues.ToArray());
        copy.EnumValues.AddRange(MemoryMarshal.Cast<Mood, Gpb.Mood>(message.EnumValues).ToArray());
        foreach (var text in message.StringValues) copy.StringValues.Add(text.ToString());
        foreach (var bytes in message.BytesValues) copy.BytesValues.Add(Of(bytes));
        return copy;
    }

    public static Gpb.Optionals Of(Optionals message)
    {
        var copy = new Gpb.Optionals();
        if (message.HasInt32Value) copy.Int32Value = message.Int32Value;
        if (message.HasDoubleValue) copy.DoubleValue = message.DoubleValue;
        if (message.HasBoolValue) copy.BoolValue = message.BoolValue;
        if (message.HasStringValue) copy.StringValue = message.StringValue.ToString();
        if (message.HasBytesValue) copy.BytesValue = Of(message.BytesValue);
        if (message.HasEnumValue) copy.EnumValue = (Gpb.Mood)message.EnumValue;
        return copy;
    }

    public static Gpb.Cage Of(Cage message)
    {
        var copy = new Gpb.Cage { Label = message.Label.ToString() };
        foreach (var animal in message.Animals) copy.Animals.Add(Of(animal));
        return copy;
    }

    public static Gpb.Animal Of(Animal message)
    {
        var copy = new Gpb.Animal { Name = message.Name.ToString(), Mother = message.Mother is { } mother ? Of(mother) : null };
        foreach (var young in message.Young) copy.Young.Add(Of(young));
        copy.Weights.AddRange(message.Weights.ToArray());
        switch (message.HomeCase)
        {
            case Animal.HomeOneofCase.Cage:
                copy.Cage = Of(message.Cage!.Value);
                break;
            case Animal.HomeOneofCase.Street:
                copy.Street = message.Street.ToString();
                break;
            case Animal.HomeOneofCase.Tag:
                copy.Tag = message.Tag;
                break;
            case Animal.HomeOneofCase.Photo:
                copy.Photo = Of(message.Photo);
                break;
        }

        return copy;
    }

    public static Gpb.Zoo Of(Zoo message)
    {
        var copy = new Gpb.Zoo
        {
            Scalars = message.Scalars is { } scalars ? Of(scalars) : null,
            Packed = message.Packed is { } packed ? Of(packed) : null,
            Unpacked = message.Unpacked is { } unpacked ? Of(unpacked) : null,
            Optionals = message.Optionals is { } optionals ? Of(optionals) : null,
            Branch = message.Branch is { } branch ? Of(branch) : null,
        };
        foreach (var cage in message.Cages) copy.Cages.Add(Of(cage));
        foreach (var entry in message.Visitors) copy.Visitors.Add(entry.Key.ToString(), entry.Value);
        foreach (var entry in message.Animals) copy.Animals.Add(entry.Key, entry.Value is { } animal ? Of(animal) : new());
        foreach (var entry in message.Moods) copy.Moods.Add(entry.Key, (Gpb.Mood)entry.Value);
        return copy;
    }

    static ByteString Of(Bytes bytes) => ByteString.CopyFrom(bytes.Span);
}

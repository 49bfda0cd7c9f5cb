using System.Buffers;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>Every kind of repeated field and of map. The limits are those of the process, so no other test runs meanwhile.</summary>
[CollectionDefinition(nameof(ParseLimitTests), DisableParallelization = true)]
[Collection(nameof(ParseLimitTests))]
public sealed class ParseLimitTests : IDisposable
{
    const int elements = 20_000;
    const int lowLimit = 20_000;

    readonly long baseBytes = ParseLimits.BaseBytes;
    readonly int bytesPerInputByte = ParseLimits.BytesPerInputByte;

    public void Dispose() => (ParseLimits.BaseBytes, ParseLimits.BytesPerInputByte) = (baseBytes, bytesPerInputByte);

    [Fact]
    public void Every_list_and_every_map_counts()
    {
        foreach (var syntax in new[] { "proto2", "proto3" })
        {
            var bridge = AllTypesAssembly.Of(syntax).Slab;
            foreach (var (place, wire) in Lists())
            {
                (ParseLimits.BaseBytes, ParseLimits.BytesPerInputByte) = (baseBytes, bytesPerInputByte);
                Assert.True(bridge.Rewrite(wire).Length > 0, $"{syntax} {place}");
                (ParseLimits.BaseBytes, ParseLimits.BytesPerInputByte) = (lowLimit, 0);
                AssertRefused($"{syntax} {place}", () => bridge.Rewrite(wire));
                AssertRefused($"{syntax} {place}, copied segments", () => bridge.Rewrite(Segments.Every(wire, 1 << 16), false));
                AssertRefused($"{syntax} {place}, aliased segments", () => bridge.Rewrite(Segments.Every(wire, 1 << 16), true));
                AssertRefused($"{syntax} {place}, aliased", () => bridge.Rewrite(new ReadOnlySequence<byte>(wire), true));
                AssertRefused($"{syntax} {place}, merged", () => bridge.Merge([], wire));
                (ParseLimits.BaseBytes, ParseLimits.BytesPerInputByte) = (0, 1_000);
                Assert.True(bridge.Rewrite(wire).Length > 0, $"{syntax} {place}: for each byte of input");
            }
        }
    }

    [Fact]
    public void A_packed_list_of_fixed_width_is_the_input_and_does_not_count()
    {
        using var workshop = new Workshop(
            "list.proto", """syntax = "proto3"; message List { repeated double values = 1; string name = 2; }""");
        workshop.GenerateAll(_ => "Slab");
        var bridge = Bridge.Of(workshop.Compile().GetType("Slab.List")!);
        var wire = Wire.Delimited(1, new byte[8 * elements]);
        (ParseLimits.BaseBytes, ParseLimits.BytesPerInputByte) = (lowLimit, 0);
        Assert.Equal(wire, bridge.Rewrite(wire));
        Assert.Equal(wire, bridge.Rewrite(new ReadOnlySequence<byte>(wire), true));
        AssertRefused("aliased segments", () => bridge.Rewrite(Segments.Every(wire, 1 << 16), true));
        AssertRefused("two fields", () => bridge.Rewrite([.. wire, .. wire]));
    }

    /// <summary>Two bytes of input for each element of more than a thousand bytes. The default refuses them early.</summary>
    [Fact]
    public void Empty_elements_of_many_fields_are_refused_by_default_and_lists_of_numbers_are_not()
    {
        using var workshop = new Workshop("wide.proto", $$"""
            syntax = "proto3";
            message Batch { repeated Wide rows = 1; repeated int64 numbers = 2; map<int32, int32> map = 3; repeated string texts = 4; }
            message Wide { {{string.Concat(Enumerable.Range(1, 250).Select(i => $"int64 f{i} = {i};"))}} }
            """);
        workshop.GenerateAll(_ => "Slab");
        var bridge = Bridge.Of(workshop.Compile().GetType("Slab.Batch")!);
        var rows = Wire.Join(Enumerable.Repeat<byte[]>([0x0A, 0], 500_000));
        AssertRefused("empty rows", () => bridge.Rewrite(rows));
        var allocated = AllocatedBytes.Of(() => AssertRefused("empty rows", () => bridge.Rewrite(rows)));
        Assert.InRange(allocated, 0, 4 * (baseBytes + (bytesPerInputByte * (long)rows.Length)));

        var numbers = Wire.Delimited(2, new byte[4_000_000]);
        Assert.Equal(numbers.Length, bridge.Rewrite(numbers).Length);
        var texts = Wire.Join(Enumerable.Repeat<byte[]>([0x22, 0], 2_000_000));
        Assert.Equal(texts.Length, bridge.Rewrite(texts).Length);
        var map = Wire.Join(Enumerable.Range(0, 1_000_000).Select(i => Wire.Delimited(3, Wire.Field(1, 0, Wire.Varint((ulong)i)))));
        Assert.True(bridge.Rewrite(map).Length > 0);
    }

    /// <summary>Input of a message without strings and bytes is not copied. It takes another way to the reader.</summary>
    [Fact]
    public void Messages_without_strings_and_bytes_count_too()
    {
        using var workshop = new Workshop(
            "rows.proto", """syntax = "proto3"; message Rows { repeated Row rows = 1; } message Row { int64 number = 1; }""");
        workshop.GenerateAll(_ => "Slab");
        var bridge = Bridge.Of(workshop.Compile().GetType("Slab.Rows")!);
        var rows = Wire.Join(Enumerable.Repeat<byte[]>([0x0A, 2, 8, 1], elements));
        Assert.Equal(rows, bridge.Rewrite(rows));
        (ParseLimits.BaseBytes, ParseLimits.BytesPerInputByte) = (lowLimit, 0);
        AssertRefused("parsed", () => bridge.Rewrite(rows));
        AssertRefused("merged", () => bridge.Merge([], rows));
    }

    [Fact]
    public void Segments_that_are_merged_count_too()
    {
        using var message = WellKnownTypes.ListValue.Rent();
        var segments = Segments.Every(Wire.Join(Enumerable.Repeat<byte[]>([0x0A, 0], elements)), 1 << 12);
        Assert.Equal(elements, message.MergeFrom(segments).Values.Count);
        (ParseLimits.BaseBytes, ParseLimits.BytesPerInputByte) = (lowLimit, 0);
        AssertRefused("merged segments", () => message.MergeFrom(segments));
    }

    [Fact]
    public void Limits_are_not_negative()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => ParseLimits.BaseBytes = -1);
        Assert.Throws<ArgumentOutOfRangeException>(() => ParseLimits.BytesPerInputByte = -1);
        (ParseLimits.BaseBytes, ParseLimits.BytesPerInputByte) = (long.MaxValue, int.MaxValue);
        using var message = WellKnownTypes.StringValue.Rent();
        message.Parse([0x0A, 1, 0x61]);
    }

    [Fact]
    public void Setters_have_no_limit_behind_a_parse_a_merge_or_a_copy()
    {
        (ParseLimits.BaseBytes, ParseLimits.BytesPerInputByte) = (1_000, 0);
        using var message = WellKnownTypes.ListValue.Rent();
        using var other = WellKnownTypes.ListValue.Rent();
        other.Value.AddValues().SetNumberValue(1);
        foreach (var read in new Action[] { () => message.Parse([]), () => message.MergeFrom([]), () => message.Value.MergeFrom([]),
            () => message.CopyFrom(other), () => message.Value.CopyFrom(other.Value), () => message.Value.MergeFrom(other.Value) })
        {
            read();
            for (var i = 0; i < 1_000; i++) message.Value.AddValues().SetNumberValue(i);
            Assert.True(message.Value.Values.Count >= 1_000);
        }

        other.CopyFrom(message);
        Assert.Equal(message.Value, other.Value);
        Assert.Equal(WireError.MemoryLimit, Assert.Throws<WireFormatException>(() => message.MergeFrom(other.ToByteArray())).Reason);
        Assert.Equal(WireError.MemoryLimit, Assert.Throws<WireFormatException>(() => message.Value.MergeFrom(other.ToByteArray())).Reason);
        message.Value.AddValues().SetNumberValue(1);
        Assert.Equal(WireError.MemoryLimit, Assert.Throws<WireFormatException>(() => message.Parse(other.ToByteArray())).Reason);
        Assert.Equal(0, message.CalculateSize());
        Assert.Equal(WireError.MemoryLimit,
            Assert.Throws<WireFormatException>(() => message.Parse(new BufferedStream(new MemoryStream(other.ToByteArray())))).Reason);
    }

    static IEnumerable<(string Place, byte[] Wire)> Lists()
    {
        for (var i = 0; i < AllTypes.Scalars.Count; i++)
        {
            var type = AllTypes.Scalars[i];
            var list = Wire.Join(Enumerable.Repeat(Wire.Field(AllTypes.Repeated + i, type.WireType, type.Other), elements));
            yield return ($"repeated {type.Name}", list);
            if (AllTypes.CanPack(type.Name))
            {
                // Twice: numbers of fixed width take no memory where one field holds all of them.
                var half = Wire.Delimited(AllTypes.Packed + i, Enumerable.Repeat(type.Other, elements / 2));
                yield return ($"packed {type.Name}", Wire.Join(half, half));
            }

            yield return ($"map to {type.Name}", Map(AllTypes.ByString + i, 2,
                key => Wire.Join(key, Wire.Field(2, type.WireType, type.Other))));
            if (AllTypes.IsKey(type.Name)) yield return ($"map from {type.Name}", Map(AllTypes.Keys + i, type.WireType, key => key));
        }

        yield return ("messages", Wire.Join(Enumerable.Repeat(Wire.Delimited(AllTypes.Children), elements)));
        yield return ("unknown fields", Wire.Join(Enumerable.Repeat(Wire.Field(AllTypes.Unknown, 0, 1), elements)));
        yield return ("messages in messages", Wire.Delimited(AllTypes.Self,
            Wire.Join(Enumerable.Repeat(Wire.Delimited(AllTypes.Children), elements))));
    }

    /// <summary>Entries with different keys, as far as their type has them.</summary>
    static byte[] Map(int number, int keyWireType, Func<byte[], byte[]> entry) => Wire.Join(Enumerable.Range(0, elements).Select(i =>
        Wire.Delimited(number, entry(keyWireType switch
        {
            2 => Wire.Delimited(1, BitConverter.GetBytes(i | 0x40404040).Select(b => (byte)(b & 0x7F)).ToArray()),
            5 => Wire.Field(1, 5, BitConverter.GetBytes(i)),
            1 => Wire.Field(1, 1, BitConverter.GetBytes((long)i)),
            _ => Wire.Field(1, 0, Wire.Varint((ulong)i)),
        }))));

    static void AssertRefused(string place, Action read)
    {
        var refusal = Record.Exception(read);
        Assert.True(refusal is WireFormatException { Reason: WireError.MemoryLimit, Offset: 0 }, $"{place}: {refusal?.ToString() ?? "read"}");
    }
}

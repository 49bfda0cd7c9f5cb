using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>Against the code that protoc generates: both refuse an input, or both read the same from it.</summary>
public class ConformanceTests
{
    public static TheoryData<string, string> Cases =>
        new(from syntax in new[] { "proto2", "proto3", AllTypes.Editions }
            from name in new[] { nameof(WireCases.Values), nameof(WireCases.Lists), nameof(WireCases.WrongWireTypes),
                nameof(WireCases.Merging), nameof(WireCases.Maps), nameof(WireCases.Malformed), nameof(WireCases.UnknownFields),
                nameof(WireCases.Groups) }
            select (syntax, name));

    [Theory]
    [MemberData(nameof(Cases))]
    public void Both_read_the_same_or_both_refuse(string syntax, string cases)
    {
        foreach (var wire in Inputs(cases)) Compare(syntax, wire);
    }

    [Theory]
    [InlineData("proto2")]
    [InlineData("proto3")]
    [InlineData(AllTypes.Editions)]
    public void Both_refuse_what_ends_too_early(string syntax)
    {
        var seen = new HashSet<string>();
        foreach (var wire in Cases.Select(row => row.Data).Where(row => row.Item1 == syntax && row.Item2 is not nameof(WireCases.Malformed))
            .SelectMany(row => Inputs(row.Item2)))
        {
            for (var length = 0; length < Math.Min(wire.Length, 48); length++)
            {
                if (seen.Add(Convert.ToHexString(wire, 0, length))) Compare(syntax, wire[..length]);
            }
        }
    }

    [Theory]
    [InlineData("proto2")]
    [InlineData("proto3")]
    public void Unknown_fields_stay_in_order_behind_the_known_ones(string syntax)
    {
        int[] numbers = [7_000, 6_000, 7_000, 9_000, 6_000];
        var unknown = numbers.Select((number, i) => Wire.Any(number, i is 3 ? 3 : i is 2 ? 2 : 0)).ToArray();
        var known = Wire.Field(AllTypes.Singular, 0, 1);
        Assert.Equal(Wire.Join([known, .. unknown]),
            AllTypesAssembly.Of(syntax).Slab.Rewrite(Wire.Join([.. unknown[..2], known, .. unknown[2..]])));
    }

    [Fact]
    public void An_unknown_value_of_a_closed_enum_is_an_unknown_field_in_every_kind_of_field()
    {
        var kind = WireScalar.All.ToList().FindIndex(type => type.Name == "Kind");
        var (google, bridge) = AllTypesAssembly.Of("proto2");
        var singular = google.FindFieldByNumber(AllTypes.Singular + kind);
        Assert.Equal(77, (int)singular.Accessor.GetValue(google.Parser.ParseFrom(Wire.Field(AllTypes.Singular + kind, 0, 77))));
        foreach (var number in new[] { AllTypes.Singular + kind, AllTypes.Repeated + kind, AllTypes.Unpacked + kind,
            AllTypes.Oneof + kind })
        {
            var field = Wire.Field(number, 0, 77);
            Assert.Equal(Wire.Join(Wire.Field(AllTypes.Singular, 0, 1), field),
                bridge.Rewrite(Wire.Join(field, Wire.Field(AllTypes.Singular, 0, 1))));
        }

        // the other values of a packed field stay in it; the one that is not known is a field of its own
        Assert.Equal(Wire.Join(Wire.Delimited(AllTypes.Packed + kind, [1, 2]), Wire.Field(AllTypes.Packed + kind, 0, 77)),
            bridge.Rewrite(Wire.Delimited(AllTypes.Packed + kind, [1, 77, 2])));

        // an entry of a map is unknown as a whole, so that its key is not lost;
        // the last value counts, and an earlier entry of the key stays
        var map = AllTypes.ByString + kind;
        byte[] key = Wire.Delimited(1, "k"u8.ToArray()), known = Wire.Field(2, 0, 1), unknown = Wire.Field(2, 0, 77);
        Assert.Equal(Wire.Delimited(map, key, unknown), bridge.Rewrite(Wire.Delimited(map, key, unknown)));
        Assert.Equal(Wire.Delimited(map, key, known, unknown), bridge.Rewrite(Wire.Delimited(map, key, known, unknown)));
        Assert.Equal(Wire.Delimited(map, key, known), bridge.Rewrite(Wire.Delimited(map, key, unknown, known)));
        Assert.Equal(Wire.Join(Wire.Delimited(map, key, known), Wire.Delimited(map, unknown, key)),
            bridge.Rewrite(Wire.Join(Wire.Delimited(map, key, known), Wire.Delimited(map, unknown, key))));

        // with so many keys that they are in a table
        var entries =
            Enumerable.Range(0, 40).Select(i => Wire.Delimited(map, Wire.Delimited(1, [(byte)('A' + i)]), i % 2 == 0 ? known : unknown))
                .ToArray();
        Assert.Equal(Wire.Join(entries.Where((_, i) => i % 2 == 0).Concat(entries.Where((_, i) => i % 2 != 0))),
            bridge.Rewrite(Wire.Join(entries)));
    }

    /// <summary>As many are counted as are kept otherwise.</summary>
    [Fact]
    public void An_unknown_value_of_a_closed_enum_is_discarded_with_the_unknown_fields()
    {
        var kind = WireScalar.All.ToList().FindIndex(type => type.Name == "Kind");
        var bridge = AllTypesAssembly.Of("proto2").Slab;
        foreach (var number in new[] { AllTypes.Singular + kind, AllTypes.Repeated + kind, AllTypes.Unpacked + kind,
            AllTypes.Oneof + kind })
            AssertDiscarded([], 1, Wire.Field(number, 0, 77));
        AssertDiscarded(Wire.Delimited(AllTypes.Packed + kind, [1, 2]), 2, Wire.Delimited(AllTypes.Packed + kind, [77, 1, 78, 2]));
        var map = AllTypes.ByString + kind;
        var known = Wire.Delimited(map, Wire.Delimited(1, [7]), Wire.Field(2, 0, 1));
        AssertDiscarded(known, 1, Wire.Join(known, Wire.Delimited(map, Wire.Delimited(1, [7]), Wire.Field(2, 0, 77))));

        void AssertDiscarded(byte[] expected, int count, byte[] wire)
        {
            var (written, discarded) = bridge.Discard(wire);
            Assert.Equal(expected, written);
            Assert.Equal(count, discarded);
        }
    }

    [Fact]
    public void An_unknown_value_of_an_open_enum_stays_in_its_field()
    {
        var kind = WireScalar.All.ToList().FindIndex(type => type.Name == "Kind");
        foreach (var number in new[] { AllTypes.Singular + kind, AllTypes.Oneof + kind, AllTypes.Unpacked + kind })
            Compare("proto3", Wire.Field(number, 0, 77));
        Compare("proto3", Wire.Delimited(AllTypes.Packed + kind, [1, 77, 2]));
        Compare("proto3", Wire.Delimited(AllTypes.ByString + kind, Wire.Delimited(1, "k"u8.ToArray()), Wire.Field(2, 0, 77)));
    }

    /// <summary>Google.Protobuf takes it for the default value and drops it; the specification compares bits.</summary>
    [Fact]
    public void Negative_zero_is_a_value()
    {
        foreach (var (type, i) in WireScalar.All.Select((type, i) => (type, i)).Where(one => one.type.Name is "float" or "double"))
        {
            byte[] zero = [.. new byte[type.Values[0].Length - 1], 0x80];
            foreach (var number in new[] { AllTypes.Singular, AllTypes.Unpacked, AllTypes.Oneof })
            {
                var wire = Wire.Field(number + i, type.WireType, zero);
                Assert.Equal(wire, AllTypesAssembly.Of("proto3").Slab.Rewrite(wire));
            }
        }
    }

    /// <summary>proto3 refuses such text; in proto2 it stays as it is.</summary>
    [Fact]
    public void Text_of_proto3_that_is_not_UTF8_is_refused_in_every_kind_of_field()
    {
        var text = WireScalar.All.ToList().FindIndex(type => type.Name == "string");
        byte[] wrong = Wire.Delimited(1, [0xC3, 0x28]), right = Wire.Delimited(1, [(byte)'k']);
        var inputs = new[] { AllTypes.Singular, AllTypes.Repeated,
            AllTypes.Oneof }.Select(number => Wire.Delimited(number + text, [0xC3, 0x28]))
            .Concat([Wire.Delimited(AllTypes.ByString + text, wrong),
                Wire.Delimited(AllTypes.ByString + text, right, Wire.Delimited(2, [0xC3, 0x28])),
                    Wire.Delimited(AllTypes.Keys + text, wrong)]);
        foreach (var wire in inputs)
        {
            Assert.Equal(WireError.InvalidUtf8, Assert.Throws<WireFormatException>(() => AllTypesAssembly.Of("proto3").Slab.Rewrite(wire)).Reason);
            Assert.Null(Record.Exception(() => AllTypesAssembly.Of("proto2").Slab.Rewrite(wire)));
        }
    }

    /// <summary>The entry has an empty message, which is a level too. Google.Protobuf reads it, and refuses what it writes then.</summary>
    [Theory]
    [InlineData("proto2")]
    [InlineData("proto3")]
    public void An_entry_at_the_limit_of_nesting_without_its_message_is_refused(string syntax)
    {
        var (google, bridge) = AllTypesAssembly.Of(syntax);
        var wire = Wire.Delimited(AllTypes.Keys, Wire.Field(1, 0, 1));
        for (var level = 0; level < ParseLimits.MaxDepth - 2; level++) wire = Wire.Delimited(AllTypes.Self, wire);
        Assert.NotEmpty(bridge.Rewrite(bridge.Rewrite(wire)));
        wire = Wire.Delimited(AllTypes.Self, wire);
        Assert.Equal(WireError.TooDeep, Assert.Throws<WireFormatException>(() => bridge.Rewrite(wire)).Reason);
        var written = google.Parser.ParseFrom(wire).ToByteArray();
        Assert.Throws<InvalidProtocolBufferException>(() => google.Parser.ParseFrom(written));
    }

    [Fact]
    public void Text_of_proto2_that_is_not_UTF8_is_kept_where_Google_refuses_or_replaces_it()
    {
        var text = WireScalar.All.ToList().FindIndex(type => type.Name == "string");
        var (google, bridge) = AllTypesAssembly.Of("proto2");
        var wire = Wire.Delimited(AllTypes.Singular + text, [0xC3, 0x28]);
        Assert.Equal(wire, bridge.Rewrite(wire));
        try
        {
            Assert.NotEqual(wire, google.Parser.ParseFrom(wire).ToByteArray());
        }
        catch (InvalidProtocolBufferException)
        {
            // from 3.36 on
        }
    }

    static IEnumerable<byte[]> Inputs(string cases) => (IEnumerable<byte[]>)typeof(WireCases).GetMethod(cases)!.Invoke(null, null)!;

    static void Compare(string syntax, byte[] wire)
    {
        var (descriptor, bridge) = AllTypesAssembly.Of(syntax);
        var place = $"{syntax} {Convert.ToHexString(wire)}";
        Google.Protobuf.IMessage expected;
        try
        {
            expected = descriptor.Parser.ParseFrom(wire);
        }
        catch (InvalidProtocolBufferException)
        {
            Assert.True(Record.Exception(() => bridge.Rewrite(wire)) is WireFormatException, place);
            return;
        }

        Assert.True(Record.Exception(() => bridge.Rewrite(wire)) is null, place + " is refused");
        Assert.True(expected.Equals(descriptor.Parser.ParseFrom(bridge.Rewrite(wire))), place + ": bytes");
        var known = WithoutUnknown(expected, descriptor);
        Assert.True(known.Equals(bridge.Read(wire, descriptor)), place + ": accessors");
        Assert.True(known.Equals(descriptor.Parser.ParseFrom(bridge.Discard(wire).Written)), place + ": without unknown fields");
    }

    static Google.Protobuf.IMessage WithoutUnknown(Google.Protobuf.IMessage message, MessageDescriptor descriptor) =>
        descriptor.Parser.WithDiscardUnknownFields(true).ParseFrom(message.ToByteArray());
}

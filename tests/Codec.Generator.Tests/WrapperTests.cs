using System.Diagnostics.CodeAnalysis;
using Google.Protobuf;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>Wrappers are read as any other message. Each place where Google's C# code differs, and what both do there.</summary>
public sealed class WrapperTests(WrapperTests.Types types) : IClassFixture<WrapperTests.Types>
{
    /// <summary>A merge with an empty wrapper keeps the value; in Google's C# code too, but for a wrapper in a oneof.</summary>
    [Fact]
    public void A_wrapper_in_a_oneof_is_merged_as_any_message_is()
    {
        byte[] value = [0x0A, 3, 0x0A, 1, (byte)'a'], empty = [0x0A, 0];
        Assert.Equal(value, types.Slab.Merge(value, empty));
        var google = types.Google();
        google.MergeFrom(value);
        google.MergeFrom(empty);
        Assert.Equal(empty, google.ToByteArray());
    }

    /// <summary>The last value wins, also if it is the default: C++ decodes these bytes as an empty wrapper
    /// (<c>protoc --decode wrapped.Choice</c> prints <c>number { }</c>).</summary>
    [Fact]
    public void The_default_in_a_second_wrapper_replaces_the_first_value_where_Google_keeps_it()
    {
        byte[] wire = [0x12, 2, 8, 5, 0x12, 2, 8, 0];
        Assert.Equal([0x12, 0], types.Slab.Rewrite(wire));
        var google = types.Google();
        google.MergeFrom(wire);
        Assert.Equal([0x12, 2, 8, 5], google.ToByteArray());
    }

    [Theory]
    [InlineData("12010E", 2, "1200")]
    [InlineData("12030F0805", 2, "12020805")]
    [InlineData("1A010E", 2, "1A00")]
    [InlineData("22010F", 2, "2200")]
    public void A_reserved_wire_type_in_a_wrapper_is_refused_where_Google_steps_over_its_tag(string hex, int offset, string google) =>
        Compare(hex, WireError.InvalidTag, offset, google);

    [Theory]
    [InlineData("120172007200", 3, "12007200")]
    [InlineData("12020A022A00", 4, "1200")]
    [InlineData("1203080110012A00", 5, "120208012A00")]
    public void A_field_that_is_longer_than_its_wrapper_is_refused_where_Google_reads_on(string hex, int offset, string google) =>
        Compare(hex, WireError.Truncated, offset, google);

    [Theory]
    [InlineData("1A01", 2, "1A00")]
    [InlineData("12010801", 3, "12020801")]
    [InlineData("1202", 2, null)]
    public void A_wrapper_that_is_longer_than_the_input_is_refused_where_Google_reads_it_or_fails(string hex, int offset, string? google) =>
        Compare(hex, WireError.Truncated, offset, google);

    [Fact]
    public void A_wrapper_is_a_level_of_nesting_where_Google_does_not_count_it()
    {
        var wire = Wire.Delimited(2, Wire.Field(1, 0, 1));
        for (var i = 0; i < ParseLimits.MaxDepth; i++) wire = Wire.Delimited(5, wire);
        var google = types.Google();
        google.MergeFrom(wire);
        Assert.Equal(wire, google.ToByteArray());
        Assert.Equal(WireError.TooDeep, Assert.Throws<WireFormatException>(() => types.Slab.Rewrite(wire)).Reason);
        wire = wire[(1 + Wire.Varint((ulong)wire.Length).Length)..];
        Assert.Equal(wire, types.Slab.Rewrite(wire));
    }

    /// <summary>As <c>choice.Number = other.Number</c> in Google's code.</summary>
    [Theory]
    [InlineData("")]
    [InlineData("0A0012001A00")]
    [InlineData("0A030A016112020805" + "1A030A0162")]
    public void A_setter_takes_what_a_getter_gives_also_null(string hex)
    {
        var wire = Convert.FromHexString(hex);
        Assert.Equal(wire, types.Copy(wire));
    }

    void Compare(string hex, WireError reason, int offset, string? google)
    {
        var wire = Convert.FromHexString(hex);
        var refusal = Assert.Throws<WireFormatException>(() => types.Slab.Rewrite(wire));
        Assert.Equal((reason, offset), (refusal.Reason, refusal.Offset));
        var other = types.Google();
        if (google is null) Assert.Throws<InvalidOperationException>(() => other.MergeFrom(wire));
        else other.MergeFrom(wire);
        if (google is not null) Assert.Equal(google, Convert.ToHexString(other.ToByteArray()));
    }

    [SuppressMessage("Design", "CA1034", Justification = "the fixture of this class only, which xunit needs to be public")]
    public sealed class Types : IDisposable
    {
        readonly Workshop workshop = new();
        readonly Type google;

        public Types()
        {
            workshop.Add("wrapped.proto", """
                syntax = "proto3";
                package wrapped;
                import "google/protobuf/wrappers.proto";
                message Choice {
                  oneof kind { google.protobuf.StringValue text = 1; }
                  google.protobuf.Int32Value number = 2;
                  google.protobuf.StringValue other = 3;
                  repeated google.protobuf.DoubleValue many = 4;
                  Choice next = 5;
                }
                """);
            workshop.GenerateAll(_ => "SlabWrapped");
            workshop.GenerateGoogle();
            workshop.AddSource("""
                using SlabWrapped;
                #pragma warning disable CS1591
                public static class Copier
                {
                    public static byte[] Copy(byte[] wire)
                    {
                        using var message = Choice.Rent();
                        using var other = Choice.Rent();
                        var (from, to) = (message.Parse(wire), other.Parse([0x0A, 3, 0x0A, 1, 0x7A, 0x12, 2, 8, 1, 0x1A, 0]));
                        to.SetText(from.Text);
                        to.SetNumber(from.Number);
                        to.SetOther(from.Other);
                        if (from.Other is { } given) to.SetOther(given);
                        if (from.Number is 0) to.SetNumber(0);
                        return other.ToByteArray();
                    }
                }
                """);
            var assembly = workshop.Compile();
            Copy = assembly.GetType("Copier")!.GetMethod("Copy")!.CreateDelegate<Func<byte[], byte[]>>();
            google = assembly.GetType("Wrapped.Choice")!;
            Slab = Bridge.Of(assembly.GetType("SlabWrapped.Choice")!);
        }

        internal IBridge Slab { get; }

        internal Func<byte[], byte[]> Copy { get; }

        internal Google.Protobuf.IMessage Google() => (Google.Protobuf.IMessage)Activator.CreateInstance(google)!;

        public void Dispose() => workshop.Dispose();
    }
}

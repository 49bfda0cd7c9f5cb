using System.Buffers;
using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>What proto2 has beside proto3: required fields, defaults, closed enums, groups; extensions as unknown fields.</summary>
public class Proto2Tests
{
    const string proto = """
        syntax = "proto2";
        message Need { required int32 id = 1; optional Need next = 2; repeated Need more = 3; }
        message Defaults {
          optional int32 number = 1 [default = -5];
          optional double real = 2 [default = inf];
          optional string text = 3 [default = "say \"hi\""];
          optional bytes data = 4 [default = "\001\xFFz"];
          optional Color color = 5 [default = RED];
          optional Color first = 6;
          optional bool flag = 7 [default = true];
        }
        message Holder { optional Need need = 1; optional Defaults defaults = 2; optional Holder holder = 3; }
        message Closed { optional Color color = 1; repeated Color colors = 2; repeated Color packed = 3 [packed = true]; }
        message Open { optional group Old = 1 { optional int32 a = 2; } extensions 100 to 200; optional int32 id = 5; }
        enum Color { GREEN = 3; RED = 4; }
        """;

    [Fact]
    public void Proto2_is_read_by_its_own_rules()
    {
        using var workshop = new Workshop("two.proto", proto);
        workshop.GenerateAll(_ => "Two");
        var assembly = workshop.Compile();

        var need = Bridge.Of(assembly.GetType("Two.Need")!);
        Assert.Equal(WireError.MissingRequired, Assert.Throws<WireFormatException>(() => need.Rewrite([])).Reason);
        Assert.Throws<WireFormatException>(() => need.Rewrite([0x08, 1, 0x12, 0]));
        Assert.Throws<WireFormatException>(() => need.Rewrite([0x08, 1, 0x1A, 0]));
        Assert.Equal([0x08, 0, 0x1A, 2, 0x08, 1], need.Rewrite([0x08, 0, 0x1A, 2, 0x08, 1]));

        // known values in order of fields, then the unknown ones as they came, each as a field of its own
        var closed = Bridge.Of(assembly.GetType("Two.Closed")!);
        Assert.Equal([0x08, 4, 0x10, 3, 0x1A, 1, 4, 0x08, 9, 0x10, 7, 0x18, 5],
            closed.Rewrite([0x08, 4, 0x08, 9, 0x10, 3, 0x10, 7, 0x1A, 2, 4, 5]));

        // a group and an extension
        byte[] open = [0x0B, 0x10, 5, 0x0C, 0x28, 1, 0xA0, 0x06, 7];
        Assert.Equal(open, Bridge.Of(assembly.GetType("Two.Open")!).Rewrite(open));
    }

    [Fact]
    public void A_message_without_a_required_field_is_neither_written_nor_copied()
    {
        using var workshop = new Workshop("two.proto", proto);
        workshop.GenerateAll(_ => "Two");
        typeof(Proto2Tests).GetMethod(nameof(IsRefused), BindingFlags.NonPublic | BindingFlags.Static)!
            .MakeGenericMethod(workshop.Compile().GetType("Two.Need")!).CreateDelegate<Action>()();
    }

    static void IsRefused<T>()
        where T : struct, ISlabMessage<T>
    {
        using var incomplete = Message<T>.Rent();
        using var message = Message<T>.Rent();
        foreach (var act in new Action[] { () => incomplete.CalculateSize(), () => incomplete.WriteTo(new byte[10]),
            () => incomplete.WriteTo(new ArrayBufferWriter<byte>()), () => message.MergeFrom(incomplete),
            () => message.CopyFrom(incomplete) })
            Assert.Contains("required field", Assert.Throws<InvalidOperationException>(act).Message, StringComparison.Ordinal);
        message.Parse([0x08, 1]);
        Assert.Throws<InvalidOperationException>(() => message.CopyFrom(incomplete));
        Assert.True(message.Value.Equals(incomplete.Value));
    }

    [Fact]
    public void An_absent_message_has_the_defaults_of_its_fields_and_is_not_written_without_its_required_field()
    {
        using var workshop = new Workshop("two.proto", proto);
        workshop.GenerateAll(_ => "Two");
        workshop.AddSource("""
            #pragma warning disable CS1591
            using System;
            using Two;

            public static class Reads
            {
                public static string All()
                {
                    using var message = Holder.Rent();
                    var holder = message.Parse((ReadOnlySpan<byte>)[0x1A, 0]);
                    var defaults = holder.Holder_.Holder_.Defaults;
                    var refused = "";
                    try
                    {
                        holder.Need.ToByteArray();
                    }
                    catch (InvalidOperationException e)
                    {
                        refused = e.Message;
                    }

                    return $"{holder.HasNeed} {holder.HasHolder_} {holder.Holder_.HasHolder_} {defaults.HasNumber} {defaults.Number} {defaults.Real} "
                        + $"{defaults.Text} {defaults.Data.Length} {defaults.Color} {defaults.First} {defaults.Flag} "
                        + $"{holder.Need.HasId} {holder.Need.Id} {holder.Need.Next.Next.Id} {holder.Need.More.Count} {refused}";
                }
            }
            """);
        var all = workshop.Compile().GetType("Reads")!.GetMethod("All")!.CreateDelegate<Func<string>>();
        Assert.Equal($"False True False False -5 {double.PositiveInfinity} say \"hi\" 3 Red Green True False 0 0 0 The required field Need.id is not set.",
            all());
    }

    /// <summary>A group is a message: it may be required, and so may a field in it. protoc judges, because IsInitialized of Google.Protobuf
    /// 3.36.2 throws for a type with a group: see <see cref="Google_cannot_check_a_message_with_a_group"/>.</summary>
    [Fact]
    public void A_required_group_and_required_fields_in_groups_are_checked()
    {
        using var workshop = new Workshop("group.proto", """
            syntax = "proto2";
            message Outer {
              required group Data = 20 { required int32 a = 2; }
              repeated group Other = 21 { required int32 b = 1; }
              oneof choice { group Third = 22 { required int32 c = 1; } }
              extensions 30 to 40;
            }
            message Holder { optional Outer outer = 1; }
            """);
        workshop.GenerateAll(_ => "Slab");
        workshop.GenerateGoogle();
        var assembly = workshop.Compile();
        var google = (MessageDescriptor)assembly.GetType("Outer")!.GetProperty("Descriptor")!.GetValue(null)!;
        var outer = Bridge.Of(assembly.GetType("Slab.Outer")!);
        var holder = Bridge.Of(assembly.GetType("Slab.Holder")!);
        var complete = Wire.Group(20, Wire.Field(2, 0, 5));
        byte[][] incomplete = [[], Wire.Group(20), Wire.Group(21, complete), Wire.Field(30, 0, 1), Wire.Field(20, 0, 1),
            Wire.Join(complete, Wire.Group(21, Wire.Field(1, 0, 1)), Wire.Group(21)), Wire.Join(complete, Wire.Group(22))];
        foreach (var wire in incomplete)
        {
            Assert.False(workshop.IsComplete("Outer", wire));
            Assert.Equal(WireError.MissingRequired, Assert.Throws<WireFormatException>(() => outer.Rewrite(wire)).Reason);
            var nested = Wire.Delimited(1, wire);
            Assert.Equal(WireError.MissingRequired, Assert.Throws<WireFormatException>(() => holder.Rewrite(nested)).Reason);
        }

        byte[][] whole = [complete, Wire.Join(Wire.Group(20), complete),
            Wire.Join(complete, Wire.Group(21, Wire.Field(1, 0, 1)), Wire.Group(22, Wire.Field(1, 0, 1)))];
        foreach (var wire in whole)
        {
            Assert.True(workshop.IsComplete("Outer", wire));
            Assert.Equal(google.Parser.ParseFrom(wire).ToByteArray(), outer.Rewrite(wire));
        }

        // The same tags in more bytes than they need.
        byte[] overlong = [0xA3, 0x81, 0x00, 0x10, 1, 0xA4, 0x81, 0x80, 0x00];
        Assert.True(workshop.IsComplete("Outer", overlong));
        Assert.Equal(Wire.Group(20, Wire.Field(2, 0, 1)), outer.Rewrite(overlong));
        Assert.Throws<InvalidOperationException>(() => outer.Build(google.Parser.ParseFrom([])));
        Assert.Throws<InvalidOperationException>(() => outer.Build(google.Parser.ParseFrom(Wire.Group(20))));
    }

    /// <summary>A defect of Google.Protobuf, reduced in eng/upstream/google-protobuf-group. When this fails, it is mended:
    /// <see cref="A_required_group_and_required_fields_in_groups_are_checked"/> can ask Google's class.</summary>
    [Fact]
    public void Google_cannot_check_a_message_with_a_group()
    {
        using var workshop = new Workshop(
            "group.proto", """syntax = "proto2"; message Holder { optional group Data = 1 { optional int32 a = 2; } }""");
        workshop.GenerateGoogle();
        var google = (MessageDescriptor)workshop.Compile().GetType("Holder")!.GetProperty("Descriptor")!.GetValue(null)!;
        Assert.Throws<ArgumentNullException>(() => google.Parser.ParseFrom([]).IsInitialized());
    }

    /// <summary>An entry without value has an empty one, which lacks its required fields.</summary>
    [Fact]
    public void Required_fields_of_a_map_value_that_is_not_there_are_missing()
    {
        using var workshop = new Workshop("map.proto", """
            syntax = "proto2";
            message Need { required int32 id = 1; }
            message Holder { map<int32, Need> needs = 1; }
            """);
        workshop.GenerateAll(_ => "Slab.Map");
        workshop.GenerateGoogle();
        var assembly = workshop.Compile();
        var holder = Bridge.Of(assembly.GetType("Slab.Map.Holder")!);
        byte[][] incomplete = [[0x0A, 4, 0x08, 7, 0x12, 0], [0x0A, 2, 0x08, 7], [0x0A, 0]];
        foreach (var wire in incomplete)
        {
            Assert.Equal(WireError.MissingRequired, Assert.Throws<WireFormatException>(() => holder.Rewrite(wire)).Reason);
            var google = (IMessage)Activator.CreateInstance(assembly.GetType("Holder")!)!;
            google.MergeFrom(wire);
            Assert.False(google.IsInitialized());
        }

        byte[] complete = [0x0A, 6, 0x08, 7, 0x12, 2, 0x08, 1];
        Assert.Equal(complete, holder.Rewrite(complete));
    }

    [Fact]
    public void Bytes_are_merged_into_a_view_as_Google_merges_them()
    {
        using var workshop = new Workshop("two.proto", proto);
        workshop.GenerateAll(_ => "Slab.Two");
        workshop.GenerateGoogle();
        var assembly = workshop.Compile();
        var google = (MessageDescriptor)assembly.GetType("Open")!.GetProperty("Descriptor")!.GetValue(null)!;
        byte[] first = [0x28, 1, 0x0B, 0x10, 5, 0x0C, 0xA0, 0x06, 7];
        byte[] more = [0x0B, 0x10, 6, 0x0C, 0x28, 2, 0xA0, 0x06, 8];
        var expected = google.Parser.ParseFrom(first);
        expected.MergeFrom(more);
        var written = Bridge.Of(assembly.GetType("Slab.Two.Open")!).Merge(first, more);
        Assert.Equal(expected, google.Parser.ParseFrom(written));
        Assert.Equal([0x0B, 0x10, 6, 0x0C, 0x28, 2, 0xA0, 0x06, 7, 0xA0, 0x06, 8], written);

        // Google's MergeFrom does not look for required fields either.
        var need = Bridge.Of(assembly.GetType("Slab.Two.Need")!);
        byte[] complete = [0x08, 3, 0x1A, 2, 0x08, 1];
        Assert.Equal(complete, need.Merge(complete, []));
        Assert.Equal(WireError.Truncated, Assert.Throws<WireFormatException>(() => need.Merge(complete, [0x08])).Reason);

        // A value that the closed enum does not have.
        Assert.Equal([0x08, 4, 0x08, 9], Bridge.Of(assembly.GetType("Slab.Two.Closed")!).Merge([0x08, 4], [0x08, 9]));
    }

    [Fact]
    public void Defaults_are_returned_until_a_field_is_set()
    {
        using var workshop = new Workshop("two.proto", proto);
        workshop.GenerateAll(_ => "Two");
        var type = workshop.Compile().GetType("Two.Defaults")!;
        var message = type.GetMethod("Rent", BindingFlags.Public | BindingFlags.Static)!.Invoke(null, null)!;
        var view = message.GetType().GetProperty("Value")!.GetValue(message)!;
        object? Get(string name) => type.GetProperty(name)!.GetValue(view);
        Assert.Equal((-5, double.PositiveInfinity, true), (Get("Number"), Get("Real"), Get("Flag")));
        Assert.Equal("say \"hi\"", Get("Text")!.ToString());
        Assert.Equal([1, 0xFF, (byte)'z'], ((Bytes)Get("Data")!).ToArray());
        Assert.Equal(("Red", "Green"), (Get("Color")!.ToString(), Get("First")!.ToString()));
        Assert.Equal(false, Get("HasNumber"));
        type.GetMethod("SetNumber")!.Invoke(view, [0]);
        Assert.Equal((0, true), (Get("Number"), Get("HasNumber")));
        type.GetMethod("ClearNumber")!.Invoke(view, null);
        Assert.Equal(-5, Get("Number"));
        ((IDisposable)message).Dispose();
    }
}

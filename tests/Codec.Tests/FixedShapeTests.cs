using Google.Protobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>A sub-message of numbers of fixed width that has all of its fields in order is read at once, any other form of it by the loop
/// over its tags.</summary>
public class FixedShapeTests
{
    [Fact]
    public void Each_changed_byte_is_taken_or_refused_as_by_Google()
    {
        var triangle = new Gpb.Sets.Triangle
        {
            V0 = new() { X = 1, Y = -2.5f, Z = 1e30f },
            V1 = new() { X = 1, Z = 3 },
            V2 = new() { X = float.Epsilon, Y = 5, Z = 6 },
            Normal = new(),
        };
        var wire = new Gpb.Sets.Mesh { Triangles = { triangle, triangle } }.ToByteArray();
        using var message = SlabProtobuf.Sets.Mesh.Rent();
        for (var i = 0; i < wire.Length; i++)
        {
            for (var value = 0; value < 256; value++)
            {
                byte[] changed = [.. wire];
                changed[i] = (byte)value;
                Check(changed);
            }

            Check(wire[..i]);
        }

        void Check(byte[] input)
        {
            Gpb.Sets.Mesh? expected = null;
            try
            {
                expected = Gpb.Sets.Mesh.Parser.ParseFrom(input);
            }
            catch (InvalidProtocolBufferException)
            {
                // as the codec
            }

            var refused = Record.Exception(() => message.Parse(input));
            Assert.True(expected is null == refused is WireFormatException, $"{Convert.ToHexString(input)}: {refused}");
            // Google orders unknown fields by their numbers, the codec writes them as they were read
            if (expected is not null) Assert.Equal(expected, Gpb.Sets.Mesh.Parser.ParseFrom(message.ToByteArray()));
        }
    }

    [Fact]
    public void A_second_value_is_merged_and_replaces_the_first_ones_fields()
    {
        // v0 { x: 1 y: 2 z: 3 }, then v0 { y: 4 }, then v0 { x: 5 y: 6 z: 7 }
        var first = new Gpb.Sets.Triangle { V0 = new() { X = 1, Y = 2, Z = 3 } }.ToByteArray();
        var second = new Gpb.Sets.Triangle { V0 = new() { Y = 4 } }.ToByteArray();
        var third = new Gpb.Sets.Triangle { V0 = new() { X = 5, Y = 6, Z = 7 } }.ToByteArray();
        using var message = SlabProtobuf.Sets.Triangle.Rent();
        var vector = message.Parse([.. first, .. second]).V0;
        Assert.Equal((1, 4, 3), (vector.X, vector.Y, vector.Z));
        vector = message.Parse([.. second, .. third]).V0;
        Assert.Equal((5, 6, 7), (vector.X, vector.Y, vector.Z));
    }
}

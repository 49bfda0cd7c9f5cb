using System.Buffers;
using Google.Protobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>A recycled message keeps its first block, and one without strings reads its input in place: neither may be seen.</summary>
public class MemoryReuseTests
{
    // Field 100 as a varint, a group and bytes: unknown to Small.
    static readonly byte[] unknown = [0xA0, 0x06, 0x01, 0xA3, 0x06, 0x08, 0x05, 0xA4, 0x06, 0xA2, 0x06, 0x03, 7, 8, 9];

    [Fact]
    public void Unknown_fields_of_a_message_without_strings_are_its_own()
    {
        byte[] input = [.. Samples.Small(), .. unknown];
        var expected = input.ToArray();
        using var message = ProtoBench.SlabProtobuf.Small.Rent();
        message.Parse(input);
        input.AsSpan().Clear();
        Assert.Equal(expected, message.ToByteArray());

        message.MergeFrom(unknown);
        Assert.Equal([.. expected, .. unknown], message.ToByteArray());
        message.Parse(expected);
        Assert.Equal(expected, message.ToByteArray());
    }

    [Fact]
    public void Unknown_fields_are_kept_from_every_form_of_input()
    {
        byte[] input = [.. Samples.Small(), .. unknown];
        using var message = ProtoBench.SlabProtobuf.Small.Rent();
        message.Parse(new ReadOnlySequence<byte>(input));
        Assert.Equal(input, message.ToByteArray());
        message.Parse(Segments.Cut(input, 3));
        Assert.Equal(input, message.ToByteArray());
        message.ParseAlias(input);
        Assert.Equal(input, message.ToByteArray());
        message.Parse(new MemoryStream(input));
        Assert.Equal(input, message.ToByteArray());
        message.Parse(input);
        Assert.Equal(input, message.ToByteArray());
    }

    /// <summary>Such bytes are read where they are: what is kept of them is copied.</summary>
    [Fact]
    public void Bytes_that_were_merged_into_a_message_without_strings_may_change()
    {
        byte[] wire = [.. Samples.Small(), .. unknown];
        Action<Codec.Message<ProtoBench.SlabProtobuf.Small>, byte[]>[] forms =
        [
            (message, input) => message.MergeFrom(input),
            (message, input) => message.MergeFrom(Segments.Cut(input, 3, 10)),
            (message, input) => message.Value.MergeFrom(input),
            (message, input) => message.Value.MergeFrom(Segments.Cut(input, 3, 10)),
        ];
        using var message = ProtoBench.SlabProtobuf.Small.Rent();
        byte[] expected = [.. Samples.Small()];
        foreach (var form in forms)
        {
            var input = wire.ToArray();
            form(message, input);
            input.AsSpan().Fill(0xFF);
            expected = [.. expected, .. unknown];
            Assert.Equal(expected, message.ToByteArray());
        }

        // The place that is wrong is counted from the beginning of the bytes that are merged.
        foreach (var form in forms)
            Assert.Equal(unknown.Length, Assert.Throws<Codec.WireFormatException>(() => form(message, [.. unknown, 0x0F])).Offset);
    }

    [Fact]
    public void A_message_without_strings_that_is_refused_is_empty()
    {
        using var message = ProtoBench.SlabProtobuf.Small.Rent();
        message.Parse(Samples.Small());
        Assert.Throws<Codec.WireFormatException>(() => message.Parse([.. unknown, 0x0F]));
        Assert.Empty(message.ToByteArray());
        message.Parse([0x08, 0x01]);
        Assert.Equal(1, message.Value.Id);
    }

    [Fact]
    public void Messages_of_any_size_follow_each_other_in_one_recycled_message()
    {
        const int seed = 20260722;
        var random = new Random(seed);
        for (var i = 0; i < 400; i++)
        {
            var source = new Gpb.WidePart { Id = random.Next(), Name = new string((char)random.Next('a', 'z' + 1), 1 << random.Next(20)) };
            var bytes = source.ToByteArray();
            using var message = ProtoBench.SlabProtobuf.WidePart.Rent();
            switch (random.Next(6))
            {
                case 0:
                    message.ParseAlias(bytes);
                    break;
                case 1:
                    message.Parse(Segments.Cut(bytes, bytes.Length / 3));
                    break;
                case 2:
                    message.Parse(new BufferedStream(new MemoryStream(bytes)));
                    break;
                case 3:
                    message.Value.SetId(source.Id);
                    message.Value.SetName(source.Name);
                    break;
                default:
                    message.Parse(bytes);
                    break;
            }

            Assert.True(source.Name == message.Value.Name.ToString(), $"seed {seed}, step {i}");
            Assert.True(bytes.AsSpan().SequenceEqual(message.ToByteArray()), $"seed {seed}, step {i}");
        }
    }

    [Fact]
    public void Varints_of_every_length_are_those_of_Google()
    {
        for (var bits = 0; bits <= 64; bits++)
        {
            var limit = bits == 64 ? ulong.MaxValue : 1UL << bits;
            foreach (var value in (ulong[])[limit, limit - 1, limit / 3 * 2])
            {
                var google = new Gpb.Wide20 { F3 = value, F16 = (uint)value, F19 = (int)value };
                using var message = ProtoBench.SlabProtobuf.Wide20.Rent();
                message.Value.SetF3(value);
                message.Value.SetF16((uint)value);
                message.Value.SetF19((int)value);
                Assert.Equal(google.ToByteArray(), message.ToByteArray());
                var output = new ArrayBufferWriter<byte>(200);
                message.WriteTo(output);
                Assert.Equal(google.ToByteArray(), output.WrittenSpan);
            }
        }
    }
}

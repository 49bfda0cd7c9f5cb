using System.Buffers;
using System.Runtime.InteropServices;
using Google.Protobuf;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>Not samples but all of them: every split, every truncation, every flipped bit.</summary>
public class EveryPlaceTests
{
    static readonly byte[] hive = Samples.Hive(9);

    /// <summary>A message of each type, with as much in it as the generator finds in a hundred tries.</summary>
    public static TheoryData<int> Types => new(Enumerable.Range(0, Subject.All.Count));

    [Fact]
    public void A_hive_split_in_two_anywhere_is_the_same_hive()
    {
        var subject = Subject.Of<ForwardRequest>();
        for (var at = 0; at <= hive.Length; at += at is > 1_000 and < 33_000 ? 97 : 1)
            subject.CompareSegments(hive, Segments.Cut(hive, at));
    }

    [Theory]
    [MemberData(nameof(Types))]
    public void A_message_split_anywhere_is_the_same_message(int type)
    {
        var (subject, wire) = Sample(type);
        for (var at = 0; at <= wire.Length; at++)
        {
            subject.CompareSegments(wire, Segments.Cut(wire, at));
            subject.CompareSegments(wire, Segments.Cut(wire, at, at, Math.Min(at + 3, wire.Length)));
        }
    }

    [Theory]
    [MemberData(nameof(Types))]
    public void A_message_in_segments_of_one_byte_is_the_same_message(int type)
    {
        var (subject, wire) = Sample(type);
        subject.CompareSegments(wire, Segments.Cut(wire, Enumerable.Range(1, Math.Max(0, wire.Length - 1))));
    }

    [Fact]
    public void A_hive_that_ends_early_is_judged_as_Google_judges_it()
    {
        for (var end = 0; end < hive.Length; end += end is > 1_000 and < 33_000 ? 97 : 1) Subject.Of<ForwardRequest>().Compare(hive[..end]);
    }

    [Theory]
    [MemberData(nameof(Types))]
    public void A_message_that_ends_early_is_judged_as_Google_judges_it_in_any_segments(int type)
    {
        var (subject, wire) = Sample(type);
        for (var end = 0; end < wire.Length; end++)
        {
            var part = wire[..end];
            subject.Compare(part);
            subject.CompareSegments(part, Segments.Cut(part, end / 2));
        }
    }

    [Theory]
    [MemberData(nameof(Types))]
    public void A_message_with_any_bit_flipped_is_judged_as_Google_judges_it(int type)
    {
        var (subject, wire) = Sample(type);
        for (var bit = 0; bit < 8 * wire.Length; bit++)
        {
            wire[bit / 8] ^= (byte)(1 << (bit % 8));
            subject.Compare(wire);
            wire[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }

    [Fact]
    public void A_message_of_any_size_is_written_as_Google_writes_it_into_room_of_exactly_that_size()
    {
        for (var length = 0; length < 400; length++)
        {
            var google = new Gpb.ColorGroup { Id = length, Name = new string('n', length), Colors = { "red", new string('c', length % 70) } };
            var expected = google.ToByteArray();
            using var message = ColorGroup.Rent();
            message.Parse(expected);
            Assert.Equal(expected, message.ToByteArray());
            var room = new byte[expected.Length];
            Assert.Equal(room.Length, message.WriteTo(room));
            Assert.Equal(expected, room);
            using var copy = ColorGroup.Rent();
            copy.Value.CopyFrom(message.Value);
            Assert.Equal(expected, copy.ToByteArray());
        }
    }

    [Fact]
    public void Aliased_leaves_are_the_callers_bytes_and_the_one_that_straddles_is_copied_and_counted()
    {
        var wire = new Gpb.ForwardPerItemRequest { ItemId = "12345", ItemContext = ByteString.CopyFromUtf8("context") }.ToByteArray();
        for (var at = 0; at <= wire.Length; at++)
        {
            var segments = Segments.Cut(wire, at);
            using var message = ForwardPerItemRequest.Rent();
            var item = message.ParseAlias(segments);
            var (id, context) = (IsIn(segments, item.ItemId.Memory), IsIn(segments, item.ItemContext.Memory));
            Assert.Equal((at is <= 2 or >= 7, at is <= 9 or >= 16), (id, context));
            Assert.Equal((id ? 0 : 1) + (context ? 0 : 1), message.CopiedFieldCount);
        }
    }

    static bool IsIn(ReadOnlySequence<byte> segments, ReadOnlyMemory<byte> leaf)
    {
        foreach (var segment in segments)
        {
            if (MemoryMarshal.TryGetArray(segment, out var one) && MemoryMarshal.TryGetArray(leaf, out var other)
                && one.Array == other.Array) return true;
        }

        return false;
    }

    static (Subject Subject, byte[] Wire) Sample(int type)
    {
        var subject = Subject.All[type];
        var generator = new WireGenerator(new Random(type));
        var samples = Enumerable.Range(0, 100).Select(_ => generator.Message(subject.Descriptor, 0));
        return (subject, samples.Where(wire => wire.Length < 400).MaxBy(wire => wire.Length)!);
    }
}

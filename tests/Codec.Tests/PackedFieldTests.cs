using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Google.Protobuf;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>Repeated numbers of each kind, at every length around the borders of vectors and of segments: what is read, refused and
/// written is what Google's class reads and writes, and what a decoder says that looks at one byte after the other.</summary>
public sealed class PackedFieldTests
{
    const int lastKind = 14;

    // How the bytes of a list are chosen.
    static readonly string[] shapes = ["small", "any", "long", "padded", "few small"];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Each_length_is_read_and_written_as_by_Google(int kind)
    {
        var random = new Random(kind);
        foreach (var shape in shapes)
        {
            for (var count = 0; count <= 200; count += count < 70 ? 1 : 13)
            {
                var wire = Field(kind, Body(kind, count, shape, random));
                Check(wire, $"kind {kind}, {count} elements, {shape}");
            }
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Each_cut_of_the_input_gives_the_same(int kind)
    {
        var random = new Random(kind);
        foreach (var shape in shapes)
        {
            foreach (var count in new[] { 1, 3, 15, 16, 17, 31, 32, 33, 64, 70 })
            {
                var wire = Field(kind, Body(kind, count, shape, random));
                var expected = Gpb.PackedNumbers.Parser.ParseFrom(wire).ToByteArray();
                using var message = PackedNumbers.Rent();
                for (var cut = 1; cut < wire.Length; cut++)
                {
                    var second = Math.Min(wire.Length, cut + random.Next(1, 20));
                    var segments = Segments.Cut(wire, cut, second);
                    var place = $"kind {kind}, {count} elements, {shape}, cut at {cut} and {second}";
                    message.Parse(segments);
                    Equal(expected, message.ToByteArray(), place);
                    message.ParseAlias(segments);
                    Equal(expected, message.ToByteArray(), place + ", aliased");
                }

                for (var size = 1; size < 4; size++)
                {
                    message.ParseAlias(Segments.Every(wire, size));
                    Equal(expected, message.ToByteArray(), $"kind {kind}, {count} elements, {shape}, segments of {size}");
                }
            }
        }
    }

    /// <summary>Every prefix of a list, as a list of its own; with a varint of eleven bytes at each place; and with a tenth byte of any
    /// value. The decision, the reason and the place are those of a decoder that reads byte by byte.</summary>
    [Theory]
    [MemberData(nameof(Kinds))]
    public void Damaged_lists_are_refused_where_they_are_damaged(int kind)
    {
        var random = new Random(kind);
        foreach (var shape in shapes)
        {
            var body = Body(kind, 40, shape, random);
            for (var length = 0; length <= Math.Min(body.Length, 170); length++)
            {
                CheckDecision(kind, body[..length]);
                if (IsFixed(kind)) continue;
                byte[] tooLong = [.. Enumerable.Repeat((byte)0x80, 10), 1];
                CheckDecision(kind, [.. body[..length], .. tooLong, .. body]);
                CheckDecision(kind, [.. body[..length], .. tooLong]);
                for (var last = 0; last < 4; last++)
                {
                    byte[] ten = [.. Enumerable.Repeat((byte)0xFF, 9), (byte)random.Next(0x80)];
                    CheckDecision(kind, [.. body[..length], .. ten, .. body]);
                }

                CheckDecision(kind, [.. body[..length], .. Enumerable.Repeat((byte)0xFF, length % 90), 1]);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Random_bytes_are_decided_as_byte_by_byte(int kind)
    {
        for (var seed = 1; seed <= 3_000; seed++)
        {
            var random = new Random(seed);
            var body = new byte[random.Next(300)];
            random.NextBytes(body);
            var share = random.Next(1, 255);
            for (var i = 0; i < body.Length; i++) body[i] = random.Next(256) < share ? (byte)(body[i] | 0x80) : (byte)(body[i] & 0x7F);
            if (body.Length > 0 && random.Next(4) != 0) body[^1] &= 0x7F;
            CheckDecision(kind, body, $", seed {seed}");
        }
    }

    [Fact]
    public void Nothing_outside_of_the_input_and_of_the_output_is_touched()
    {
        Assert.SkipUnless(GuardedMemory.IsSupported, "needs mmap");
        using IMemoryOwner<byte> owner = new GuardedMemory(4096);
        var guarded = (GuardedMemory)owner;
        for (var kind = 1; kind <= lastKind; kind++)
        {
            var random = new Random(kind);
            foreach (var shape in shapes)
            {
                for (var count = 0; count <= 140; count++)
                {
                    var wire = Field(kind, Body(kind, count, shape, random));
                    var expected = Gpb.PackedNumbers.Parser.ParseFrom(wire).ToByteArray();
                    var place = $"kind {kind}, {count} elements, {shape}";
                    using var message = PackedNumbers.Rent();
                    foreach (var input in new[] { guarded.AtEnd(wire), guarded.AtStart(wire) })
                    {
                        message.Parse(input.Span);
                        Equal(expected, message.ToByteArray(), place);
                        message.ParseAlias(input);
                        Equal(expected, message.ToByteArray(), place);
                    }

                    message.Parse(wire);
                    var output = guarded.Last(expected.Length);
                    Assert.Equal(expected.Length, message.WriteTo(output));
                    Equal(expected, output, place);
                    if (!IsFixed(kind) && wire.Length > 4)
                    {
                        // without its last byte, and with one that never ends
                        Assert.Throws<WireFormatException>(() => message.Parse(guarded.AtEnd(wire.AsSpan(..^1)).Span));
                        wire[^1] |= 0x80;
                        Assert.Throws<WireFormatException>(() => message.Parse(guarded.AtEnd(wire).Span));
                    }
                }
            }
        }
    }

    [Fact]
    public void Fields_that_come_in_pieces_and_in_both_forms_are_joined()
    {
        for (var seed = 1; seed <= 3_000; seed++)
        {
            var random = new Random(seed);
            var wire = new List<byte>();
            for (var piece = random.Next(1, 6); piece > 0; piece--)
            {
                var kind = random.Next(1, lastKind + 1);
                var body = Body(kind, random.Next(20), shapes[random.Next(shapes.Length)], random);
                if (random.Next(2) == 0) wire.AddRange(Field(kind, body));
                else wire.AddRange(Unpacked(kind, body));
            }

            Check([.. wire], $"seed {seed}");
        }
    }

    [Fact]
    public void An_aliased_list_is_the_input_until_it_is_changed()
    {
        var google = new Gpb.PackedNumbers { Floats = { 1, 2, 3, 4 }, Fixed64S = { 5, 6, 7 } };
        var wire = google.ToByteArray();
        using var message = PackedNumbers.Rent();
        var numbers = message.ParseAlias(wire);
        Assert.True(wire.AsSpan().Overlaps(MemoryMarshal.AsBytes(numbers.Floats)));
        Assert.True(wire.AsSpan().Overlaps(MemoryMarshal.AsBytes(numbers.Fixed64S)));

        var before = (byte[])wire.Clone();
        numbers.SetFloats(1, 20);
        numbers.AddFixed64S(8);
        numbers.AddFloats(5);
        numbers.AddFloats([6, 7]);
        numbers.RemoveFixed64SAt(0);
        google.Floats[1] = 20;
        google.Floats.AddRange([5, 6, 7]);
        google.Fixed64S.Add(8);
        google.Fixed64S.RemoveAt(0);
        Assert.Equal(before, wire);
        Assert.False(wire.AsSpan().Overlaps(MemoryMarshal.AsBytes(numbers.Floats)));
        CheckContent(google, numbers, "changed");
        Assert.Equal(google.ToByteArray(), message.ToByteArray());
        Assert.Throws<ArgumentOutOfRangeException>(() => message.Value.SetFloats(7, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => message.ParseAlias(before).SetFloats(4, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => message.ParseAlias(before).RemoveFloatsAt(-1));
    }

    [Fact]
    public void An_aliased_list_goes_on_in_each_way_of_adding()
    {
        for (var count = 1; count < 20; count++)
        {
            var google = new Gpb.PackedNumbers();
            for (var i = 0; i < count; i++) google.Doubles.Add(i + 0.5);
            var wire = google.ToByteArray();
            using var message = PackedNumbers.Rent();
            var numbers = message.ParseAlias(wire);
            numbers.MergeFrom(wire);
            google.MergeFrom(wire);
            numbers.MergeFrom(numbers);
            google.MergeFrom(google.Clone());
            CheckContent(google, numbers, "merged");
            message.MergeFrom(wire);
            google.MergeFrom(wire);
            numbers = message.Value;
            numbers.AddDoubles(numbers.Doubles);
            google.Doubles.AddRange(google.Doubles.ToArray());
            CheckContent(google, numbers, "added");

            using var second = PackedNumbers.Rent();
            second.CopyFrom(message);
            CheckContent(google, second.Value, "copied");
            Assert.Equal(second.Value, numbers);
            Assert.Equal(second.Value.GetHashCode(), numbers.GetHashCode());
            var aliased = google.ToByteArray();
            second.ParseAlias(aliased);
            Assert.Equal(second.Value, numbers);
            Assert.Equal(second.Value.GetHashCode(), numbers.GetHashCode());
            Assert.Equal(second.Value.ToString(), numbers.ToString());
            second.Value.SetDoubles(0, -1);
            Assert.NotEqual(second.Value, numbers);
        }
    }

    [Fact]
    public void A_view_that_is_used_later_is_refused()
    {
        var wire = new Gpb.PackedNumbers { Floats = { 1, 2, 3, 4 } }.ToByteArray();
        var message = PackedNumbers.Rent();
        var numbers = message.ParseAlias(wire);
        message.ParseAlias(wire);
        Assert.Throws<ObjectDisposedException>(() => numbers.Floats.Length);
        Assert.Throws<ObjectDisposedException>(() => numbers.AddFloats(1));
        numbers = message.Value;
        message.Dispose();
        Assert.Throws<ObjectDisposedException>(() => numbers.Floats.Length);
    }

    /// <summary>The memory of an aliased list may be anybody's code, and be looked at whenever the list is.</summary>
    [Fact]
    public void Memory_that_releases_the_message_while_its_list_is_looked_at()
    {
        var wire = new Gpb.PackedNumbers { Floats = { 1, 2, 3, 4 }, Int32S = { 1, 2, 3 } }.ToByteArray();
        var other = new Gpb.PackedNumbers { Floats = { 9, 9, 9, 9, 9, 9, 9, 9 } }.ToByteArray();
        Action<Message<PackedNumbers>>[] uses =
        [
            message => _ = message.Value.Floats.Length, message => message.Value.AddFloats(1), message => message.Value.SetFloats(0, 1),
            message => message.Value.RemoveFloatsAt(0), message => message.ToByteArray(), message => message.Value.GetHashCode(),
            message => message.MergeFrom(wire), message => message.Value.MergeFrom(wire), message => _ = message.Value.ToString(),
            message => message.Value.AddFloats([1, 2]), message => message.WriteTo(new WindowWriter(7)),
        ];
        foreach (var use in uses)
        {
            var isArmed = false;
            var message = PackedNumbers.Rent();
            var victim = default(Message<PackedNumbers>);
            var memory = new MemoryWithCode(wire, () =>
            {
                if (!isArmed) return;
                isArmed = false;
                message.Dispose();
                victim = PackedNumbers.Rent();
                victim.Parse(other);
            });
            message.ParseAlias(memory.Memory);
            isArmed = true;
            Assert.Throws<ObjectDisposedException>(() => use(message));
            Assert.False(isArmed);
            Assert.Equal(other, victim.ToByteArray());
            victim.Dispose();
        }
    }

    [Fact]
    public void Large_lists_and_their_memory()
    {
        var random = new Random(1);
        foreach (var kind in new[] { 1, 2, 7, 8, 11, 13 })
        {
            foreach (var shape in shapes)
            {
                var body = Body(kind, 30_000, shape, random);
                var wire = Field(kind, body);
                var expected = Gpb.PackedNumbers.Parser.ParseFrom(wire).ToByteArray();
                using var message = PackedNumbers.Rent();
                message.Parse(wire);
                Equal(expected, message.ToByteArray(), $"kind {kind}, {shape}");
                message.ParseAlias(Segments.Every(wire, 4_099));
                Equal(expected, message.ToByteArray(), $"kind {kind}, {shape}");

                Assert.Equal(0, AllocatedBytes.Of(() => message.Parse(wire)));
            }
        }
    }

    /// <summary>The input of a message without text is not kept. Its large lists are copied as bytes, and are still the message's
    /// own.</summary>
    [Fact]
    public void Large_lists_of_a_message_without_text_are_its_own()
    {
        var google = new Gpb.PackedNumbers();
        for (var i = 0; i < 10_000; i++)
        {
            google.Doubles.Add(i + 0.5);
            google.Floats.Add(-i);
            google.Fixed32S.Add((uint)i);
        }

        var wire = google.ToByteArray();
        var input = (byte[])wire.Clone();
        using var message = PackedNumbers.Rent();
        var numbers = message.Parse(input);
        input.AsSpan().Fill(0xFF);
        CheckContent(google, numbers, "parsed");
        Assert.Throws<ArgumentException>(() => message.Parse(MemoryMarshal.AsBytes(message.Value.Floats)));
        CheckContent(google, numbers, "after it was refused as its own input");

        numbers.SetFloats(1, 20);
        numbers.AddDoubles(8);
        numbers.RemoveFixed32SAt(0);
        google.Floats[1] = 20;
        google.Doubles.Add(8);
        google.Fixed32S.RemoveAt(0);
        CheckContent(google, numbers, "changed");
        numbers.MergeFrom(wire);
        google.MergeFrom(wire);
        CheckContent(google, numbers, "merged");

        message.Parse(wire);
        google = Gpb.PackedNumbers.Parser.ParseFrom(wire);
        message.MergeFrom(wire);
        google.MergeFrom(wire);
        Equal(google.ToByteArray(), message.ToByteArray(), "parsed and merged");
        numbers = message.Value;
        message.Parse(new Gpb.PackedNumbers { Floats = { 1 } }.ToByteArray());
        Assert.Throws<ObjectDisposedException>(() => numbers.Doubles.Length);
        Assert.Equal([1f], message.Value.Floats);
    }

    public static IEnumerable<TheoryDataRow<int>> Kinds() => Enumerable.Range(1, lastKind).Select(kind => new TheoryDataRow<int>(kind));

    /// <summary>Lists of each kind and shape, each as a message.</summary>
    internal static IEnumerable<byte[]> Lists(int count)
    {
        for (var kind = 1; kind <= lastKind; kind++)
        {
            var random = new Random(kind);
            foreach (var shape in shapes) yield return Field(kind, Body(kind, count, shape, random));
        }
    }

    static bool IsFixed(int kind) => kind <= 6;

    static int FixedSize(int kind) => kind is 1 or 4 or 6 ? 8 : 4;

    static byte[] Body(int kind, int count, string shape, Random random)
    {
        var bytes = new List<byte>();
        for (var i = 0; i < count; i++)
        {
            if (IsFixed(kind))
            {
                var value = new byte[FixedSize(kind)];
                random.NextBytes(value);
                bytes.AddRange(value);
                continue;
            }

            var bits = shape switch { "small" => 7, "any" or "padded" => random.Next(1, 65), "long" => 64, _ => random.Next(20) == 0 ? 64 : 7 };
            var number = bits == 64 ? (ulong)random.NextInt64(long.MinValue, long.MaxValue)
                : (ulong)random.NextInt64(1L << Math.Min(bits, 62));
            if (kind == 7 && shape != "padded") number &= 1;
            var length = 0;
            for (; number >= 0x80; number >>= 7, length++) bytes.Add((byte)(number | 0x80));
            if (shape == "padded" && length < 9 && random.Next(3) == 0)
            {
                bytes.Add((byte)(number | 0x80));
                for (var left = random.Next(9 - length); left > 0; left--) bytes.Add(0x80);
                bytes.Add(0);
            }
            else
            {
                bytes.Add((byte)number);
            }
        }

        return [.. bytes];
    }

    static byte[] Field(int kind, byte[] body) => [(byte)((kind << 3) | 2), .. Varint((ulong)body.Length), .. body];

    static byte[] Unpacked(int kind, byte[] body)
    {
        var bytes = new List<byte>();
        for (var at = 0; at < body.Length;)
        {
            var size = FixedSize(kind);
            if (!IsFixed(kind)) size = body.AsSpan(at).IndexOfAnyInRange((byte)0, (byte)0x7F) + 1;
            bytes.Add((byte)((kind << 3) | (!IsFixed(kind) ? 0 : size == 8 ? 1 : 5)));
            bytes.AddRange(body.AsSpan(at, size));
            at += size;
        }

        return [.. bytes];
    }

    static byte[] Varint(ulong value)
    {
        var bytes = new List<byte>();
        for (; value >= 0x80; value >>= 7) bytes.Add((byte)(value | 0x80));
        return [.. bytes, (byte)value];
    }

    static void Check(byte[] wire, string place)
    {
        var google = Gpb.PackedNumbers.Parser.ParseFrom(wire);
        using var message = PackedNumbers.Rent();
        foreach (var read in Forms())
        {
            read(message, wire);
            CheckContent(google, message.Value, place);
            Equal(google.ToByteArray(), message.ToByteArray(), place);
            Assert.Equal(google.CalculateSize(), message.CalculateSize());
        }

        // twice, which continues the lists
        google.MergeFrom(wire);
        message.MergeFrom(wire);
        CheckContent(google, message.Value, place + ", merged");
        message.Parse(wire).MergeFrom(new ReadOnlySequence<byte>(wire));
        CheckContent(google, message.Value, place + ", merged into the view");
        message.ParseAlias(wire);
        message.MergeFrom(Segments.Every(wire, 5));
        Equal(google.ToByteArray(), message.ToByteArray(), place + ", merged from segments");

        // beside text, which is kept, and as the part of another message
        byte[] series = [0x0A, 1, (byte)'n', 0x12, .. Varint((ulong)wire.Length), .. wire];
        var googles = Gpb.PackedSeries.Parser.ParseFrom(series);
        using var kept = PackedSeries.Rent();
        foreach (var part in new[] { kept.Parse(series), kept.Parse(Segments.Every(series, 7)) })
            Equal(googles.ToByteArray(), kept.ToByteArray(), place + ", as a part");
        CheckContent(googles.Numbers, kept.ParseAlias(series).Numbers, place + ", as a part, aliased");
        Equal(googles.ToByteArray(), kept.ToByteArray(), place + ", as a part, aliased");
        CheckContent(googles.Numbers, kept.Parse(series).Numbers, place + ", as a part");

        // and into the message that is written unpacked
        var unpacked = Gpb.UnpackedNumbers.Parser.ParseFrom(wire);
        using var second = UnpackedNumbers.Rent();
        second.Parse(wire);
        Equal(unpacked.ToByteArray(), second.ToByteArray(), place + ", unpacked");
        second.ParseAlias(wire);
        Equal(unpacked.ToByteArray(), second.ToByteArray(), place + ", unpacked");
        var writer = new WindowWriter(1_000);
        second.WriteTo(writer);
        Equal(unpacked.ToByteArray(), writer.Written, place + ", unpacked");
        message.ParseAlias(unpacked.ToByteArray());
        google = Gpb.PackedNumbers.Parser.ParseFrom(wire);
        Equal(google.ToByteArray(), message.ToByteArray(), place + ", packed again");
    }

    static IEnumerable<Action<Message<PackedNumbers>, byte[]>> Forms() =>
    [
        (message, wire) => message.Parse(wire.AsSpan()),
        (message, wire) => message.ParseAlias(wire),
        (message, wire) => message.Parse(Segments.Every(wire, 11)),
        (message, wire) => message.ParseAlias(Segments.Every(wire, 11)),
        (message, wire) => message.Parse(new BufferedStream(new MemoryStream(wire))),
        (message, wire) => message.ParseAlias(new MemoryWithCode(wire, static () => { }).Memory),
        (message, wire) => { message.Clear(); message.MergeFrom(wire); },
        (message, wire) => { message.Clear(); message.Value.MergeFrom(wire); },
        (message, wire) => { message.Clear(); message.MergeFrom(Segments.Every(wire, 11)); },
        (message, wire) =>
        {
            using var other = PackedNumbers.Rent();
            other.ParseAlias(wire);
            message.CopyFrom(other);
        },
    ];

    static void CheckContent(Gpb.PackedNumbers google, PackedNumbers numbers, string place)
    {
        Equal<double>([.. google.Doubles], numbers.Doubles, place);
        Equal<float>([.. google.Floats], numbers.Floats, place);
        Equal<uint>([.. google.Fixed32S], numbers.Fixed32S, place);
        Equal<ulong>([.. google.Fixed64S], numbers.Fixed64S, place);
        Equal<int>([.. google.Sfixed32S], numbers.Sfixed32S, place);
        Equal<long>([.. google.Sfixed64S], numbers.Sfixed64S, place);
        Equal<bool>([.. google.Bools], numbers.Bools, place);
        Equal<int>([.. google.Int32S], numbers.Int32S, place);
        Equal<long>([.. google.Int64S], numbers.Int64S, place);
        Equal<uint>([.. google.Uint32S], numbers.Uint32S, place);
        Equal<ulong>([.. google.Uint64S], numbers.Uint64S, place);
        Equal<int>([.. google.Sint32S], numbers.Sint32S, place);
        Equal<long>([.. google.Sint64S], numbers.Sint64S, place);
        Equal<int>([.. google.Kinds.Select(kind => (int)kind)],
            MemoryMarshal.Cast<PackedKind, int>(numbers.Kinds), place);
    }

    /// <summary>By their bytes: a float that is no number too.</summary>
    static void Equal<T>(ReadOnlySpan<T> expected, ReadOnlySpan<T> actual, string place)
        where T : unmanaged
    {
        var one = MemoryMarshal.AsBytes(expected);
        var other = MemoryMarshal.AsBytes(actual);
        if (!one.SequenceEqual(other)) Assert.Fail($"{place}: {Convert.ToHexString(one)}, then {Convert.ToHexString(other)}");
    }

    static void Equal(byte[] expected, ReadOnlySpan<byte> actual, string place) => Equal<byte>(expected, actual, place);

    static void CheckDecision(int kind, byte[] body, string seed = "")
    {
        byte[] wire = [.. Field(kind, body), 0xA0, 0x06, 1];
        var expected = Decide(kind, body, wire.Length - body.Length - 3);
        foreach (var (form, segments) in new[] { ("in one piece", 0), ("in segments", 9), ("aliased", 1 << 20), ("aliased in segments", -13) })
        {
            string actual;
            using var message = PackedNumbers.Rent();
            try
            {
                if (segments == 0) message.Parse(wire.AsSpan());
                else if (segments > wire.Length) message.ParseAlias(wire);
                else if (segments > 0) message.Parse(Segments.Every(wire, segments));
                else message.ParseAlias(Segments.Every(wire, -segments));
                actual = Text(kind, message.Value);
            }
            catch (WireFormatException e)
            {
                actual = $"{e.Reason} at {e.Offset}";
                Assert.Empty(message.ToByteArray());
            }

            if (expected != actual)
                Assert.Fail($"kind {kind}, {form}{seed}, {Convert.ToHexString(wire)}: expected {expected}, but {actual}");
        }
    }

    /// <summary>What a list holds, or why and where it is refused: one byte after the other.</summary>
    static string Decide(int kind, byte[] body, int start)
    {
        var values = new List<string>();
        for (var at = 0; at < body.Length;)
        {
            if (IsFixed(kind))
            {
                if (at + FixedSize(kind) > body.Length) return $"Truncated at {start + body.Length}";
                values.Add(FixedSize(kind) == 4 ? Number(BinaryPrimitives.ReadUInt32LittleEndian(body.AsSpan(at)))
                    : Number(BinaryPrimitives.ReadUInt64LittleEndian(body.AsSpan(at))));
                at += FixedSize(kind);
                continue;
            }

            var from = at;
            var value = 0ul;
            for (var shift = 0; ; shift += 7)
            {
                if (shift == 70) return $"VarintTooLong at {start + from}";
                if (at == body.Length) return $"Truncated at {start + at}";
                value |= (ulong)(body[at] & 0x7F) << shift;
                if (body[at++] < 0x80) break;
            }

            values.Add(Number(kind switch
            {
                7 => value != 0 ? 1ul : 0,
                8 or 14 => (uint)value,
                10 => (uint)value,
                12 => (uint)((int)((uint)value >> 1) ^ -(int)(value & 1)),
                13 => (ulong)((long)(value >> 1) ^ -(long)(value & 1)),
                _ => value,
            }));
        }

        return string.Join(' ', values);
    }

    static string Number(ulong value) => value.ToString("X");

    static string Text(int kind, PackedNumbers numbers) => string.Join(' ', (kind switch
    {
        1 => numbers.Doubles.ToArray().Select(value => BitConverter.DoubleToUInt64Bits(value)),
        2 => numbers.Floats.ToArray().Select(value => (ulong)BitConverter.SingleToUInt32Bits(value)),
        3 => numbers.Fixed32S.ToArray().Select(value => (ulong)value),
        4 => numbers.Fixed64S.ToArray(),
        5 => numbers.Sfixed32S.ToArray().Select(value => (ulong)(uint)value),
        6 => numbers.Sfixed64S.ToArray().Select(value => (ulong)value),
        7 => numbers.Bools.ToArray().Select(value => value ? 1ul : 0),
        8 => numbers.Int32S.ToArray().Select(value => (ulong)(uint)value),
        9 => numbers.Int64S.ToArray().Select(value => (ulong)value),
        10 => numbers.Uint32S.ToArray().Select(value => (ulong)value),
        11 => numbers.Uint64S.ToArray(),
        12 => numbers.Sint32S.ToArray().Select(value => (ulong)(uint)value),
        13 => numbers.Sint64S.ToArray().Select(value => (ulong)value),
        _ => numbers.Kinds.ToArray().Select(value => (ulong)(uint)value),
    }).Select(Number));
}

using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>As in one piece, for every construct: the bytes that are written again, or the reason and the place of the refusal.</summary>
public class SegmentTests
{
    const int cases = 20_000;

    [Theory]
    [InlineData("proto2")]
    [InlineData("proto3")]
    [InlineData(AllTypes.Editions)]
    public void Every_case_of_the_wire_format(string syntax)
    {
        foreach (var wire in Pieces())
        {
            foreach (var size in new[] { 1, 2, 3, 7 }) Compare(syntax, wire, size);
        }
    }

    [Theory]
    [InlineData("CA04060A026B351012")]
    [InlineData("CA0402100C")]
    [InlineData("CA04060A016B104D CA04060A016C1001 CA04060A016D104E")]
    public void An_unknown_value_of_a_closed_enum_in_a_map(string hex)
    {
        // the inputs of the report have the map at number 73; here it is the one of text to the enum
        var entry = Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal).Replace("CA04", "", StringComparison.Ordinal));
        var wire = new List<byte>();
        for (var at = 0; at < entry.Length; at += entry[at] + 1)
            wire.AddRange([.. Wire.Tag(AllTypes.ByString + Kind, 2), .. entry.AsSpan(at, Math.Min(entry[at] + 1, entry.Length - at))]);
        for (var size = 1; size <= wire.Count; size++) Compare("proto2", [.. wire], size);
    }

    [Theory]
    [InlineData("0A04 0801 104D")]
    [InlineData("0A04 0801 104D 0A04 0801 1001 0A04 104E 0802")]
    [InlineData("8A808000 04 0801 104D 0A04 0801 1001")]
    [InlineData("1A0A 0A04 0801 104D 0A02 0805")]
    public void The_same_in_a_message_without_text_that_does_not_keep_its_input(string hex)
    {
        var wire = Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));
        Assert.Equal(wire.Length, AllTypesAssembly.Of(AllTypesAssembly.Numbers).Slab.Rewrite(wire).Length);
        for (var size = 1; size <= wire.Length; size++) Compare(AllTypesAssembly.Numbers, wire, size);
    }

    /// <summary>Cases of the wire format in any number and order, some of them damaged, cut anywhere; some in memory that runs code, or in
    /// a sequence that says a wrong length. PROTOBENCH_FUZZ_SEED=n begins at another seed.</summary>
    [Theory]
    [InlineData("proto2")]
    [InlineData("proto3")]
    [InlineData(AllTypes.Editions)]
    [InlineData(AllTypesAssembly.Numbers)]
    public void Any_input_cut_anywhere(string schema)
    {
        var pieces = (schema == AllTypesAssembly.Numbers ? NumberPieces() : Pieces()).ToList();
        var first = int.TryParse(Environment.GetEnvironmentVariable("PROTOBENCH_FUZZ_SEED"), out var given) ? given : 1;
        for (var seed = first; seed < first + cases; seed++)
        {
            var random = new Random(seed);
            var wire = Wire.Join(Enumerable.Range(0, random.Next(1, 5)).Select(_ => pieces[random.Next(pieces.Count)]));
            if (random.Next(4) == 0) wire[random.Next(wire.Length)] = (byte)random.Next(256);
            var cuts = Enumerable.Range(0, random.Next(1, 9)).Select(_ => random.Next(wire.Length + 1)).Order();
            Compare(schema, wire, Segments.Cut(wire, cuts), $"PROTOBENCH_FUZZ_SEED={seed}");
            if (seed % 8 != 0) continue;
            var parts = wire.Chunk(random.Next(1, wire.Length + 1)).ToList();
            var (look, isAliased) = (random.Next(4 * parts.Count), random.Next(2) == 0);
            var lie = random.Next(4) == 0 ? random.Next(1, 5_000) : 0;
            var failure = Record.Exception(() => AllTypesAssembly.Of(schema).Slab.Attack(parts, look, lie, isAliased));
            Assert.True(failure is null, $"PROTOBENCH_FUZZ_SEED={seed}: {failure}");
        }
    }

    static int Kind => AllTypes.Scalars.ToList().FindIndex(type => type.Name == "Kind");

    static IEnumerable<byte[]> Pieces() =>
        new[] { WireCases.Values(), WireCases.Lists(), WireCases.WrongWireTypes(), WireCases.Merging(), WireCases.Maps(),
            WireCases.Malformed(), WireCases.UnknownFields(), WireCases.Groups(), UnknownValues() }
            .SelectMany(group => group).Where(wire => wire.Length > 0);

    static IEnumerable<byte[]> UnknownValues()
    {
        foreach (var number in new[] { AllTypes.Singular, AllTypes.Repeated, AllTypes.Unpacked, AllTypes.Oneof })
            yield return Wire.Field(number + Kind, 0, 77);
        yield return Wire.Delimited(AllTypes.Packed + Kind, [1, 77, 2, 0xFF, 0x7F]);
        foreach (var key in new[] { "", "k", "a key of more than a few bytes" })
        {
            var (text, value) = (Wire.Delimited(1, [.. key.Select(c => (byte)c)]), Wire.Field(2, 0, 77));
            yield return Wire.Delimited(AllTypes.ByString + Kind, text, value);
            yield return Wire.Delimited(AllTypes.ByString + Kind, value, text, Wire.Any(AllTypes.Unknown, 3));
            yield return Wire.Delimited(AllTypes.Self, Wire.Delimited(AllTypes.ByString + Kind, text, value),
                Wire.Delimited(AllTypes.Self));
        }
    }

    static IEnumerable<byte[]> NumberPieces()
    {
        byte[] key = Wire.Field(1, 0, 1), known = Wire.Field(2, 0, 1), unknown = Wire.Field(2, 0, 77);
        foreach (var entry in new[] { [], key, known, unknown, Wire.Join(key, known), Wire.Join(key, unknown), Wire.Join(unknown, key),
            Wire.Join(unknown, known), Wire.Join(key, Wire.Any(9, 3), unknown) })
        {
            yield return Wire.Delimited(1, entry);
            yield return Wire.Delimited(3, Wire.Delimited(1, entry), Wire.Delimited(3, Wire.Delimited(1, entry)));
        }

        yield return Wire.Delimited(2, [1, 77, 2, 0xFF, 0x7F]);
        foreach (var wireType in new[] { 0, 1, 2, 3, 5 }) yield return Wire.Any(AllTypes.Unknown, wireType);
    }

    static void Compare(string schema, byte[] wire, int size) =>
        Compare(schema, wire, Segments.Every(wire, size), $"segments of {size} bytes");

    static void Compare(string schema, byte[] wire, System.Buffers.ReadOnlySequence<byte> segments, string place)
    {
        var expected = Read(() => AllTypesAssembly.Of(schema).Slab.Rewrite(wire));
        foreach (var isAliased in new[] { false, true })
        {
            var actual = Read(() => AllTypesAssembly.Of(schema).Slab.Rewrite(segments, isAliased));
            Assert.True(expected == actual,
                $"{place}: {schema} {Convert.ToHexString(wire)} {(isAliased ? "aliased" : "copied")}: {expected}, then {actual}");
        }
    }

    static string Read(Func<byte[]> read)
    {
        try
        {
            return Convert.ToHexString(read());
        }
        catch (WireFormatException e)
        {
            return e.Message;
        }
    }
}

using ProtoBench.Libraries;
using ProtoBench.Payloads;

namespace ProtoBench.Tests;

public class GateTests
{
    static readonly HiveLibrary google = HiveLibraries.All[0];

    [Fact]
    public void All_libraries_of_this_build_pass() => Gate.Check(HiveLibraries.All);

    [Fact]
    public void A_wrong_byte_is_named_with_its_library_and_place()
    {
        var wrong = google with { Cell = "Wrong", Write = message => Flip(google.Write(message), 1_000) };
        var thrown = Assert.Throws<GateException>(() => Gate.Check([google, wrong]));
        Assert.StartsWith($"{wrong.PackageAndVersion} (Wrong), Request: byte 1000 written is 0x", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_message_that_lacks_a_leaf_is_named()
    {
        var blind = google with { Cell = "Blind", CensusOf = message => google.CensusOf(message) is { } census ? census with { LeafBytes = census.LeafBytes - 1 } : null };
        var thrown = Assert.Throws<GateException>(() => Gate.Check([google, blind]));
        Assert.Contains("(Blind), Request: read Census", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_library_that_throws_is_named()
    {
        var broken = google with { Cell = "Broken", ParseResponse = _ => throw new InvalidDataException("no such field") };
        var thrown = Assert.Throws<GateException>(() => Gate.Check([google, broken]));
        Assert.EndsWith("(Broken), Response: no such field", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_missing_end_is_told_by_the_lengths() => Assert.Equal("wrote 2 bytes, expected 3", Gate.FirstDifference([1, 2], [1, 2, 3]));

    [Fact]
    public void A_library_that_drops_unknown_fields_is_held_to_that()
    {
        var dropping = google with { Mixed = MixedOrder.KnownOnly };
        Assert.Contains("Mixed: ", Assert.Throws<GateException>(() => Gate.Check([dropping])).Message, StringComparison.Ordinal);
    }

    static byte[] Flip(byte[] bytes, int at)
    {
        bytes[at] ^= 1;
        return bytes;
    }
}

using ProtoBench.Payloads;

namespace ProtoBench.Tests;

public class ColorFormatsTests
{
    public static TheoryData<string> Names { get; } = [.. ColorFormats.All.Select(format => format.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void A_format_gives_back_what_it_was_given(string name)
    {
        var format = ColorFormats.All.Single(format => format.Name == name);
        ColorRow[] ones =
            [ColorRow.Reds, new(0, "", []), new(int.MinValue, "\u8d64\U0001f534\0", ["", new string('r', 300)]),
                new(-1, new string('\u20ac', 50), [.. Enumerable.Repeat("", 300)])];
        foreach (var row in ones)
            Assert.Equal([row], format.RowsOf(format.ReadOne(format.WriteOne(row))));
        foreach (var count in new[] { 0, 1, 100, 10_000 })
        {
            Assert.Equal(ColorRow.Many(count, ascii: true),
                format.RowsOf(format.ReadMany(format.WriteMany(ColorRow.Many(count, ascii: true)))));
            Assert.Equal(ColorRow.Many(count, ascii: false),
                format.RowsOf(format.ReadMany(format.WriteMany(ColorRow.Many(count, ascii: false)))));
        }
    }

    /// <summary>The published message; the bytes of Google's by hand from the wire format.</summary>
    [Fact]
    public void Google_s_bytes_are_the_protocol_s() => Assert.Equal(
        [0x08, 1, 0x12, 4, .. "Reds"u8, 0x1A, 7, .. "Crimson"u8, 0x1A, 3, .. "Red"u8, 0x1A, 4, .. "Ruby"u8, 0x1A, 6, .. "Maroon"u8],
        ColorFormats.Of("MarshalByGoogle").WriteOne(ColorRow.Reds));
}

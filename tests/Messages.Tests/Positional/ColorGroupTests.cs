using ProtoBench.Positional;

namespace ProtoBench.Messages.Tests.Positional;

public class ColorGroupTests
{
    static readonly byte[] reds = [1, 0, 0, 0, 4, .. "Reds"u8, 2, 3, .. "Red"u8, 4, .. "Ruby"u8];

    [Fact]
    public void The_bytes_are_the_format_s()
    {
        var group = new ColorGroup { Id = 1, Name = "Reds", Colors = { "Red", "Ruby" } };
        Assert.Equal(reds, group.ToArray());
        Assert.Equal("Reds: Red, Ruby", Text(ColorGroup.Parse(reds)));
    }

    [Fact]
    public void A_reused_object_holds_the_new_message_only()
    {
        var group = new ColorGroup { Id = 7, Name = "Old", Colors = { "a", "b", "c", "d" } };
        group.Read(reds);
        Assert.Equal("Reds: Red, Ruby", Text(group));
    }

    [Fact]
    public void Every_truncation_is_refused_with_its_place()
    {
        for (var length = 0; length < reds.Length; length++)
            Assert.StartsWith("at byte ", Assert.Throws<InvalidDataException>(() => ColorGroup.Parse(reds.AsSpan(0, length))).Message,
                StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(new byte[] { 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0 }, "a length of 4294967295")]
    [InlineData(new byte[] { 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0 }, "a length of 34359738367")]
    [InlineData(new byte[] { 0, 0, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0 }, "more than five bytes")]
    [InlineData(new byte[] { 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F }, "a length of 4294967295")]
    [InlineData(new byte[] { 0, 0, 0, 0, 1, 0xFF, 0 }, "not UTF-8")]
    [InlineData(new byte[] { 0, 0, 0, 0, 0, 0, 0 }, "1 bytes follow")]
    public void What_is_damaged_is_refused_with_the_reason(byte[] input, string reason) =>
        Assert.Contains(reason, Assert.Throws<InvalidDataException>(() => ColorGroup.Parse(input)).Message, StringComparison.Ordinal);

    /// <summary>A list that claims 2^31 groups in ten bytes allocates next to nothing.</summary>
    [Fact]
    public void Nothing_is_allocated_from_an_unchecked_length()
    {
        byte[] input = [0xFF, 0xFF, 0xFF, 0xFF, 0x07, 0, 0, 0, 0, 0];
        Assert.Throws<InvalidDataException>(() => ColorGroups.Parse(input));
        Assert.InRange(AllocatedBytes.Of(() => Assert.Throws<InvalidDataException>(() => ColorGroups.Parse(input))), 0, 20_000);
    }

    [Fact]
    public void Random_damage_is_read_or_refused_and_nothing_else()
    {
        const int seed = 8;
        var random = new Random(seed);
        for (var round = 0; round < 20_000; round++)
        {
            var damaged = (byte[])reds.Clone();
            for (var flips = random.Next(1, 4); flips > 0; flips--)
                damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            try
            {
                ColorGroup.Parse(damaged);
            }
            catch (InvalidDataException)
            {
                // refused, as it may be
            }
            catch (Exception e) when (e is not InvalidDataException)
            {
                Assert.Fail($"seed {seed}, round {round}: {e}");
            }
        }
    }

    static string Text(ColorGroup group) => $"{group.Name}: {string.Join(", ", group.Colors)}";
}

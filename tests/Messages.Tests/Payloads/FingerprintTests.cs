using ProtoBench.Payloads;

namespace ProtoBench.Messages.Tests.Payloads;

public class FingerprintTests
{
    [Fact]
    public void Moving_a_byte_from_one_leaf_to_the_next_changes_it() =>
        Assert.NotEqual(Fingerprint.Empty.Leaf("ab"u8).Leaf("c"u8), Fingerprint.Empty.Leaf("a"u8).Leaf("bc"u8));

    [Fact]
    public void The_order_of_leaves_changes_it() =>
        Assert.NotEqual(Fingerprint.Empty.Leaf("ab"u8).Leaf("cd"u8), Fingerprint.Empty.Leaf("cd"u8).Leaf("ab"u8));

    [Fact]
    public void It_counts()
    {
        var fingerprint = Fingerprint.Empty.Item().Leaf("abc"u8).Item().Leaf(""u8);
        Assert.Equal((2, 3L), (fingerprint.Items, fingerprint.LeafBytes));
    }

    // http://www.isthe.com/chongo/tech/comp/fnv/: FNV-1a 64 of "foobar" is
    // 0x85944171f73967e8. A fingerprint also takes each leaf's length in first.
    [Fact]
    public void The_checksum_is_FNV_1a()
    {
        var bytewise = "foobar"u8.ToArray().Aggregate(Fingerprint.Empty, (fingerprint, b) => fingerprint.Value(b));
        Assert.Equal(0x85944171f73967e8UL, bytewise.Checksum);
    }
}

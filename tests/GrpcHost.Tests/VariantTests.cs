using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

public class VariantTests
{
    static readonly RpcStack all = RpcStacks.All[0];
    static readonly RpcStack slabOnly = all with { Name = "one", OnlyCodec = "slab" };

    [Fact]
    public void A_stack_that_carries_one_codec_makes_one_variant_and_says_what_it_leaves_out()
    {
        Assert.Equal(["inbox-google", "inbox-raw", "inbox-slab", "one-slab"], Variant.Product([all, slabOnly], ["google", "raw", "slab"], ["threadstatic"]).Select(variant => variant.Name));
        Assert.Equal(["one with google, raw: that stack carries the codec slab only"], Variant.NotPossible([all, slabOnly], ["google", "raw", "slab"]));
        Assert.Empty(Variant.NotPossible([all, slabOnly], ["slab"]));
    }
}

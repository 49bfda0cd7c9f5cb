using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

public class VariantTests
{
    static readonly RpcTransport all = RpcTransports.All[0];
    static readonly RpcTransport slabOnly = all with { Name = "one", OnlyCodecs = ["slab"] };

    [Fact]
    public void A_stack_that_carries_one_codec_makes_one_variant_and_says_what_it_leaves_out()
    {
        Assert.Equal(["grpc-dotnet-google", "grpc-dotnet-raw", "grpc-dotnet-slab", "one-slab"],
            Variant.Product([all, slabOnly], ["google", "raw", "slab"], ["threadstatic"]).Select(variant => variant.Name));
        Assert.Equal(["one with google, raw: that transport carries only slab"],
            Variant.NotPossible([all, slabOnly], ["google", "raw", "slab"]));
        Assert.Empty(Variant.NotPossible([all, slabOnly], ["slab"]));
    }
}

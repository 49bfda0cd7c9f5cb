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

public class UnsupportedTests
{
    [Theory]
    [InlineData("run --stack protobuf-net.Grpc --codec google,raw",
    "protobuf-net.Grpc with google, raw: that transport carries only pbn, pbn-runtime, pbn-slab, pbn-pool")]
    [InlineData("host --stack protobuf-net.Grpc", "protobuf-net.Grpc with google: that transport carries only pbn, pbn-runtime, pbn-slab, pbn-pool")]
    [InlineData("load --url http://127.0.0.1:1 --stack protobuf-net.Grpc",
    "protobuf-net.Grpc with google: that transport carries only pbn, pbn-runtime, pbn-slab, pbn-pool")]
    [InlineData("sweep --stack grpc-dotnet,protobuf-net.Grpc", "protobuf-net.Grpc with slab: that transport carries only pbn, pbn-runtime, pbn-slab, pbn-pool")]
    public async Task A_codec_that_the_stack_does_not_carry_is_one_line_and_exit_code_2(string arguments, string message) =>
        Assert.Equal((2, "", message + Environment.NewLine), await TheProgram.SaysAsync(arguments.Split(' ')));
}

namespace ProtoBench.GrpcHost.Tests.ProtobufNetGrpc;

public class UnsupportedTests
{
    [Theory]
    [InlineData("run --stack protobuf-net.Grpc --codec google,raw", "protobuf-net.Grpc with google, raw: that stack carries the codec pbn only")]
    [InlineData("host --stack protobuf-net.Grpc", "protobuf-net.Grpc with google: that stack carries the codec pbn only")]
    [InlineData("load --url http://127.0.0.1:1 --stack protobuf-net.Grpc", "protobuf-net.Grpc with google: that stack carries the codec pbn only")]
    [InlineData("sweep --stack inbox,protobuf-net.Grpc", "protobuf-net.Grpc with slab: that stack carries the codec pbn only")]
    public async Task A_codec_that_the_stack_does_not_carry_is_one_line_and_exit_code_2(string arguments, string message) =>
        Assert.Equal((2, "", message + Environment.NewLine), await TheProgram.RunAsync(arguments.Split(' ')));
}

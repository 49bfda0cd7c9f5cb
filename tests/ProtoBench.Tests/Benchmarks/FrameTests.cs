using ProtoBench.Benchmarks;

namespace ProtoBench.Tests;

public class FrameTests
{
    [Theory]
    [InlineData(10, 0, 1_024)]
    [InlineData(10, 5, 1_019)]
    [InlineData(20, 0, 1_048_576)]
    public void A_frame_of_so_many_bytes_in_all_has_them(int power, int less, int bytes) =>
        Assert.Equal(bytes, FrameSize.OfFrame(power, less).FrameBytes);

    [Theory]
    [InlineData(new byte[0], "no prefix")]
    [InlineData(new byte[] { 0, 0, 0, 0 }, "no prefix")]
    [InlineData(new byte[] { 1, 0, 0, 0, 0 }, "compressed")]
    [InlineData(new byte[] { 0, 0, 0, 0, 1 }, "a length of 1 where 0 bytes follow")]
    [InlineData(new byte[] { 0, 0xFF, 0xFF, 0xFF, 0xFF, 1 }, "a length of 4294967295 where 1 bytes follow")]
    [InlineData(new byte[] { 0, 0, 0, 0, 0, 1 }, "a length of 0 where 1 bytes follow")]
    public void A_damaged_frame_is_refused_with_the_reason(byte[] frame, string reason) =>
        Assert.Contains(reason, Assert.Throws<InvalidDataException>(() => Frame.Payload(frame).Length).Message, StringComparison.Ordinal);
}

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
}

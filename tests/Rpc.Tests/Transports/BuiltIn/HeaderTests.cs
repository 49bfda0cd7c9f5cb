using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Transports.BuiltIn;

namespace ProtoBench.Rpc.Tests.Transports.BuiltIn;

/// <summary>The headers of grpc/grpc, doc/PROTOCOL-HTTP2.md: TimeoutValue is at most 8 digits, Status-Message is percent-encoded.</summary>
public class HeaderTests
{
    [Theory]
    [InlineData(1, "100n")]
    [InlineData(10_000, "1000000n")]
    [InlineData(10_000_000, "1000000u")]
    [InlineData(600_000_000, "60000000u")]
    [InlineData(10_000_000_000, "1000000m")]
    public void A_timeout_takes_the_finest_unit_that_fits(long ticks, string header)
    {
        Assert.Equal(header, GrpcTimeout.Format(new(ticks)));
        Assert.True(GrpcTimeout.TryParse(header, out var back));
        Assert.Equal(ticks, back.Ticks);
    }

    [Fact]
    public void No_timeout_is_rounded_down_or_longer_than_9_characters()
    {
        for (var ticks = 1L; ticks < TimeSpan.FromDays(20).Ticks; ticks = ticks * 3 / 2 + 1)
        {
            var header = GrpcTimeout.Format(new(ticks));
            Assert.True(GrpcTimeout.TryParse(header, out var back) && back.Ticks >= ticks && header.Length <= 9, header);
        }
    }

    [Theory]
    [InlineData("plain", "plain")]
    [InlineData("100 %", "100 %25")]
    [InlineData("a\nb", "a%0Ab")]
    [InlineData("ü", "%C3%BC")]
    public void A_text_is_percent_encoded(string text, string header)
    {
        Assert.Equal(header, StatusText.Encode(text));
        Assert.Equal(text, StatusText.Decode(header));
    }

    [Theory]
    [InlineData("%")]
    [InlineData("%4")]
    [InlineData("%zz")]
    public void A_broken_escape_stays_as_it_is(string header) => Assert.Equal(header, StatusText.Decode(header));

    [Theory]
    [InlineData("Upper", "x")]
    [InlineData("grpc-status", "0")]
    [InlineData("x-text", "ü")]
    [InlineData("x-text-bin", "text")]
    public void Metadata_that_cannot_travel_is_refused_at_once(string name, string value) =>
        Assert.Throws<ArgumentException>(() => new RpcMetadata().Add(name, value));
}

namespace ProtoBench.Messages.Tests;

public class SmokeTests
{
    [Fact]
    public void Builds() => Assert.Equal(0, new Gpb.ForwardRequest().CalculateSize());
}

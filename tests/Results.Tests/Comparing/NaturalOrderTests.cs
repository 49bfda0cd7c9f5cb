namespace ProtoBench.Results.Tests;

public class NaturalOrderTests
{
    [Fact]
    public void Numbers_are_ordered_as_numbers_and_everything_else_as_text()
    {
        string[] ordered =
            ["", "A(Size=2)", "A(Size=10)", "A(Size=10)x", "A(Size=010)y", "A(Size=99999999999999999999)", "A_", "B1", "B01", "B1a", "a"];
        var random = new Random(3);
        Assert.Equal(ordered.Order(NaturalOrder.Instance), ordered.OrderBy(_ => random.Next()).Order(NaturalOrder.Instance));
        Assert.Equal(["A(Size=2)", "A(Size=10)", "A(Size=99999999999999999999)"],
            ordered.Order(NaturalOrder.Instance).Where(name => name.EndsWith(')')));
    }
}

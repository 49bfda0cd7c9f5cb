using ProtoBench.Results;

namespace ProtoBench.Tests;

public class ShapeTableTests
{
    // An operation is 1,000 messages, so 20 μs are 20 ns of a message. Google's time is the median of 18 and 22 ns.
    [Fact]
    public void A_shape_has_a_row_whose_times_have_one_base() => Assert.Equal(
        """
        | Shape | Read Google | Read Slab | Read PBN | Write Google | Write Slab |
        | --- | ---: | ---: | ---: | ---: | ---: |
        | Empty | 20.0 | 5.0 | 24.0 | 10.0 | 4.0 |

        """.ReplaceLineEndings("\n"),
        ShapeTable.Of(MadeDuet.Result(Pair("Read", "Slab", 18_000, 0.25), Pair("Read", "PBN", 22_000, 1.2), Pair("Write", "Slab", 10_000, 0.4))));

    static DuetPair Pair(string verb, string library, double google, double ratio) => new()
    {
        Old = Side($"{verb}ShapeGoogle", google),
        New = Side($"{verb}Shape{library}", 1),
        Ratio = ratio,
        Clock = "cpu",
        Processes = [],
    };

    static DuetSide Side(string method, double nanoseconds) => new()
    {
        Cell = $"ProtoBench.Benchmarks.ShapeBenchmarks.{method}(Shape: Empty)",
        Type = "ShapeBenchmarks",
        Method = method,
        Parameters = new Dictionary<string, string> { ["Shape"] = "Empty" },
        NanosecondsPerOperation = nanoseconds,
        AllocatedBytesPerOperation = 0,
        Collections = [0, 0, 0],
    };
}

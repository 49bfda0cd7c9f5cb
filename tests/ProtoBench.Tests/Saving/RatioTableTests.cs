using ProtoBench.Results;

namespace ProtoBench.Tests;

public class RatioTableTests
{
    [Fact]
    public void A_data_set_has_a_row_with_the_faster_destination_of_a_library() => Assert.Equal(
        """
        | Data set | Make | MakeNew |
        | --- | ---: | ---: |
        | Hive | 0.40 [0.40 to 0.40] | - |
        | Order | 0.70 [0.70 to 0.70] | 0.50 [0.50 to 0.50] |

        """.ReplaceLineEndings("\n"),
        RatioTable.Of(
            MadeDuet.Result(Pair("Make", "PBN", "Order", 0.9), Pair("Make", "PBN_BW", "Order", 0.7), Pair("Make", "PBNRuntime", "Order", 0.1),
                Pair("MakeNew", "PBN", "Order", 0.5), Pair("Make", "PBN", "Hive", 0.4), Pair("Make", "Slab", "Mesh", 0.3)), "PBN"));

    [Fact]
    public void Several_other_libraries_have_a_column_each() => Assert.Equal(
        """
        | Data set | Make against Google | Make against PBN |
        | --- | ---: | ---: |
        | Order | 0.70 [0.70 to 0.70] | 0.50 [0.50 to 0.50] |

        """.ReplaceLineEndings("\n"),
        RatioTable.Of(MadeDuet.Result(Pair("Make", "Slab", "Order", 0.7), Pair("Make", "Slab", "Order", 0.5, other: "PBN")), "Slab"));

    static DuetPair Pair(string verb, string library, string set, double ratio, string other = "Google")
    {
        var pair = MadeDuet.Pair($"{verb}Set{other}", $"{verb}Set{library}", [ratio, ratio, ratio]);
        return pair with { New = pair.New with { Parameters = new Dictionary<string, string> { ["DataSet"] = set } } };
    }
}

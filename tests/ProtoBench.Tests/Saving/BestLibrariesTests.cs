using ProtoBench.Results;

namespace ProtoBench.Tests;

public class BestLibrariesTests
{
    // 1,000 MB/s are 1,000 bytes in 1,000 ns
    [Fact]
    public void Each_data_set_has_its_best_libraries() => Assert.Equal(
        """
        | Data set | Fastest to write what exists | Fastest to read every field | Fastest with .NET strings | Smallest |
        | --- | --- | --- | --- | --- |
        | Log | Two, 100 ns (One) | One, 200 ns | Two, 300 ns | One, 50 B (Two) |
        | Mesh | One, 100 ns | - | - | One, 10,000,000 B (Two) |

        """.ReplaceLineEndings("\n"),
        BestLibraries.Table([File(
            Cell("Serialize", "Log", "One", 114, 50), Cell("Serialize", "Log", "Two", 100, 50), Cell("Serialize", "Log", "Three", 120, 51),
            Cell("DeserializeTouch", "Log", "One", 200, 50), Cell("DeserializeTouch", "Log", "One_Strings", 400, 50),
            Cell("DeserializeTouch", "Log", "Two", 300, 50), Cell("Serialize", "Mesh", "One", 100, 10_000_000),
            // the same size, from a time that is rounded
            Cell("Serialize", "Mesh", "Two", 150, 10_000_003), Cell("Serialize", "Mesh", "Three", 150, 10_000_100),
            Cell("Serialize", "Log", "Floor", 10, 50), Cell("DeserializeTouch", "Log", "Floor", 10, 50))]));

    [Fact]
    public void A_file_without_data_sets_is_refused() =>
        Assert.Throws<InvalidDataException>(() => BestLibraries.Table([File(Cell("Serialize", "Log", "One", 1, 1))]));

    static ResultFile File(params string[] cells) => ResultFile.Parse($$"""{ "Benchmarks": [ {{string.Join(", ", cells)}} ] }""", "sets.json");

    static string Cell(string verb, string set, string library, double nanoseconds, double bytes)
    {
        var (name, form) = library.Split('_') is [var one, var two] ? (one, $$""", "buffer": "{{two}}" """) : (library, "");
        return $$"""
            { "Type": "{{set}}SetBenchmarks", "Method": "{{verb}}Set{{library}}", "FullName": "{{set}}.{{verb}}Set{{library}}",
              "Parameters": "DataSet={{set}}", "Cell": { "verb": "{{verb}}", "message": "{{set}}", "library": "{{name}}"{{form}} },
              "Statistics": { "OriginalValues": [{{nanoseconds}}] }, "Metrics": [ { "Value": {{bytes / nanoseconds * 1e3}},
              "Descriptor": { "Id": "MB/s", "DisplayName": "MB/s", "Unit": "MB/s", "TheGreaterTheBetter": true } } ] }
            """;
    }
}

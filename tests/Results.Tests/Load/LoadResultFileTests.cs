using System.Globalization;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace ProtoBench.Results.Tests;

public class LoadResultFileTests
{
    static readonly string today = Path.Combine(Golden.Root, "tests", "Results.Tests", "Load", "load-result-1.json");

    [Fact]
    public void A_file_of_schema_1_stays_readable_and_loses_nothing() =>
        Assert.Equal(File.ReadAllText(today).TrimEnd(), LoadResultFile.ToJson(LoadResultFile.Read(today)));

    [Fact]
    public void A_result_is_written_as_schema_1_says() =>
        Assert.Equal(WithoutCompressed(File.ReadAllText(today).TrimEnd()), WithoutCompressed(LoadResultFile.ToJson(Samples.Load())));

    [Fact]
    public void Figures_that_follow_from_others_are_right()
    {
        var round = Samples.Load().Variants[0].Rounds[0];
        Assert.Equal(500, round.SucceededPerSecond);
        Assert.Equal(501, round.AttemptedPerSecond);
        Assert.Equal(1000.0 / 1002, round.SuccessfulRate);
        Assert.Equal(8_192, round.Client!.AllocatedBytesPerCall);
        Assert.Equal(150, round.Server!.CpuUsPerCall);
        Assert.Equal("INVALID", Samples.Load().Variants[1].Verdict.ToString());
    }

    [Fact]
    public void A_file_written_by_a_later_version_with_more_fields_is_read()
    {
        var json = JsonNode.Parse(LoadResultFile.ToJson(Samples.Load()))!;
        json["somethingNew"] = 1;
        Assert.Equal(2, LoadResultFile.Parse(json.ToJsonString(), "new.json").Variants.Count);
    }

    [Fact]
    public void Every_field_can_be_missing_and_is_then_optional_or_named()
    {
        var json = JsonNode.Parse(LoadResultFile.ToJson(Samples.Load()))!;
        var optional = new List<string>();
        foreach (var (parent, name) in Fields(json).ToArray())
        {
            var value = parent[name];
            parent.Remove(name);
            try
            {
                var read = LoadResultFile.Parse(json.ToJsonString(), "x.json");
                LoadResultFile.ToJson(read);
                Comparer.Compare([new Side("x", [LoadCells.Of(read, "x.json")]), new Side("y", [LoadCells.Of(read, "x.json")])],
                    new ComparisonOptions());
                optional.Add(name);
            }
            catch (DamagedFileException e)
            {
                Assert.Contains(name, e.Message, StringComparison.Ordinal);
            }

            parent[name] = value;
        }

        Assert.Contains("failedByStatus", optional);
        Assert.Contains("packageVersions", optional);
        Assert.DoesNotContain("histogram", optional);
    }

    [Theory]
    [InlineData("schemaVersion", "2", "x.json: schema version 2 is newer than this program, which reads up to 1")]
    [InlineData("variants", "[]", "x.json: a load result without a variant")]
    [InlineData("variants", "null", "x.json: not a load result: ")]
    [InlineData("settings.loop", "null", "x.json: not a load result: ")]
    [InlineData("variants.0.name", "\"inbox-google\"", "x.json: variant inbox-google is there twice")]
    [InlineData("variants.0.rounds.0.durationSeconds", "0", "x.json: variant inbox-slab, round at position 0: the duration is 0 s")]
    [InlineData("variants.0.rounds.0.skipped", "-1", "x.json: variant inbox-slab, round at position 0: a negative number of calls")]
    [InlineData("variants.0.rounds.0.succeeded", "7",
    "x.json: variant inbox-slab, round at position 0: 7 calls succeeded, but 1000 have a service time")]
    [InlineData("variants.0.rounds.0.service.histogram", "\"AAAA\"",
    "x.json: variant inbox-slab, round at position 0, service: not a compressed V2 HdrHistogram")]
    [InlineData("variants.0.rounds.0.response.count", "7",
    "x.json: variant inbox-slab, round at position 0, response: the histogram has 1000 calls, but count says 7")]
    [InlineData("variants.0.rounds.0.client.gcCollections", "[1]",
    "x.json: variant inbox-slab, round at position 0: gcCollections needs the counts of generation 0, 1 and 2")]
    public void What_is_wrong_is_said_with_its_place(string place, string value, string message)
    {
        var json = JsonNode.Parse(LoadResultFile.ToJson(Samples.Load()))!;
        var steps = place.Split('.');
        var parent = steps[..^1].Aggregate(json,
            (node, step) => int.TryParse(step, CultureInfo.InvariantCulture, out var i) ? node[i]! : node[step]!);
        parent[steps[^1]] = JsonNode.Parse(value);
        var refusal = Assert.Throws<DamagedFileException>(() => LoadResultFile.Parse(json.ToJsonString(), "x.json")).Message;
        Assert.StartsWith(message, refusal, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', refusal);
    }

    [Fact]
    public void A_damaged_second_is_said_with_its_number()
    {
        var json = JsonNode.Parse(LoadResultFile.ToJson(Samples.Load()))!;
        var round = json["variants"]![0]!["rounds"]![0]!;
        var latency = round["service"]!.DeepClone();
        latency["histogram"] = "AAAA";
        round["seconds"] = new JsonArray(new JsonObject { ["second"] = 3, ["failed"] = 0, ["latency"] = latency });
        Assert.Equal("x.json: variant inbox-slab, round at position 0, second 3: not a compressed V2 HdrHistogram",
            Assert.Throws<DamagedFileException>(() => LoadResultFile.Parse(json.ToJsonString(), "x.json")).Message);
    }

    [Fact]
    public void A_missing_field_is_named() => Assert.Contains(
        "startedAt",
        Assert.Throws<DamagedFileException>(() => LoadResultFile.Parse("{}", "x.json")).Message,
        StringComparison.Ordinal);

    [Fact]
    public void A_file_cut_anywhere_is_refused()
    {
        var json = LoadResultFile.ToJson(Samples.Load());
        for (var length = 0; length < json.Length; length += 97)
            Assert.Throws<DamagedFileException>(() => LoadResultFile.Parse(json[..length], "x.json"));
    }

    [Fact]
    public void An_empty_or_missing_file_is_said_to_be_so()
    {
        var path = Path.GetTempFileName();
        try
        {
            Assert.Equal($"{path}: the file is empty", Assert.Throws<DamagedFileException>(() => LoadResultFile.Read(path)).Message);
        }
        finally
        {
            File.Delete(path);
        }

        Assert.Equal($"{path}: no such file", Assert.Throws<DamagedFileException>(() => LoadResultFile.Read(path)).Message);
    }

    static IEnumerable<(JsonObject Parent, string Name)> Fields(JsonNode? node) => node switch
    {
        JsonObject parent => parent.SelectMany(field => Fields(field.Value).Prepend((parent, field.Key))),
        JsonArray array => array.SelectMany(Fields),
        _ => [],
    };

    // how zlib compresses is no part of the format
    static string WithoutCompressed(string json) => Regex.Replace(json, "HISTF[^\"]*", "");
}

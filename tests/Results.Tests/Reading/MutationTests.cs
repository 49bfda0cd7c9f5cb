using System.Text;
using System.Text.Json.Nodes;

namespace ProtoBench.Results.Tests;

/// <summary>Files that are damaged at random: each is read and shown, or refused in one line. Nothing else comes out of a reader.</summary>
public sealed class MutationTests : IDisposable
{
    static readonly Action<Comparison, TextWriter>[] forms =
        [TextTable.Write, MarkdownTable.Write, JsonTable.Write, SmallerIsBetter.Write];

    static readonly string?[] values =
    [
        "null", "[]", "[null]", "{}", "\"\"", "\"NaN\"", "\"Infinity\"", "\"-Infinity\"", "\"\\ud800\"", "\"\\u0000\\u001b[2J\"", "-1", "0",
            "1e400", "-1e400", "1e308", "5e-324", "1e999999999",
        "9223372036854775807", "9223372036854775808", "2147483648", "1.5", "true", "\"2026-13-45\"", "[[[[]]]]", "[1,\"a\",{}]",
            "\"=,|<>\\\"\"",
    ];

    readonly string path = Path.GetTempFileName();

    public static TheoryData<string> Files => ["as-written.json", "several-jobs.json", "old-1.json", "load", "duet"];

    [Theory]
    [MemberData(nameof(Files))]
    public void A_value_that_is_replaced_is_read_or_refused_in_one_line(string name)
    {
        const int seed = 61;
        var random = new Random(seed);
        var text = Text(name);
        var (read, refused) = (0, 0);
        for (var run = 0; run < 500; run++)
        {
            var root = JsonNode.Parse(text)!;
            for (var changes = random.Next(1, 3); changes > 0; changes--)
                Replace(root, random);
            var damaged =
                Enumerable.Range(0, values.Length)
                    .Aggregate(root.ToJsonString(), (json, i) => json.Replace($"\"@@{i}@@\"", values[i], StringComparison.Ordinal));
            _ = Survives(damaged, $"seed {seed}, run {run}") ? read++ : refused++;
        }

        Assert.True(read > 15 && refused > 15, $"{read} read, {refused} refused: the changes are too few or too many to show anything");
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Bytes_that_are_changed_cut_out_or_repeated_are_read_or_refused_in_one_line(string name)
    {
        const int seed = 62;
        var random = new Random(seed);
        var bytes = Encoding.UTF8.GetBytes(Text(name));
        for (var run = 0; run < 250; run++)
        {
            List<byte> changed = [.. bytes];
            var at = random.Next(changed.Count);
            var count = Math.Min(random.Next(1, 200), changed.Count - at);
            switch (random.Next(4))
            {
                case 0:
                    changed[at] = (byte)random.Next(256);
                    break;
                case 1:
                    changed.RemoveRange(at, count);
                    break;
                case 2:
                    changed.InsertRange(at, changed.GetRange(at, count));
                    break;
                default:
                    changed.RemoveRange(at, changed.Count - at);
                    break;
            }

            File.WriteAllBytes(path, [.. changed]);
            _ = Survives(null, $"seed {seed}, run {run}");
        }
    }

    [Theory]
    [InlineData("{\"Benchmarks\": [null]}", "damaged: $.Benchmarks[0] is null")]
    [InlineData("{\"variants\": [null]}", "damaged: $.variants[0] is null")]
    [InlineData("{\"Benchmarks\":\"", "not JSON, or cut short")]
    [InlineData("null", "neither BenchmarkDotNet's full JSON")]
    [InlineData("\u0000\u0000", "not JSON, or cut short")]
    [InlineData("", "the file is empty")]
    [InlineData("   \n", "the file is empty")]
    public void Some_of_them_by_name(string text, string reason)
    {
        File.WriteAllText(path, text);
        Assert.StartsWith($"{path}: {reason}", Assert.Throws<DamagedFileException>(() => ResultFile.Read(path)).Message,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("meanUs", "is not finite")]
    [InlineData("durationSeconds", "is not finite")]
    [InlineData("cpuUs", "is not finite")]
    public void An_infinite_figure_of_a_load_run_is_refused(string member, string reason)
    {
        var text = Text("load");
        var at = text.IndexOf($"\"{member}\": ", StringComparison.Ordinal) + member.Length + 4;
        var end = text.IndexOfAny([',', '\r', '\n', '}'], at);
        Assert.Contains(reason,
            Assert.Throws<DamagedFileException>(() => ResultFile.Parse(text[..at] + "1e400" + text[end..], "x.json")).Message,
                StringComparison.Ordinal);
    }

    [Fact]
    public void A_rate_that_is_infinite_only_when_it_is_computed_is_refused()
    {
        var text = Text("load").Replace("\"durationSeconds\": 2", "\"durationSeconds\": 5e-324", StringComparison.Ordinal);
        Assert.Equal("x.json: variant inbox-slab: calls/s of a round is not finite",
            Assert.Throws<DamagedFileException>(() => ResultFile.Parse(text, "x.json")).Message);
    }

    [Fact]
    public void Names_that_only_control_characters_tell_apart_are_one_name()
    {
        var text = Text("load").Replace("\"inbox-slab\"", "\"a\\u0001\"", StringComparison.Ordinal)
            .Replace("\"inbox-google\"", "\"a\\u0002\"", StringComparison.Ordinal);
        Assert.Equal("x.json: variant a? is there twice",
            Assert.Throws<DamagedFileException>(() => ResultFile.Parse(text, "x.json")).Message);
    }

    [Fact]
    public void A_huge_file_is_not_read()
    {
        using (var file = File.OpenWrite(path))
            file.SetLength(3L << 30);
        Assert.Equal($"{path}: larger than 512 MiB, so it is no result file",
            Assert.Throws<DamagedFileException>(() => ResultFile.Read(path)).Message);
    }

    [Fact]
    public void A_device_without_an_end_is_not_read()
    {
        Assert.SkipUnless(File.Exists("/dev/zero"), "no /dev/zero here");
        Assert.Contains("larger than 512 MiB", Assert.Throws<DamagedFileException>(() => ResultFile.Read("/dev/zero")).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Brackets_without_end_are_refused() => Assert.Contains(
        "not JSON", Assert.Throws<DamagedFileException>(() => ResultFile.Parse(new string('[', 1_000_000), "x.json")).Message,
            StringComparison.Ordinal);

    public void Dispose() => File.Delete(path);

    static string Text(string name) => name switch
    {
        "load" => LoadResultFile.ToJson(Samples.Load()),
        "duet" => DuetResultFile.ToJson(
            DuetComparerTests.Duet(true, MadeDuet.Pair("A", "B", [1.1, 1.2, 1.3], 1, 2),
                MadeDuet.Pair("C", "D", [0.5, 0.6], 1, 0))),
        _ => File.ReadAllText(Data.PathOf(name)),
    };

    // Of the text, or of the file where it was written already. True: it was read, compared with itself and shown in every form.
    bool Survives(string? text, string place)
    {
        try
        {
            var file = text == null ? ResultFile.Read(path) : ResultFile.Parse(text, path);
            foreach (var options in new[] { new ComparisonOptions(), new ComparisonOptions { Threshold = 0.05 } })
            {
                var comparison = Comparer.Compare([new Side("a", [file]), new Side("b", [file, file, file, file])], options);
                _ = comparison.Guard(FailOn.Any);
                foreach (var form in forms)
                    form(comparison.OnlyChanged(), TextWriter.Null);
            }

            return true;
        }
        catch (Exception e) when (e is DamagedFileException or UsageException)
        {
            Assert.DoesNotContain('\n', e.Message);
            Assert.InRange(e.Message.Length, 1, 2_000);
            return false;
        }
        catch (Exception e)
        {
            throw new InvalidOperationException($"{place}: {e.GetType().Name} of {text ?? File.ReadAllText(path)}", e);
        }
    }

    // What JSON has no node for stands as a mark until the text is made.
    static void Replace(JsonNode root, Random random)
    {
        var places = new List<Action<JsonNode?>>();
        Collect(root);
        if (places.Count > 0)
            places[random.Next(places.Count)](JsonValue.Create($"@@{random.Next(values.Length)}@@"));

        void Collect(JsonNode? node)
        {
            if (node is JsonObject members)
            {
                foreach (var (key, child) in members.ToArray())
                {
                    places.Add(value => members[key] = value);
                    if (random.Next(8) == 0)
                        places.Add(_ => members.Remove(key));
                    Collect(child);
                }
            }
            else if (node is JsonArray items)
            {
                for (var i = 0; i < items.Count; i++)
                {
                    var at = i;
                    places.Add(value => items[at] = value);
                    Collect(items[i]);
                }
            }
        }
    }
}

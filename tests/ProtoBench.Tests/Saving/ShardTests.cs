using System.Collections.Immutable;
using System.Text.Json.Nodes;
using BenchmarkDotNet.Order;
using BenchmarkDotNet.Running;
using ProtoBench.Results;

namespace ProtoBench.Tests;

public sealed class ShardTests : IDisposable
{
    readonly string results = Directory.CreateTempSubdirectory("shards-").FullName;

    static readonly PlannedCell[] plan = [new("T.A: Job", 2), new("T.B: Job", 2), new("T.C: Job", 1), new("T.D: Job", 3), new("T.E: Job", 1)];

    public void Dispose() => Directory.Delete(results, recursive: true);

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(7)]
    public void Each_cell_is_in_one_shard_and_a_category_is_too(int shards)
    {
        IOrderer order = new CellOrder();
        var config = Config.Create(new());
        ImmutableArray<BenchmarkCase> cells = [.. BenchmarkClasses.MeantBy(["*"])
            .SelectMany(type => Config.Cells(type, config, new(new(), null)).BenchmarksCases)];
        var dealt = new Shard(1, shards).Deal(cells);
        // the order of a whole run is compared in .ci/slurm
        Assert.Equal(cells.Select(cell => cell.DisplayInfo).Order(), dealt.Select(cell => cell.Cell.DisplayInfo).Order());
        Assert.Equal(cells.Length, dealt.Select(cell => cell.Cell.DisplayInfo).Distinct().Count());
        Assert.Equal(dealt, new Shard(shards, shards).Deal(cells));
        var groups = dealt.GroupBy(cell => order.GetLogicalGroupKey(cells, cell.Cell)).ToList();
        Assert.All(groups, group => Assert.Single(group.Select(cell => cell.Shard).Distinct()));
        int[] numbers = [.. dealt.CountBy(cell => cell.Shard).OrderBy(count => count.Key).Select(count => count.Value)];
        Assert.Equal(shards, numbers.Length);
        Assert.InRange(numbers.Max() - numbers.Min(), 0, groups.Max(group => group.Count()));
    }

    [Fact]
    public void Shards_are_the_result_of_one_machine()
    {
        Put(1, ["Method", "Time", "Allocated"], "C", "E");
        Put(2, ["Method", "Concurrency", "Time", "Allocated"], "A", "B");
        Put(3, ["Method", "Time", "Allocated", "Library"], "D");
        var (cpu, table, result, failed) = ShardFiles.Merge(results, "Some");
        Assert.Equal(("a cpu", 0), (cpu, failed));
        Assert.Equal(["Method", "Concurrency", "Time", "Allocated", "Library"], table.Columns);
        Assert.Equal(["A Concurrency Time Allocated -", "B Concurrency Time Allocated -", "C - Time Allocated -", "D - Time Allocated Library",
            "E - Time Allocated -"], table.Rows.Select(row => string.Join(' ', row)));
        Assert.Equal(["2026-11-30, commit abc", "3 shards; the control cell on their machines, by the fastest: node1 1.00, node2 2.00, node3 3.00. "
            + "Cells of a category are of one machine; times of different categories may differ by this much"], table.About);
        Assert.Equal("T.A2 T.B2 T.C1 T.D3 T.E1", string.Join(' ', result["Benchmarks"]!.AsArray().Select(cell => $"{cell!["FullName"]}{cell["Shard"]}")));
        Assert.Equal("--filter '*' --save Some", (string?)result["ProtoBench"]!["command"]);
        Assert.Equal(1.5, (double?)result["ProtoBench"]!["otherCores"]);
        Assert.Equal(["node1", "node2", "node3"], result["ProtoBench"]!["shards"]!.AsArray().Select(shard => (string?)shard!["node"]));
        var file = ResultFile.Parse(table.Into(result), "merged");
        Assert.Equal([2, 2, 1, 3, 1], file.Cells.Select(cell => cell.Shard!.Value));
    }

    [Fact]
    public void A_shard_without_cells_is_not_missing()
    {
        Put(1, ["Method"], "C", "E");
        Put(2, ["Method"], "A", "B");
        Put(3, ["Method"], "D");
        foreach (var file in Directory.GetFiles(results, "*-of-3.json", SearchOption.AllDirectories))
        {
            var text = File.ReadAllText(file).Replace("\"of\":3", "\"of\":4", StringComparison.Ordinal);
            File.WriteAllText(file.Replace("-of-3", "-of-4", StringComparison.Ordinal), text);
            File.Delete(file);
        }

        Assert.StartsWith("3 shards; ", ShardFiles.Merge(results, "Some").Table.About[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void A_dry_run_compares_no_machines()
    {
        Put(1, ["Method"], "C", "E");
        Put(2, ["Method"], text => text.Replace("\"controlNs\":200", "\"controlNs\":null", StringComparison.Ordinal), "A", "B");
        Put(3, ["Method"], "D");
        Assert.Equal("3 shards of node1, node2, node3; a dry run, whose times are not measurements", ShardFiles.Merge(results, "Some").Table.About[^1]);
    }

    [Fact]
    public void Cells_that_failed_are_counted()
    {
        Put(1, ["Method"], "C", "E");
        Put(2, ["Method"], "A", "B");
        Put(3, ["Method"], text => text.Replace("{\"OriginalValues\":[1]}", "null", StringComparison.Ordinal), "D");
        Assert.Equal(1, ShardFiles.Merge(results, "Some").Failed);
    }

    [Fact]
    public void A_shard_that_is_missing_is_named_with_its_cells()
    {
        Put(3, ["Method"], "D");
        var failure = Assert.Throws<RunException>(() => ShardFiles.Merge(results, "Some"));
        Assert.Equal(ExitCode.Incomplete, failure.ExitCode);
        Assert.Equal(["shard 1 of 3 is missing: 2 cells, T.C, T.E", "shard 2 of 3 is missing: 2 cells, T.A, T.B"], failure.Message.Split(Environment.NewLine));
        Assert.Equal("there are no shards of Other: a run with --shard 1/3 --save Other writes them",
            Assert.Throws<UsageException>(() => ShardFiles.Merge(results, "Other")).Message);
    }

    [Theory]
    [InlineData("\"commit\":\"abc\"", "\"commit\":\"def\"", "cpu/Some.shards/2-of-3.json has another commit than cpu/Some.shards/1-of-3.json: \"def\" and \"abc\"")]
    [InlineData("--filter '*'", "--filter 'x'", "cpu/Some.shards/2-of-3.json has another command than ")]
    [InlineData("\"gc\":\"Workstation\"", "\"gc\":\"Server\"", "cpu/Some.shards/2-of-3.json has another gc than ")]
    [InlineData("\"cell\":\"T.D: Job\"", "\"cell\":\"T.X: Job\"", "cpu/Some.shards/2-of-3.json and cpu/Some.shards/1-of-3.json are shards of other cells")]
    [InlineData("\"cell\":\"T.A: Job\"", "\"cell\":\"T.X: Job\"", "2-of-3.json: its cells are not those of its shard")]
    [InlineData("\"Shard\"", "\"Shart\"", "2-of-3.json: not the file of a shard")]
    [InlineData("\"Benchmarks\"", "\"Benchmarkz\"", "2-of-3.json: not the file of a shard")]
    public void Shards_of_different_runs_are_refused(string text, string other, string message)
    {
        Put(1, ["Method"], "C", "E");
        Put(2, ["Method"], json =>
        {
            Assert.Contains(text, json, StringComparison.Ordinal);
            return json.Replace(text, other, StringComparison.Ordinal);
        }, "A", "B");
        Put(3, ["Method"], "D");
        var failure = Assert.ThrowsAny<Exception>(() => ShardFiles.Merge(results, "Some"));
        Assert.Contains(message, failure.Message, StringComparison.Ordinal);
        Assert.True(failure is RunException or InvalidDataException, failure.ToString());
    }

    [Fact]
    public void Machines_with_different_processors_and_runs_with_other_numbers_are_refused()
    {
        Put(1, ["Method"], "C", "E");
        Directory.CreateDirectory(Path.Combine(results, "other", "Some.shards"));
        var second = Path.Combine(results, "other", "Some.shards", "2-of-3.json");
        File.Copy(Path.Combine(results, "cpu", "Some.shards", "1-of-3.json"), second);
        Assert.Equal("the machines have different processors, whose times are not of one table: cpu/Some.shards has 1-of-3, other/Some.shards has 2-of-3",
            Assert.Throws<UsageException>(() => ShardFiles.Merge(results, "Some")).Message);
        File.Delete(second);
        var two = Path.Combine(results, "cpu", "Some.shards", "1-of-2.json");
        File.WriteAllText(two, File.ReadAllText(Path.Combine(results, "cpu", "Some.shards", "1-of-3.json")).Replace("\"of\":3", "\"of\":2", StringComparison.Ordinal));
        Assert.Equal("cpu/Some.shards has shards of runs with 2 and with 3: delete those of one run",
            Assert.Throws<UsageException>(() => ShardFiles.Merge(results, "Some")).Message);
    }

    void Put(int number, string[] columns, params string[] methods) => Put(number, columns, text => text, methods);

    void Put(int number, string[] columns, Func<string, string> change, params string[] methods)
    {
        var cells = methods.Select(method => (Type: "T", Method: method)).Append((Type: "ControlBenchmarks", Method: "Control")).ToList();
        var run = JsonNode.Parse("""
            {"schema": 1, "commit": "abc", "clean": true, "date": "2026-11-30", "gc": "Workstation", "cpu": "a cpu"}
            """)!.AsObject();
        run["otherCores"] = number == 2 ? 1.5 : null;
        run["command"] = $"--filter '*' --save Some --artifacts a/{number} --shard {number}/3";
        var json = new JsonObject
        {
            ["ProtoBench"] = run,
            ["Benchmarks"] = new JsonArray([.. cells.Select(cell => (JsonNode)new JsonObject
            {
                ["DisplayInfo"] = $"{cell.Type}.{cell.Method}: Job", ["Type"] = cell.Type, ["Method"] = cell.Method,
                ["FullName"] = $"{cell.Type}.{cell.Method}", ["Statistics"] = new JsonObject { ["OriginalValues"] = new JsonArray(1) },
            })]),
        };
        var path = Path.Combine(results, "cpu", "Some.shards", $"{number}-of-3.json");
        var table = new SavedTable(["2026-11-30, commit abc", $"of shard {number}"], columns,
            [.. cells.Select(cell => columns.Select(column => column == "Method" ? cell.Method : column).ToArray())]);
        ShardFiles.Write(path, new(number, 3, $"node{number}", 100 * number, plan), table, json);
        File.WriteAllText(path, change(File.ReadAllText(path)));
    }
}

using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using BenchmarkDotNet.Environments;
using ProtoBench.Results;

namespace ProtoBench;

/// <summary>The files of the shards of a run: results/&lt;cpu&gt;/NAME.shards/2-of-3.json. Each is written in one step, so a machine that
/// fails leaves the file of before, or none.</summary>
static partial class ShardFiles
{
    const string folderEnd = ".shards";
    const string node = "Shard";
    const string facts = "ProtoBench";
    const string cells = "Benchmarks";
    const string command = "command";

    // of the node ProtoBench: what has to be equal in all shards
    static readonly string[] equal =
        ["schema", "commit", "clean", command, "versions", "libraries", "runtime", "gc", "cpu", "caches", "note"];

    /// <summary>Gets the folder of the saved results.</summary>
    public static string Root => Path.Combine(Checkout.Root ?? Directory.GetCurrentDirectory(), "results");

    /// <summary>Returns the file of a shard of this machine.</summary>
    public static string PathOf(Shard shard, string name) => Path.Combine(
        Root, Saved.FolderOf(RunFacts.CpuOf(HostEnvironmentInfo.GetCurrent())), name + folderEnd, $"{shard.Number}-of-{shard.Of}.json");

    /// <summary>Returns whether the file of a shard has all its cells, of these sources and options.</summary>
    public static bool IsThere(string path, IReadOnlyList<PlannedCell> plan)
    {
        try
        {
            var root = JsonNode.Parse(File.ReadAllText(path))!;
            var checkout = Checkout.Root ?? Directory.GetCurrentDirectory();
            return (string?)root[facts]!["commit"] == Git.Commit(checkout) && (bool)root[facts]!["clean"]! && Git.IsClean(checkout) is true
                && Command(root) == WithoutShard(Arguments.ThisCommandLine)
                && root[node].Deserialize<ShardFacts>()!.Plan.SequenceEqual(plan)
                && root[cells]!.AsArray().All(cell => cell!["Statistics"] is not null);
        }
        catch (Exception e) when (e is IOException or JsonException or InvalidOperationException or NullReferenceException)
        {
            return false; // it is measured, and written again
        }
    }

    public static void Write(string path, ShardFacts shard, SavedTable table, JsonObject result)
    {
        var isControl = result[cells]!.AsArray().Select(cell => (string?)cell!["Type"] == Shard.Control.Name).ToArray();
        var measured = result[cells]!.AsArray().Zip(isControl).Where(cell => !cell.Second).Select(cell => cell.First!.DeepClone());
        result[cells] = new JsonArray([.. measured]);
        result[node] = JsonSerializer.SerializeToNode(shard);
        table = table with { Rows = [.. table.Rows.Zip(isControl).Where(row => !row.Second).Select(row => row.First)] };
        ResultPath.Write(path, () =>
        {
            var part = path + ".part";
            File.WriteAllText(part, table.Into(result));
            File.Move(part, path, overwrite: true);
        });
    }

    /// <summary>Adds the shards of a run to one result with one table, as a run on one machine makes it.</summary>
    /// <param name="results">The folder of the saved results.</param>
    /// <param name="name">The name that the shards were saved with.</param>
    /// <returns>The processor, the table, the result, and the number of cells that failed.</returns>
    /// <exception cref="RunException">Thrown when shards are missing, or are not of one run. The message names them.</exception>
    public static (string Cpu, SavedTable Table, JsonObject Result, int Failed) Merge(string results, string name)
    {
        string[] folders = !Directory.Exists(results) ? [] : [.. Directory.GetDirectories(results)
            .Select(folder => Path.Combine(folder, name + folderEnd))
            .Where(folder => Directory.Exists(folder) && Files(folder).Any()).Order(StringComparer.Ordinal)];
        if (folders.Length == 0)
            throw new UsageException($"there are no shards of {name}: a run with --shard 1/3 --save {name} writes them");
        if (folders.Length > 1)
        {
            throw new UsageException("the machines have different processors, whose times are not of one table: "
                + string.Join(", ", folders.Select(folder =>
                    $"{Shown(folder)} has {string.Join(' ', Files(folder).Select(Path.GetFileNameWithoutExtension))}")));
        }

        ShardFile[] files = [.. Files(folders[0]).Select(Read)];
        if (files.Select(file => file.Facts.Of).Distinct().Order().ToArray() is [var fewer, .., var more])
            throw new UsageException($"{Shown(folders[0])} has shards of runs with {fewer} and with {more}: delete those of one run");
        RequireOneRun(files);
        files = [.. files.OrderBy(file => file.Facts.Number)];
        RequireAll(files);

        var rows = files.SelectMany(file => file.Cells.Zip(file.Table.Rows, (cell, row) => (Cell: cell, file, row)))
            .ToDictionary(row => Name(row.Cell), StringComparer.Ordinal);
        var columns = Columns(files);
        var plan = files[0].Facts.Plan;
        var result = files[0].Root.DeepClone().AsObject();
        result.Remove(node);
        result.Remove("table");
        result[cells] = new JsonArray([.. plan.Select(cell =>
        {
            var copy = rows[cell.Cell].Cell.DeepClone();
            copy["Shard"] = cell.Shard;
            return copy;
        })]);
        Describe(result[facts]!.AsObject(), files);
        var about = files[0].Table.About.Where(line => Array.TrueForAll(files, file => file.Table.About.Contains(line)));
        return ((string)result[facts]!["cpu"]!,
            new([.. about, Sentence(files)], columns, [.. plan.Select(cell => Row(rows[cell.Cell].file, rows[cell.Cell].row, columns))]),
            result, rows.Values.Count(row => row.Cell["Statistics"] is null));
    }

    static IEnumerable<string> Files(string folder) => Directory.EnumerateFiles(folder, "*-of-*.json").Order(StringComparer.Ordinal);

    // cpu/NAME.shards, or a file in it
    static string Shown(string path)
    {
        var parts = path.Split(Path.DirectorySeparatorChar);
        return string.Join('/', parts[^(parts[^1].EndsWith(folderEnd, StringComparison.Ordinal) ? 2 : 3)..]);
    }

    static ShardFile Read(string path)
    {
        var text = ResultText.Read(path);
        _ = ResultFile.Parse(text, path); // names what is damaged
        try
        {
            var root = JsonNode.Parse(text)!.AsObject();
            var shard = root[node].Deserialize<ShardFacts>()!;
            var file = new ShardFile(path, root, shard, SavedTable.Read(path), [.. root[cells]!.AsArray().OfType<JsonNode>()]);
            var planned = shard.Plan.Where(cell => cell.Shard == shard.Number).Select(cell => cell.Cell).Order(StringComparer.Ordinal);
            var isWhole = planned.SequenceEqual(file.Cells.Select(Name).Order(StringComparer.Ordinal));
            return isWhole && file.Cells.Length == file.Table.Rows.Count
                ? file : throw DamagedFileException.Of(path, "its cells are not those of its shard");
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or NullReferenceException)
        {
            throw DamagedFileException.Of(path, "not the file of a shard", e);
        }
    }

    static void RequireOneRun(ShardFile[] files)
    {
        foreach (var file in files.Skip(1))
        {
            foreach (var fact in equal)
            {
                var (here, there) = (Value(file, fact), Value(files[0], fact));
                if (here != there)
                    throw new UsageException($"{Shown(file.Path)} has another {fact} than {Shown(files[0].Path)}: {here} and {there}");
            }

            if (!file.Facts.Plan.SequenceEqual(files[0].Facts.Plan))
                throw new UsageException($"{Shown(file.Path)} and {Shown(files[0].Path)} are shards of other cells");
        }

        static string? Value(ShardFile file, string fact) => fact == command ? Command(file.Root) : file.Root[facts]?[fact]?.ToJsonString();
    }

    static void RequireAll(ShardFile[] files)
    {
        var facts = files[0].Facts;
        // one without cells writes no file
        int[] missing = [.. facts.Plan.Select(cell => cell.Shard).Distinct().Order().Except(files.Select(file => file.Facts.Number))];
        if (missing.Length == 0)
            return;
        throw new RunException(ExitCode.Incomplete, string.Join(Environment.NewLine, missing.Select(number =>
        {
            string[] planned = [.. facts.Plan.Where(cell => cell.Shard == number).Select(cell => cell.Cell.Split(':')[0])];
            string[] shown = [.. planned.Distinct().Take(3), .. planned.Distinct().Skip(3).Take(1).Select(_ => "...")];
            return string.Join(", ", shown.Prepend($"shard {number} of {facts.Of} is missing: {planned.Length} cells"));
        })));
    }

    /// <summary>Returns the columns of all tables. A column that some lack stands behind the one before it.</summary>
    static string[] Columns(ShardFile[] files)
    {
        List<string> columns = [];
        foreach (var table in files.Select(file => file.Table))
        {
            var at = 0;
            foreach (var column in table.Columns)
            {
                if (!columns.Contains(column))
                    columns.Insert(at, column);
                at = columns.IndexOf(column) + 1;
            }
        }

        return [.. columns];
    }

    static string[] Row(ShardFile file, string[] row, string[] columns) =>
        [.. columns.Select(column => file.Table.Columns.Contains(column) ? row[file.Table.ColumnAt(column)] : "-")];

    static void Describe(JsonObject run, ShardFile[] files)
    {
        run[command] = Command(files[0].Root);
        run["date"] = files.Max(file => (string?)file.Root[facts]!["date"]);
        run["tls"] = files.Select(file => (string?)file.Root[facts]!["tls"]).FirstOrDefault(tls => tls is not null);
        run["otherCores"] = files.Max(file => (double?)file.Root[facts]!["otherCores"]);
        run["shards"] = new JsonArray([.. files.Select(file => (JsonNode)new JsonObject
        {
            ["number"] = file.Facts.Number, ["node"] = file.Facts.Node, ["controlNs"] = file.Facts.ControlNs, ["cells"] = file.Cells.Length,
            ["date"] = (string?)file.Root[facts]!["date"],
        })]);
    }

    static string Sentence(ShardFile[] files)
    {
        if (!Array.TrueForAll(files, file => file.Facts.ControlNs is not null))
            return $"{files.Length} shards of {string.Join(", ", files.Select(file => file.Facts.Node))}; a dry run, whose times are not measurements";
        var fastest = files.Min(file => file.Facts.ControlNs);
        var nodes = files.Select(file => string.Create(
            CultureInfo.InvariantCulture, $"{file.Facts.Node} {file.Facts.ControlNs / fastest:0.00}"));
        return $"{files.Length} shards; the control cell on their machines, by the fastest: {string.Join(", ", nodes)}. "
            + "Cells of a category are of one machine; times of different categories may differ by this much";
    }

    static string Name(JsonNode cell) => (string)cell["DisplayInfo"]!;

    static string Command(JsonNode root) => WithoutShard((string)root[facts]![command]!);

    // each machine has logs of its own, too
    static string WithoutShard(string line) => OfOneMachine().Replace(line, "");

    sealed record ShardFile(string Path, JsonObject Root, ShardFacts Facts, SavedTable Table, JsonNode[] Cells);

    [GeneratedRegex(@"\s*(--shard|--artifacts|(?<=\s)-a)[ =]('[^']*'|\S+)", RegexOptions.ExplicitCapture)]
    private static partial Regex OfOneMachine();
}

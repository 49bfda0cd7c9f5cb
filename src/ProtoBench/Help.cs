namespace ProtoBench;

static class Help
{
    public const string Text = text + "\n\n" + ExitCode.Table;

    const string text = """
        ProtoBench: what protobuf serialization costs in .NET.

        Three commands to try, from the root of the checkout:
          dotnet run -c Release --project src/ProtoBench -- --filter '*Request*'       the hive's request, every library and buffer
          dotnet run -c Release --project src/ProtoBench -- --list flat                the names of all cells
          dotnet run -c Release --project src/ProtoBench -- --filter '*' --job dry     every cell once, to see that all of them run

        Options of a run:
          --filter GLOB...              the cells, by name; in quotes, or the shell replaces the star
          --anyCategories NAME...       the cells of a category: Serialize, Deserialize, Request, Allocator, RpcStack, ...
          --job dry|short|medium|long   another job than the default (15 iterations of 100 ms, 3 s for each cell)
          --columns narrow|wide         the table on the console: 120 characters wide (the default), or every column
          --verbose                     everything that BenchmarkDotNet says; without it, this is in the log file only
          --artifacts FOLDER            where results and the log go (BenchmarkDotNet.Artifacts)
          --save [NAME]                 keep the table, all columns, under results/<cpu>/NAME.md, with Versions.txt
          --note TEXT                   a line that is kept with the table and in the result file
          --map                         the fastest way for 1 to 100,000 items, leaves of 0 to 16 KiB, each library and memory strategy
          --allocations off|on|types    count allocated objects, which doubles a cell's time: for no cell, for every cell, or by type
          --help all                    the options of BenchmarkDotNet, which work beside these

        Verbs, each with a --help of its own:
          compare OLD.json NEW.json    what changed, and whether chance explains it
          repeat N --filter '*'        N launches, each a sample, with the cells in alternating order
          duet --filter A --against B  compares two cells or two builds in turns; finds a few percent in seconds
          noise N --filter '*'         compares the program with itself, N launches a side: shows the noise
          targets LAUNCHES             checks the ratios of results/targets.txt; --measure measures them now
          report RESULT.json...        one HTML page: pictures, tables, environment
          readme                       copy the tables of results/ into README.md and docs
          new FOLDER --proto F...      a benchmark project for your own message, from .proto files and payloads
          help [all]                   this text
        """;
}

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

        All options of BenchmarkDotNet work (--help lists them). Ours beside them:
          --save [NAME]    keep the table under results/<cpu>/NAME.md, with Versions.txt
          --map            who wins where: 1 to 100,000 items, leaves of 0 to 16 KiB, each library and memory strategy (about 6 min)
          --note TEXT      a line that is kept with the table and in the result file
          --allocations off|on|types    count allocated objects, which doubles a cell's time: for no cell, for every cell, or by type

        Verbs, each with a --help of its own:
          compare OLD.json NEW.json    what changed, and is it real?
          repeat N --filter '*'        N launches, each a sample, cells in alternated order
          noise --filter '*'           compares this program with itself: the noise floor
          targets LAUNCHES             are the ratios of results/targets.txt still held?
          report RESULT.json...        one HTML page: pictures, tables, environment
          readme                       put the tables of results/ into README.md again
        """;
}

namespace ProtoBench;

static class Help
{
    public const string Text = """
        ProtoBench: what protobuf serialization costs in .NET.

        Three commands to try, from the root of the checkout:
          dotnet run -c Release --project src/ProtoBench -- --filter '*Request*'       the hive's request, every library and buffer
          dotnet run -c Release --project src/ProtoBench -- --list flat                the names of all cells
          dotnet run -c Release --project src/ProtoBench -- --filter '*' --job dry     every cell once, to see that all of them run

        All options of BenchmarkDotNet work (--help lists them). Ours beside them:
          --save [NAME]    keep the table under results/<cpu>/NAME.md, with Versions.txt
          --note TEXT      a line that is kept with the table and in the result file

        Verbs, each with a --help of its own:
          readme           put the tables of results/ into README.md again

        Exit codes: 0 done, 1 a cell failed or the libraries do not agree, 2 wrong usage.
        """;
}

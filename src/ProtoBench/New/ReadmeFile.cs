namespace ProtoBench.New;

/// <summary>Ten lines for whoever finds the project later.</summary>
static class ReadmeFile
{
    public static string Write(ProjectNames names) => $"""
        # {names.Project}

        What `{names.Type.FullName}` costs in .NET, with Google.Protobuf, with protobuf-net and with the slab codec.
        Made by ProtoBench; it is yours to change.

            dotnet run -c Release                          # all cells, a table and a summary
            dotnet run -c Release -- --filter '*Touch*'    # some cells
            dotnet run -c Release -- --rate 5000           # the summary for 5,000 messages a second

        Cells are in `{names.Class}.cs`. Payloads are in `payloads/`: `.bin` files are messages, `.delimited`
        files are messages behind their lengths.
        Rows of protobuf-net are in `ProtobufNet/`. The program says why where they are left out.
        Results are in `BenchmarkDotNet.Artifacts/results`; ProtoBench's verbs `compare` and `report` read them.

        """;
}

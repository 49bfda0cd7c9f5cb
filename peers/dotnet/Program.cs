namespace ProtoBench.Peers;

/// <summary>The .NET side of peers/run: the payloads, one of the measured programs, and the result of a run.</summary>
static class Program
{
    static int Main(string[] arguments)
    {
        switch (arguments)
        {
            case ["payloads", var folder]:
                MeasuredSets.Write(folder);
                return 0;
            case ["measure", var folder]:
                Peer.Answer(folder, Console.In, Console.Out);
                return 0;
            case ["result", var lines, var file, var note, var command]:
                new LanguagesResult(PeerLine.ReadAll(lines), note, command).Write(file, Console.Out);
                return 0;
            default:
                Console.Error.WriteLine("usage: payloads FOLDER | measure FOLDER | result LINES FILE NOTE COMMAND");
                return 2;
        }
    }
}

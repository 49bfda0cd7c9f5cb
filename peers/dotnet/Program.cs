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
            case ["languages", var folder]:
                Peer.Answer(Console.In, Console.Out, (set, verb) => MeasuredSets.Ways(folder, set, verb));
                return 0;
            case ["grpc", var folder]:
                Peer.Answer(Console.In, Console.Out, new HiveClients(folder).Ways);
                return 0;
            case ["originals", _]:
                Peer.Answer(Console.In, Console.Out, Originals.Ways);
                return 0;
            case ["result", var kind, var lines, var file, var note, var command]:
                new PeerResult(PeerTable.Named(kind), PeerLine.ReadAll(lines), note, command).Write(file, Console.Out);
                return 0;
            default:
                Console.Error.WriteLine("usage: payloads FOLDER | languages|grpc|originals FOLDER | result KIND LINES FILE NOTE COMMAND");
                return 2;
        }
    }
}

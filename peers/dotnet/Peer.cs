using System.Diagnostics;
using System.Globalization;
using Google.Protobuf;
using ProtoBench.Codec;

namespace ProtoBench.Peers;

/// <summary>The form of every program of this folder. It reads lines "SET read|write SECONDS WARM-UP", measures each of its ways for so
/// long, and answers with a line of JSON for each, and an empty line. Before the first measurement it checks what it writes, and warms
/// up.</summary>
static class Peer
{
    public static void Answer(string folder, TextReader requests, TextWriter answers)
    {
        var (last, ways) = ("", Array.Empty<Way>());
        while (requests.ReadLine()?.Split(' ') is [var set, var verb, var seconds, var warmUp])
        {
            if (last != set + verb)
            {
                last = set + verb;
                ways = [.. Ways(folder, MeasuredSets.All.First(known => known.Name == set), verb == "read")];
                foreach (var way in ways)
                    _ = Nanoseconds(way.Work, Seconds(warmUp));
            }

            foreach (var way in ways)
            {
                var time = Nanoseconds(way.Work, Seconds(seconds));
                answers.WriteLine(new PeerLine(way.Library, Version(way.Library), way.Name, set, verb, way.Bytes, time, way.Why).ToJson());
            }

            answers.WriteLine();
            answers.Flush();
        }
    }

    static IEnumerable<Way> Ways(string folder, MeasuredSet set, bool reads)
    {
        var wire = File.ReadAllBytes(Path.Combine(folder, set.Name + ".bin"));
        foreach (var (library, way, work) in set.Cells.Of(reads, wire, new byte[wire.Length]))
        {
            yield return new(library, way, work, wire.Length, WritesTheSame(set, wire, library) ? null : "writes other bytes");
        }
    }

    static double Seconds(string text) => double.Parse(text, CultureInfo.InvariantCulture);

    static bool WritesTheSame(MeasuredSet set, byte[] wire, string library)
    {
        var output = new byte[wire.Length];
        return set.Cells.Of(reads: false, wire, output).Where(cell => cell.Library == library)
            .All(cell => cell.Work() == wire.Length && output.AsSpan().SequenceEqual(wire));
    }

    /// <summary>The processor time of an operation, with that of the collector and of the JIT, which run in threads of their own.</summary>
    static double Nanoseconds(Func<int> work, double seconds)
    {
        var start = Environment.CpuUsage.TotalTime;
        long operations = 0, batch = 1;
        while (true)
        {
            for (var i = 0L; i < batch; i++)
                work();
            operations += batch;
            var used = Environment.CpuUsage.TotalTime - start;
            if (used.TotalSeconds >= seconds)
                return used.TotalNanoseconds / operations;
            if (used.TotalSeconds < seconds / 20)
                batch *= 2; // asking for the time takes about a microsecond
        }
    }

    static string Version(string library)
    {
        var type = library == "Slab" ? typeof(WireFormatException) : typeof(IMessage);
        return FileVersionInfo.GetVersionInfo(type.Assembly.Location).ProductVersion!.Split('+')[0];
    }

    sealed record Way(string Library, string Name, Func<int> Work, int Bytes, string? Why);
}

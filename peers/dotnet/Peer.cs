using System.Diagnostics;
using System.Globalization;

namespace ProtoBench.Peers;

/// <summary>A way to do what is measured. Nanoseconds runs it for about so many seconds, and returns the time of an operation.</summary>
sealed record Way(string Library, string Version, string Name, int Bytes, Func<double, double> Nanoseconds, string? Why = null)
{
    /// <summary>The processor time of an operation, with that of the collector and of the JIT, which run in threads of their own.</summary>
    public static Func<double, double> ProcessorTime(Action work) => seconds =>
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
    };

    /// <summary>The version of the package that the type is of.</summary>
    public static string VersionOf(Type type) => FileVersionInfo.GetVersionInfo(type.Assembly.Location).ProductVersion!.Split('+')[0];
}

/// <summary>The form of every program of this folder. It reads lines "SET VERB SECONDS WARM-UP", measures each of its ways for so long,
/// and answers with a line of JSON for each, and an empty line. Before the first measurement it checks itself, and warms up.</summary>
static class Peer
{
    public static void Answer(TextReader requests, TextWriter answers, Func<string, string, IEnumerable<Way>> waysOf)
    {
        var (last, ways) = ("", Array.Empty<Way>());
        while (requests.ReadLine()?.Split(' ') is [var set, var verb, var seconds, var warmUp])
        {
            if (last != set + verb)
            {
                last = set + verb;
                ways = [.. waysOf(set, verb)];
                foreach (var way in ways)
                    _ = way.Nanoseconds(Seconds(warmUp));
            }

            foreach (var way in ways)
            {
                var time = way.Nanoseconds(Seconds(seconds));
                answers.WriteLine(new PeerLine(way.Library, way.Version, way.Name, set, verb, way.Bytes, time, way.Why).ToJson());
            }

            answers.WriteLine();
            answers.Flush();
        }
    }

    static double Seconds(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}

using System.Diagnostics;

namespace ProtoBench.DuetExperiment;

/// <summary>A process that computes on one core half of the time, in stays of 2 s on average, until its standard input ends.</summary>
static class Burst
{
    const double stay = 2;

    public static int Run(int seed)
    {
        var random = new Random(seed);
        var ended = Task.Run(Console.In.ReadToEnd); // the parent's end closes it, also when the parent is killed
        var sum = 0.0;
        while (!ended.IsCompleted)
        {
            var until = Stopwatch.GetTimestamp() + (long)(Draw() * Stopwatch.Frequency);
            while (Stopwatch.GetTimestamp() < until && !ended.IsCompleted)
            {
                for (var i = 0; i < 10_000; i++)
                    sum += Math.Sqrt(i);
            }

            ended.Wait(TimeSpan.FromSeconds(Draw()));
        }

        return sum < 0 ? 1 : 0;
        double Draw() => -stay * Math.Log(1 - random.NextDouble());
    }
}

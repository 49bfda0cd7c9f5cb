using System.Globalization;

namespace ProtoBench.DuetExperiment;

/// <summary>What do duet, and repeat with compare, see of 0, 2, 5 and 10 % more work
/// while other programs compute in bursts? Prints the table of docs/duet.md.</summary>
static class Program
{
    static async Task<int> Main(string[] args)
    {
        if (args is ["burst", var seed])
            return Burst.Run(int.Parse(seed, CultureInfo.InvariantCulture));
        if (args.Length > 4 || (args.Length > 0 && !args[0].All(char.IsAsciiDigit)))
        {
            await Console.Error.WriteLineAsync(
                "DuetExperiment [repetitions 20] [cell MeasureMore|DecodeMore] [burst processes 4] [duet|repeat|both]");
            return 2;
        }

        var repetitions = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 20;
        var cell = args.Length > 1 ? args[1] : "MeasureMore";
        var bursts = args.Length > 2 ? int.Parse(args[2], CultureInfo.InvariantCulture) : 4;
        var ways = args.Length > 3 ? args[3] : "both";
        using var load = new Load(bursts);
        var experiment = new Experiment(cell);
        for (var i = 1; i <= repetitions; i++)
        {
            if (ways != "repeat")
                await experiment.DuetAsync(i);
            if (ways != "duet")
                await experiment.RepeatAsync(i);
            await Console.Error.WriteLineAsync($"repetition {i} of {repetitions}\n{experiment.Table()}");
        }

        await Console.Out.WriteLineAsync(experiment.Table());
        return 0;
    }
}

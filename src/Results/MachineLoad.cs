using System.Globalization;

namespace ProtoBench.Results;

public static class MachineLoad
{
    const string file = "/proc/loadavg";

    /// <summary>A sentence if more programs want to run than there are cores, on average over the last minute; null otherwise, and where
    /// the system does not tell. A run that uses all cores itself asks before it begins.</summary>
    public static string? Now() => File.Exists(file) ? Of(File.ReadAllText(file), Environment.ProcessorCount) : null;

    public static string? Of(string loadavg, int cores) =>
        double.TryParse(loadavg.Split(' ')[0], CultureInfo.InvariantCulture, out var load) && load > cores + 0.5
            ? string.Create(CultureInfo.InvariantCulture, $"The machine was busy: {load:F0} programs on {cores} core{(cores == 1 ? "" : "s")}.")
            : null;

    /// <summary>Writes the sentence, if there is one.</summary>
    public static void Write(TextWriter output, string? sentence)
    {
        if (sentence is not null)
            output.WriteLine(sentence);
    }
}

using System.Diagnostics;

namespace ProtoBench.DuetExperiment;

/// <summary>Processes that compute in bursts, for as long as this lives.</summary>
sealed class Load : IDisposable
{
    readonly List<Process> processes = [];

    public Load(int count)
    {
        for (var seed = 1; seed <= count; seed++)
            processes.Add(
                Process.Start(
                    new ProcessStartInfo("dotnet",
                        [typeof(Load).Assembly.Location, "burst", $"{seed}"])
                    { RedirectStandardInput = true })!);
    }

    public void Dispose()
    {
        foreach (var process in processes)
        {
            process.StandardInput.Close();
            if (!process.WaitForExit(TimeSpan.FromSeconds(30)))
                process.Kill();
            process.Dispose();
        }
    }
}

using BenchmarkDotNet.EventProcessors;

namespace ProtoBench.Running;

/// <summary>Stops the run after the measured programs are built and before the first cell runs. Native code takes minutes of all cores to
/// compile. The user can build it while the machine is busy, and measure when it is quiet.</summary>
/// <param name="console">Where to say that the run waits.</param>
/// <param name="input">The run goes on after a line of it, or at its end.</param>
sealed class Pause(TextWriter console, TextReader input) : EventProcessor
{
    public override void OnEndBuildStage()
    {
        console.WriteLine("// Everything is built. Press Enter to measure.");
        console.Flush();
        _ = input.ReadLine();
    }
}

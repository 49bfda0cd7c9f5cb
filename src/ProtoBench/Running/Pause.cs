using BenchmarkDotNet.EventProcessors;

namespace ProtoBench.Running;

/// <summary>Pauses the run after the measured programs are built and before the first cell runs. Compiling native code takes minutes on all
/// cores. The user can build it while the machine is busy, and measure when it is idle.</summary>
/// <param name="console">Receives the message that the run waits.</param>
/// <param name="input">The run continues after a line of this reader, or at its end.</param>
sealed class Pause(TextWriter console, TextReader input) : EventProcessor
{
    public override void OnEndBuildStage()
    {
        console.WriteLine("// Everything is built. Press Enter to measure.");
        console.Flush();
        _ = input.ReadLine();
    }
}

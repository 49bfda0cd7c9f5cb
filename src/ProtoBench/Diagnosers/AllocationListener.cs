using System.Buffers.Binary;
using System.Diagnostics.Tracing;
using System.Runtime.InteropServices;
using BenchmarkDotNet.Engines;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace ProtoBench.Diagnosers;

/// <summary>
/// Listens, from outside, to a process's sampled allocations between the start and the stop of BenchmarkDotNet's measured iterations, so that jitting, warm-up and the engine's own objects stay
/// out. Ends with the process.
/// </summary>
public sealed class AllocationListener : IDisposable
{
    // dotnet/runtime, ClrEtwAll.man: keyword AllocationSamplingKeyword, event AllocationSampled. TraceEvent 3.1.21 does not know them by name.
    const long allocationSampling = 0x80000000000;
    const int allocationSampled = 303;

    static readonly Guid engine = EventSource.GetGuid(typeof(EngineEventSource));

    readonly AllocationSamples samples = new();
    readonly EventPipeSession session;
    readonly Task reading;
    readonly bool allThreads;
    int measuring; // the thread of the iteration that runs; 0 between them

    /// <summary>Starts to listen.</summary>
    /// <param name="processId">A process of .NET 10, on this machine, of this user.</param>
    /// <param name="allThreads">For cells whose work moves between threads; else only the thread that runs the iterations counts.</param>
    public AllocationListener(int processId, bool allThreads)
    {
        this.allThreads = allThreads;
        session = new DiagnosticsClient(processId).StartEventPipeSession(
        [
            new(ClrTraceEventParser.ProviderName, EventLevel.Informational, allocationSampling),
            new(EngineEventSource.SourceName, EventLevel.Informational, (long)EventKeywords.All),
        ], requestRundown: false);
        reading = Task.Run(Read);
    }

    /// <summary>Waits for the end of the process, or of the session, and gives what was heard.</summary>
    public AllocationSamples Finish()
    {
        reading.Wait();
        return samples;
    }

    /// <summary>Ends the session while the process goes on.</summary>
    public void Stop() => session.Stop();

    public void Dispose() => session.Dispose();

    /// <summary>What the payload of an AllocationSampled event says: kind (4 bytes), instance (2), type id (8), type name (UTF-16, ended by zero), address (8), size (8), offset (8).</summary>
    internal static AllocatedObject Decode(ReadOnlySpan<byte> payload)
    {
        const int nameAt = 14;
        var name = MemoryMarshal.Cast<byte, char>(payload[nameAt..]);
        var length = name.IndexOf('\0');
        return new(name[..length].ToString(), BinaryPrimitives.ReadInt64LittleEndian(payload[(nameAt + ((length + 1) * sizeof(char)) + sizeof(long))..]));
    }

    void Read()
    {
        using var source = new EventPipeEventSource(session.EventStream);
        source.AllEvents += Hear;
        source.Process();
    }

    void Hear(TraceEvent heard)
    {
        if (heard.ProviderGuid == engine)
        {
            if ((int)heard.ID == EngineEventSource.WorkloadActualStartEventId)
            {
                measuring = heard.ThreadID;
                samples.AddOperations(BinaryPrimitives.ReadInt64LittleEndian(heard.EventData()));
            }
            else if ((int)heard.ID == EngineEventSource.WorkloadActualStopEventId)
            {
                measuring = 0;
            }
        }
        else if (measuring != 0 && (int)heard.ID == allocationSampled && heard.ProviderGuid == ClrTraceEventParser.ProviderGuid && (allThreads || heard.ThreadID == measuring))
        {
            samples.Add(Decode(heard.EventData()));
        }
    }
}

using System.Buffers.Binary;
using System.Diagnostics;
using System.Diagnostics.Tracing;
using BenchmarkDotNet.Engines;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace ProtoBench.Harness;

/// <summary>The runtime counts every object and reports them in batches of one type. Only events between the start and the stop of
/// BenchmarkDotNet's measured iterations are read, which excludes the JIT, the warm-up and the engine's own objects.</summary>
static class AllocationTrace
{
    // dotnet/runtime, ClrEtwAll.man: GCSampledObjectAllocationHighKeyword, which the runtime reads only when it starts, because it selects
    // the allocator. TypeKeyword and GCHeapAndTypeNamesKeyword need each other.
    const long countedAllocations = 0x200000;
    const long typeNames = 0x80000 | 0x1000000;

    public static void Enable(ProcessStartInfo process, string file)
    {
        process.Environment["DOTNET_EnableEventPipe"] = "1";
        process.Environment["DOTNET_EventPipeOutputPath"] = file;
        process.Environment["DOTNET_EventPipeConfig"] =
            $"{ClrTraceEventParser.ProviderName}:0x{countedAllocations | typeNames:X}:{(int)EventLevel.Verbose},{EngineEventSource.SourceName}:0x{ulong.MaxValue:X}:{(int)EventLevel.Informational}";
    }

    /// <param name="allThreads">For cells whose work moves between threads. It includes the runtime's own threads.</param>
    public static AllocatedObjects Read(string file, bool allThreads)
    {
        var engine = EventSource.GetGuid(typeof(EngineEventSource));
        var types = new Dictionary<ulong, string>();
        var objects = new AllocatedObjects();
        var measuring = 0; // the thread of the current iteration; 0 between iterations
        using var source = new EventPipeEventSource(file);
        source.Clr.TypeBulkType += bulk =>
        {
            for (var i = 0; i < bulk.Count; i++)
                types[bulk.Values(i).TypeID] = bulk.Values(i).TypeName;
        };
        source.Clr.GCSampledObjectAllocation += batch =>
        {
            if (measuring != 0 && (allThreads || batch.ThreadID == measuring))
                objects.Add(types.GetValueOrDefault(batch.TypeID, "?"), batch.ObjectCountForTypeSample);
        };
        source.AllEvents += heard =>
        {
            if (heard.ProviderGuid != engine)
                return;
            if ((int)heard.ID == EngineEventSource.WorkloadActualStartEventId)
            {
                measuring = heard.ThreadID;
                objects.AddOperations(BinaryPrimitives.ReadInt64LittleEndian(heard.EventData()));
            }
            else if ((int)heard.ID == EngineEventSource.WorkloadActualStopEventId)
            {
                measuring = 0;
            }
        };
        source.Process();
        return objects;
    }
}

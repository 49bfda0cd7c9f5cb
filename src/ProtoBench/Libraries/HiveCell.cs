using BenchmarkDotNet.Running;
using ProtoBench.Payloads;
using ProtoBench.Results;

namespace ProtoBench;

/// <summary><c>{Verb}{Message}{Library}[_{Buffer}][_{Memory}][_Cold]</c>, so that cells do not repeat what derives from it.</summary>
/// <param name="Buffer">One of the library's buffers; empty for Measure.</param>
/// <param name="Memory">One of the library's memory forms; empty for its default. H: leaves in recycled slab memory. A: leaves alias the
/// caller's bytes. M: as H, with items in memory without a pool. T: as H, with roots from a thread-static pool. P: leaves from
/// ArrayPool.</param>
public sealed record HiveCell(HiveVerb Verb, HiveMessage Message, MeasuredLibrary Library, string Buffer, string Memory, bool Cold)
{
    const string cold = "Cold";

    /// <summary>Null if it is not the name of a hive cell, or has a library, buffer or memory form that is not registered.</summary>
    public static HiveCell? Parse(string name)
    {
        var parts = CellName.Benchmark(name, "", name, [], job: null);
        if (!Enum.TryParse<HiveVerb>(parts["verb"], out var verb) || !Enum.TryParse<HiveMessage>(parts["message"], out var message)
            || parts["library"] is not { } spelling || MeasuredLibraries.Find(spelling) is not { } library)
            return null;
        var buffer = parts["buffer"] ?? "";
        var forms = parts["memory"]?.Split('_') ?? [];
        var memory = forms.FirstOrDefault(form => form != cold) ?? "";
        var known = (buffer.Length == 0 || library.Buffers.Contains(buffer))
            && (memory.Length == 0 || library.MemoryForms.Contains(memory));
        return known ? new(verb, message, library, buffer, memory, forms.Contains(cold)) : null;
    }

    public static HiveCell? Of(BenchmarkCase cell) => Parse(cell.Descriptor.WorkloadMethod.Name);

    public IReadOnlyList<string> Categories => [Verb.ToString(), Message.ToString()];

    public (HiveVerb Verb, HiveMessage Message, int Library) Place => (Verb, Message, Library.Order);

    public static int Items => Hive.Items;

    public CellFacts Facts => new(Verb.ToString(), Message.ToString(), Library.Cell, Text(Buffer),
        Text(string.Join('_', new[] { Memory, Cold ? cold : "" }.Where(form => form.Length > 0))), Items);

    static string? Text(string part) => part.Length == 0 ? null : part;

    public int WireBytes => Library.BytesOf(Message);
}

using ProtoBench.Benchmarks;
using ProtoBench.Report.Charts;
using ProtoBench.Results;

namespace ProtoBench;

/// <summary>Lists the libraries of all tables. Each has a file with its entry and its cells, <c>Benchmarks/NAMELibrary.cs</c>.</summary>
public static class MeasuredLibraries
{
    public static IReadOnlyList<MeasuredLibrary> Registered { get; } =
    [
        GoogleLibrary.Entry,
        GoogleLibrary.Bytes,
        ProtobufNetLibrary.Entry,
        ProtobufNetRuntimeLibrary.Entry,
        MessagePackLibrary.Entry,
        NerdbankLibrary.Entry,
        MemoryPackLibrary.Entry,
        OrleansLibrary.Entry,
        CborLibrary.Entry,
        FlatBuffersLibrary.Entry,
        SystemTextJsonLibrary.Entry,
        SlabLibrary.Entry,
        FloorLibrary.Entry,
    ];

    /// <summary>Those that read and write the hive. The first is the reference.</summary>
    public static IReadOnlyList<MeasuredLibrary> All { get; } = [.. Registered.Where(library => library.Codec is not null)];

    public static IReadOnlyList<LibraryFacts> Facts { get; } =
        [.. Registered.Select(library => new LibraryFacts(library.Cell, library.Label, CodecColours.Of(library.Cell) ?? library.Order))];

    public static MeasuredLibrary? Find(string cell) => Registered.FirstOrDefault(library => library.Cell == cell);
}

namespace ProtoBench.Benchmarks;

/// <summary>Registers FlatBuffers. Its cells are in DataSetFlatBuffers.cs. The verb <c>new</c> does not copy them, because they need
/// code of flatc.</summary>
static class FlatBuffersLibrary
{
    public static MeasuredLibrary Entry { get; } =
        new("FlatBuffers", "Google.FlatBuffers", Order: 48, Package: "Google.FlatBuffers", HasOwnFormat: true);
}

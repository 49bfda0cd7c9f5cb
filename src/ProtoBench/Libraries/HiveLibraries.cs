using Google.Protobuf;
using ProtoBench.Benchmarks;
using ProtoBench.Codec;
using ProtoBench.Gpb;
using ProtoBench.Payloads;
using ProtoBench.Pbn;
using ProtoBench.Results;
using ProtoBench.SlabProtobuf;
using ProtoBuf;

namespace ProtoBench.Libraries;

/// <summary>Lists the libraries of the hive's table. A new library is a property and an entry of <see cref="Registered"/>.</summary>
public static class HiveLibraries
{
    static HiveLibrary Google { get; } = new()
    {
        Cell = "Google",
        Label = "Google.Protobuf",
        Order = 0,
        Colour = 1,
        Buffers = ["BA", "MS", "CS", "ROM", "ROS", "PR", "BW", "PW"],
        MemoryForms = ["H", "A"],
        Package = "Google.Protobuf",
        Assembly = typeof(MessageParser).Assembly,
        Codec = new(
            Gpb.ForwardRequest.Parser.ParseFrom,
            Gpb.ForwardResponse.Parser.ParseFrom,
            static message => ((IMessage)message).ToByteArray(),
            static message => message switch
            {
                Gpb.ForwardRequest request => request.Fingerprint(),
                Gpb.ForwardResponse response => response.Fingerprint(),
                _ => null,
            })
        {
            Written = LibraryCodec.ProtobufWritten(MixedOrder.Regular),
        },
    };

    // The response has no itemId, so there is one Gpb.ForwardResponse for both schemas.
    static HiveLibrary GoogleBytes { get; } = Google with
    {
        Cell = "GoogleBytes",
        Label = "Google.Protobuf, bytes for strings",
        Order = 1,
        Colour = 4,
        Buffers = ["BA"],
        MemoryForms = [],
        Codec = Google.Codec! with
        {
            ParseRequest = GpbBytes.ForwardRequest.Parser.ParseFrom,
            FingerprintOf = static message => message is GpbBytes.ForwardRequest request
            ? request.Fingerprint() : Google.Codec!.FingerprintOf(message),
        },
    };

    static HiveLibrary ProtobufNet { get; } = new()
    {
        Cell = "PBN",
        Label = "protobuf-net",
        Order = 10,
        Colour = 3,
        Buffers = ["MS", "CS", "ROM", "ROS", "PR", "BW", "PW"],
        MemoryForms = ["H", "M", "T", "P"],
        Package = "protobuf-net",
        Assembly = typeof(Serializer).Assembly,
        Codec = new(
            static bytes => Serializer.Deserialize<Pbn.ForwardRequest>((ReadOnlyMemory<byte>)bytes),
            static bytes => Serializer.Deserialize<Pbn.ForwardResponse>((ReadOnlyMemory<byte>)bytes),
            static message =>
            {
                using var stream = new MemoryStream();
                Serializer.NonGeneric.Serialize(stream, message);
                return stream.ToArray();
            },
            static message => message switch
            {
                Pbn.ForwardRequest request => request.Fingerprint(),
                Pbn.ForwardResponse response => response.Fingerprint(),
                Pbn.SlabRequest request => request.Fingerprint(),
                Pbn.SlabResponse response => response.Fingerprint(),
                _ => null,
            })
        {
            Written = LibraryCodec.ProtobufWritten(MixedOrder.KnownOnly), // plain contracts do not keep unknown fields
        },
    };

    static HiveLibrary Slab { get; } = new()
    {
        Cell = "Slab",
        Label = "slab codec",
        Order = 20,
        Colour = 2,
        Buffers = ["BA", "MS", "CS", "ROM", "ROS", "PR", "BW", "PW", "Pooled"],
        MemoryForms = ["A"],
        Package = "ProtoBench.Codec",
        Assembly = typeof(WireFormatException).Assembly,
        Codec = new(
            static wire => SlabMessages.Parsed<SlabProtobuf.ForwardRequest>(wire),
            static wire => SlabMessages.Parsed<SlabProtobuf.ForwardResponse>(wire),
            static message => message is Message<SlabProtobuf.ForwardRequest> request
            ? request.ToByteArray() : ((Message<SlabProtobuf.ForwardResponse>)message).ToByteArray(),
            static message => message switch
            {
                Message<SlabProtobuf.ForwardRequest> request => request.Value.Fingerprint(),
                Message<SlabProtobuf.ForwardResponse> response => response.Value.Fingerprint(),
                _ => null,
            })
        {
            Written = LibraryCodec.ProtobufWritten(MixedOrder.Regular),
        },
    };

    static HiveLibrary Floor { get; } = new()
    {
        Cell = "Floor",
        Label = "lower bound",
        Order = 100,
        Colour = 0,
        Buffers = ["Copy", "Walk"],
    };

    /// <summary>Gets every entry of the table, including lower bounds, in the order of the table.</summary>
    public static IReadOnlyList<HiveLibrary> Registered { get; } = [Google, GoogleBytes, ProtobufNet, Slab, Floor];

    /// <summary>Gets the libraries that read and write. The first is the reference.</summary>
    public static IReadOnlyList<HiveLibrary> All { get; } = [.. Registered.Where(library => library.Codec is not null)];

    /// <summary>Gets how pages show every entry of the table.</summary>
    public static IReadOnlyList<LibraryFacts> Facts { get; } =
        [.. Registered.Select(library => new LibraryFacts(library.Cell, library.Label, library.Colour))];

    /// <summary>Returns the entry with this name in cells; null if there is none.</summary>
    public static HiveLibrary? Find(string cell) => Registered.FirstOrDefault(library => library.Cell == cell);
}

namespace ProtoBench.Report.Charts;

/// <summary>The colour of each codec, the same on every page. Nothing that is not a codec has one of these colours.</summary>
public static class CodecColours
{
    static readonly Dictionary<string, int> numbers = new(
        from codec in new (int Number, string[] Names)[]
        {
            (0, ["Floor", "raw"]),
            (1, ["Google", "GoogleSlab", "GoogleAlias", "GRPC", "GRPCStream", "GRPCDefaults", "ProtoRPC", "ProtoHTTP1", "ProtoHTTP2"]),
            (2, ["Slab", "SlabAlias", "GRPCSlab", "ProtoRPCSlab"]),
            (3, ["PBN", "PBNRuntime", "PBNSlab", "pbn-runtime", "pbn-slab", "pbn-pool", "GRPCProtobufNet"]),
            (4, ["GoogleBytes"]),
            (5, ["MessagePack"]),
            (6, ["MemoryPack"]),
            (7, ["SystemTextJson"]),
            (8, ["Nerdbank"]),
            (9, ["Orleans"]),
            (10, ["Cbor"]),
            (11, ["FlatBuffers"]),
        }
        from name in codec.Names
        select KeyValuePair.Create(name, codec.Number), StringComparer.OrdinalIgnoreCase);

    /// <summary>The number of a codec's colour, from 0, the grey of lower bounds, to 11; null for what is no known codec.</summary>
    public static int? Of(string? name) => name is not null && numbers.TryGetValue(name, out var number) ? number : null;

    /// <summary>The number of the colour of the codec that a benchmark's method ends with, before any suffix; null without one:
    /// <c>ReadDeepSlab</c> and <c>Decode_Slab</c> are Slab's, <c>Growing_SlabBufferWriter</c> is no codec's.</summary>
    public static int? OfMethod(string method) =>
        method.Split('_').Select(part => Of(part) ?? Of(numbers.Keys.Where(name => EndsWith(part, name)).MaxBy(name => name.Length)))
            .FirstOrDefault(number => number is not null);

    // as a word: "withdraw" does not end with "raw"
    static bool EndsWith(string part, string name) => char.IsUpper(name[0]) && part.EndsWith(name, StringComparison.Ordinal);
}

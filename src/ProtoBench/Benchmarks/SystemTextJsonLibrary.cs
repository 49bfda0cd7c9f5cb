using System.Buffers;
using System.Text.Json;
using BenchmarkDotNet.Attributes;
using ProtoBench.Harness;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

/// <summary>Registers System.Text.Json with generated serializers.</summary>
static class SystemTextJsonLibrary
{
    public static MeasuredLibrary Entry { get; } =
        new("SystemTextJson", "System.Text.Json", Order: 50, HasOwnFormat: true, ColorGroups: SystemTextJsonColors.Format);
}

public partial class FormatBenchmarks
{
    [Benchmark]
    public long MarshalBySystemTextJson()
    {
        var to = Sink.BW;
        JsonSerializer.Serialize(SystemTextJsonColors.Writer(to), SystemTextJsonColors.Reds, Json.GeneratedJson.Default.ColorGroup);
        return to.WrittenCount;
    }

    [Benchmark]
    public byte[] MarshalBySystemTextJson_BA() =>
        JsonSerializer.SerializeToUtf8Bytes(SystemTextJsonColors.Reds, Json.GeneratedJson.Default.ColorGroup);

    [Benchmark]
    public Json.ColorGroup UnmarshalBySystemTextJson() =>
        JsonSerializer.Deserialize(SystemTextJsonColors.RedsBytes, Json.GeneratedJson.Default.ColorGroup)!;
}

public partial class FormatListBenchmarks
{
    Json.ColorGroups json = new([]);

    [GlobalSetup(Targets = [nameof(MarshalManyBySystemTextJson), nameof(UnmarshalManyBySystemTextJson)])]
    public void SetupJson() => (json, bytes) = (SystemTextJsonColors.From(Set.Rows), SystemTextJsonColors.Format.WriteMany(Set.Rows));

    [Benchmark]
    public long MarshalManyBySystemTextJson()
    {
        var to = Sink.BW;
        JsonSerializer.Serialize(SystemTextJsonColors.Writer(to), json, Json.GeneratedJson.Default.ColorGroups);
        return to.WrittenCount;
    }

    [Benchmark]
    public Json.ColorGroups UnmarshalManyBySystemTextJson() => JsonSerializer.Deserialize(bytes, Json.GeneratedJson.Default.ColorGroups)!;
}

static class SystemTextJsonColors
{
    static readonly Utf8JsonWriter writer = new(new ArrayBufferWriter<byte>());

    public static readonly Json.ColorGroup Reds = From(ColorRow.Reds);
    public static readonly byte[] RedsBytes = Format.WriteOne(ColorRow.Reds);

    public static ColorFormat Format => ColorFormat.Of(
        "SystemTextJson",
        row => JsonSerializer.SerializeToUtf8Bytes(From(row), Json.GeneratedJson.Default.ColorGroup),
        bytes => JsonSerializer.Deserialize(bytes, Json.GeneratedJson.Default.ColorGroup)!,
        rows => JsonSerializer.SerializeToUtf8Bytes(From(rows), Json.GeneratedJson.Default.ColorGroups),
        bytes => JsonSerializer.Deserialize(bytes, Json.GeneratedJson.Default.ColorGroups)!,
        RowOf,
        groups => groups.Groups);

    public static Json.ColorGroup From(ColorRow row) => new(row.Id, row.Name, row.Colors);

    public static Json.ColorGroups From(IEnumerable<ColorRow> rows) => new([.. rows.Select(From)]);

    /// <summary>Returns the reused writer at the start of <paramref name="output"/>. The other formats reuse theirs too.</summary>
    public static Utf8JsonWriter Writer(IBufferWriter<byte> output)
    {
        writer.Reset(output);
        return writer;
    }

    static ColorRow RowOf(Json.ColorGroup group) => new(group.Id, group.Name, group.Colors);
}

public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    Utf8JsonWriter? json;

    static ComparedLibrary ComparedSystemTextJson => OfOwnFormat("SystemTextJson", "System.Text.Json", typeof(JsonSerializer),
        plain => JsonSerializer.SerializeToUtf8Bytes(plain, TSet.Json), bytes => JsonSerializer.Deserialize(bytes, TSet.Json)!);

    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("SystemTextJson")]
    public long SerializeSetSystemTextJson()
    {
        var to = To;
        JsonSerializer.Serialize(JsonTo(to), content.Plain.Next, TSet.Json);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("SystemTextJson")]
    public TPlain DeserializeSetSystemTextJson() => JsonSerializer.Deserialize(content.SystemTextJson.Next, TSet.Json)!;

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("SystemTextJson")]
    public long DeserializeTouchSetSystemTextJson() => TSet.Touch(JsonSerializer.Deserialize(content.SystemTextJson.Next, TSet.Json)!);

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("SystemTextJson")]
    public long MakeSetSystemTextJson()
    {
        var to = To;
        JsonSerializer.Serialize(JsonTo(to), TSet.MakePlain(content.Source.Next), TSet.Json);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("SystemTextJson")]
    public long MakeNewSetSystemTextJson()
    {
        var to = To;
        JsonSerializer.Serialize(JsonTo(to), TSet.MakePlainNew(content.Source.Next), TSet.Json);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("SystemTextJson")]
    public long ForwardSetSystemTextJson()
    {
        var to = To;
        JsonSerializer.Serialize(JsonTo(to), JsonSerializer.Deserialize(content.SystemTextJson.Next, TSet.Json)!, TSet.Json);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("SystemTextJson")]
    public long ServeSetSystemTextJson()
    {
        var request = JsonSerializer.Deserialize(content.SystemTextJson.Next, TSet.Json)!;
        var sum = TSet.TouchThird(request);
        JsonSerializer.Serialize(JsonTo(To), TSet.Reply(request), TSet.Json);
        return sum;
    }

    Utf8JsonWriter JsonTo(IBufferWriter<byte> to)
    {
        json ??= new(to, new() { SkipValidation = true });
        json.Reset(to);
        return json;
    }

    sealed partial class Content
    {
        public Cycle<byte[]> SystemTextJson =>
            field ??= new([.. Messages.Select(one => JsonSerializer.SerializeToUtf8Bytes(ToPlain(one), TSet.Json))]);
    }
}

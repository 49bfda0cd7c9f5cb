namespace ProtoBench.New;

/// <summary>Writes the file with the cells, which have names like those of the hive's table.</summary>
static class BenchmarkFile
{
    public static string Write(ProjectNames names)
    {
        var (m, google, slab) = (names.Message, names.Google, names.Slab);
        return $$"""
            {{ProgramFile.Usings("System.Buffers", "BenchmarkDotNet.Attributes", "Google.Protobuf", "ProtoBench.Codec", "ProtoBench.Harness")}}

            /// <summary>Each cell is one call of one library on one message. Payloads are taken in turn,
            /// so a cell's time is the mean over its payloads.</summary>
            public partial class {{names.Class}}
            {
                readonly ArrayBufferWriter<byte> output = new(1 << 20);
                readonly Utf8StringPool strings = new();
                Cycle<byte[]> wire = null!;
                Cycle<{{google}}> google = null!;
                Cycle<Message<{{slab}}>> slab = null!;
                Message<{{slab}}> last;

                /// <summary>All payloads, or one class of sizes.</summary>
                [ParamsSource(nameof(Classes))]
                public string Payloads { get; set; } = PayloadSet.Mix;

                public static IEnumerable<string> Classes => Captured.Payloads.Classes;

                // A process measures one library and builds only that library's messages.
                [GlobalSetup(Targets = [{{Names("Google")}}])]
                public void LoadGoogle()
                {
                    var bytes = Captured.Payloads.Of(Payloads);
                    wire = new(bytes);
                    google = new([.. bytes.Select({{google}}.Parser.ParseFrom)]);
                }

                [GlobalSetup(Targets = [{{Names("Slab")}}])]
                public void LoadSlab()
                {
                    var bytes = Captured.Payloads.Of(Payloads);
                    wire = new(bytes);
                    last = {{slab}}.Rent();
                    slab = new([.. bytes.Select(Parsed)]);
                }

                [Benchmark(Baseline = true), BenchmarkCategory("Deserialize"), Measures("Google")]
                public {{google}} Deserialize{{m}}Google_BA() => {{google}}.Parser.ParseFrom(wire.Next);

                [Benchmark, BenchmarkCategory("Deserialize"), Measures("Slab")]
                public Message<{{slab}}> Deserialize{{m}}Slab_ROM()
                {
                    last.Dispose();
                    last = {{slab}}.Rent();
                    last.Parse(wire.Next.AsMemory());
                    return last;
                }

                [Benchmark(Baseline = true), BenchmarkCategory("DeserializeTouch"), Measures("Google")]
                public long DeserializeTouch{{m}}Google_BA() => ReadAll.Touch({{google}}.Parser.ParseFrom(wire.Next));

                [Benchmark, BenchmarkCategory("DeserializeTouch"), Measures("Slab")]
                public long DeserializeTouch{{m}}Slab_ROM()
                {
                    last.Dispose();
                    last = {{slab}}.Rent();
                    return ReadAll.Touch(last.Parse(wire.Next.AsMemory()));
                }

                // Google.Protobuf makes .NET strings while it parses.
                // The slab codec makes them when they are asked for: here all of them are.
                [Benchmark(Baseline = true), BenchmarkCategory("DeserializeStrings"), Measures("Google")]
                public long DeserializeStrings{{m}}Google_BA() => ReadAll.Touch({{google}}.Parser.ParseFrom(wire.Next));

                [Benchmark, BenchmarkCategory("DeserializeStrings"), Measures("Slab")]
                public long DeserializeStrings{{m}}Slab_ROM()
                {
                    last.Dispose();
                    last = {{slab}}.Rent();
                    return ReadAll.Strings(last.Parse(wire.Next.AsMemory()));
                }

                // A pool gives the same string again where a text repeats.
                [Benchmark, BenchmarkCategory("DeserializeStrings"), Measures("Slab", Form = "pooled")]
                public long DeserializeStrings{{m}}Slab_Pooled()
                {
                    last.Dispose();
                    last = {{slab}}.Rent();
                    return ReadAll.Strings(last.Parse(wire.Next.AsMemory()), strings);
                }

                [Benchmark(Baseline = true), BenchmarkCategory("Measure"), Measures("Google")]
                public int Measure{{m}}Google() => google.Next.CalculateSize();

                [Benchmark, BenchmarkCategory("Measure"), Measures("Slab")]
                public int Measure{{m}}Slab() => slab.Next.CalculateSize();

                [Benchmark(Baseline = true), BenchmarkCategory("Serialize"), Measures("Google")]
                public void Serialize{{m}}Google_BW() { output.ResetWrittenCount(); google.Next.WriteTo(output); }

                [Benchmark, BenchmarkCategory("Serialize"), Measures("Slab")]
                public void Serialize{{m}}Slab_BW() { output.ResetWrittenCount(); slab.Next.WriteTo(output); }

                // What a gRPC marshaller does: the size first, then the bytes.
                [Benchmark(Baseline = true), BenchmarkCategory("MeasureSerialize"), Measures("Google")]
                public int MeasureSerialize{{m}}Google_BW()
                {
                    output.ResetWrittenCount();
                    var message = google.Next;
                    var size = message.CalculateSize();
                    message.WriteTo(output);
                    return size;
                }

                [Benchmark, BenchmarkCategory("MeasureSerialize"), Measures("Slab")]
                public int MeasureSerialize{{m}}Slab_BW()
                {
                    output.ResetWrittenCount();
                    var message = slab.Next;
                    var size = message.CalculateSize();
                    message.WriteTo(output);
                    return size;
                }

                static Message<{{slab}}> Parsed(byte[] bytes)
                {
                    var message = {{slab}}.Rent();
                    message.Parse(bytes);
                    return message;
                }
            }

            /// <summary>The payloads, from the folder beside the program.</summary>
            static class Captured
            {
                static readonly Lazy<PayloadSet> payloads = new(() => PayloadSet.Find("payloads"));

                public static PayloadSet Payloads => payloads.Value;
            }

            """;

        string Names(string library) =>
            string.Join(", ", (string[])
            [
                .. from verb in (string[])["Deserialize", "DeserializeTouch", "DeserializeStrings", "Measure", "Serialize", "MeasureSerialize"]
                select $"nameof({verb}{m}{library}{Buffer(verb, library)})",
                .. library == "Slab" ? [$"nameof(DeserializeStrings{m}Slab_Pooled)"] : (string[])[],
            ]);

        static string Buffer(string verb, string library) =>
            verb == "Measure" ? "" : verb.StartsWith('D') ? library == "Google" ? "_BA" : "_ROM" : "_BW";
    }
}

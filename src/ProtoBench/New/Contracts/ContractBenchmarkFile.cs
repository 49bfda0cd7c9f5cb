namespace ProtoBench.New.Contracts;

/// <summary>Writes the cells of protobuf-net, and its part of the check before the measurement.</summary>
static class ContractBenchmarkFile
{
    public static string Write(ProjectNames names)
    {
        var (m, type) = (names.Message, ContractNames.TypeName(names.GoogleMessage));
        return $$"""
            {{ProgramFile.Usings("System.Buffers", "BenchmarkDotNet.Attributes", "ProtoBench.Harness", "ProtoBuf")}}

            // Compiled only where the contracts of protobuf-net could be built: see ProtobufNet.targets.

            public partial class {{names.Class}}
            {
                Cycle<{{type}}> contracts = null!;

                [GlobalSetup(Targets = [nameof(Deserialize{{m}}PBN_ROM), nameof(DeserializeTouch{{m}}PBN_ROM),
                    nameof(DeserializeStrings{{m}}PBN_ROM), nameof(Measure{{m}}PBN), nameof(Serialize{{m}}PBN_BW),
                    nameof(MeasureSerialize{{m}}PBN_BW)])]
                public void LoadProtobufNet()
                {
                    var bytes = Captured.Payloads.Of(Payloads);
                    wire = new(bytes);
                    contracts = new([.. bytes.Select(one => Serializer.Deserialize<{{type}}>((ReadOnlyMemory<byte>)one))]);
                }

                [Benchmark, BenchmarkCategory("Deserialize"), Measures("PBN")]
                public {{type}} Deserialize{{m}}PBN_ROM() =>
                    Serializer.Deserialize<{{type}}>((ReadOnlyMemory<byte>)wire.Next);

                [Benchmark, BenchmarkCategory("DeserializeTouch"), Measures("PBN")]
                public long DeserializeTouch{{m}}PBN_ROM() =>
                    {{ContractFile.Root}}.ReadAll.Touch(Serializer.Deserialize<{{type}}>((ReadOnlyMemory<byte>)wire.Next));

                // protobuf-net makes .NET strings while it parses.
                [Benchmark, BenchmarkCategory("DeserializeStrings"), Measures("PBN")]
                public long DeserializeStrings{{m}}PBN_ROM() =>
                    {{ContractFile.Root}}.ReadAll.Touch(Serializer.Deserialize<{{type}}>((ReadOnlyMemory<byte>)wire.Next));

                [Benchmark, BenchmarkCategory("Measure"), Measures("PBN")]
                public long Measure{{m}}PBN()
                {
                    using var measured = Serializer.Measure(contracts.Next);
                    return measured.Length;
                }

                [Benchmark, BenchmarkCategory("Serialize"), Measures("PBN")]
                public void Serialize{{m}}PBN_BW() { output.ResetWrittenCount(); Serializer.Serialize(output, contracts.Next); }

                [Benchmark, BenchmarkCategory("MeasureSerialize"), Measures("PBN")]
                public long MeasureSerialize{{m}}PBN_BW()
                {
                    output.ResetWrittenCount();
                    using var measured = Serializer.Measure(contracts.Next);
                    measured.Serialize(output);
                    return measured.Length;
                }
            }

            partial class Program
            {
                // Its types do not hold everything that a message can: a DateTime has no nanoseconds, for example. Where it does not agree,
                // its rows are left out and the other libraries are measured.
                static partial void AddProtobufNet(List<MeasuredLibrary> libraries) => libraries.Insert(1,
                    new("PBN", MeasuredLibrary.VersionOf("protobuf-net", typeof(Serializer)), payload =>
                    {
                        var written = new ArrayBufferWriter<byte>();
                        Serializer.Serialize(written, Serializer.Deserialize<{{type}}>((ReadOnlyMemory<byte>)payload));
                        return written.WrittenSpan.ToArray();
                    }) { IsOptional = true });
            }

            """;
    }

    /// <summary>Writes the type that the generated code uses for google.protobuf.Empty.</summary>
    public static string WriteEmpty() => """
        namespace ProtoBuf;

        /// <summary>What protobuf-net's generator calls google.protobuf.Empty. The library has no type of this name.</summary>
        [ProtoContract]
        public sealed class Empty : Extensible;

        """;
}

using System.IO.Compression;
using System.Reflection;
using System.Text;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Running;
using Google.Protobuf;
using ProtoBench.Benchmarks;
using ProtoBench.Gpb;
using ProtoBench.Payloads;
using ProtoBench.PeerToPeer;
using Xunit.Sdk;
using Xunit.v3;

namespace ProtoBench.Tests;

/// <summary>Every cell that is not the hive's, run as BenchmarkDotNet would call it, twice.</summary>
[Collection(DataSetContent.Tests)]
[TestCaseOrderer(typeof(ByName))]
public class OtherCellTests
{
    static readonly Dictionary<string, BenchmarkCase> cases = BenchmarkClasses.All
        .SelectMany(type => BenchmarkConverter.TypeToBenchmarks(type, ManualConfig.CreateEmpty().AddJob(Job.Dry)).BenchmarksCases)
        .Where(benchmark => HiveCell.Parse(benchmark.Descriptor.WorkloadMethod.Name) is null)
        .Where(benchmark => !IsTooLarge(benchmark))
        .DistinctBy(Name)
        .ToDictionary(Name);

    public static TheoryData<string> Cells { get; } = [.. cases.Keys];

    [Theory]
    [MemberData(nameof(Cells))]
    public async Task A_cell_gives_the_right_answer_twice(string name)
    {
        var cell = new Cell(cases[name]);
        for (var run = 0; run < 2; run++)
        {
            var result = cell.Run();
            await CheckAsync(cell, result is Task<long> task ? await task : result);
        }

        await (cell.Instance switch
        {
            RpcStackBenchmarks stacks => stacks.StopAsync(),
            IDataSetCells set => set.StopAsync(),
            _ => Task.CompletedTask,
        });
    }

    [Theory]
    [InlineData("AllocatorBenchmarks.Serial_Arena")]
    [InlineData("AllocatorBenchmarks.Serial_SlabWrapper")]
    [InlineData("AllocatorBenchmarks.Serial_SlabMemory")]
    [InlineData("AllocatorBenchmarks.Handoff_SlabMemory")]
    [InlineData("AllocatorBenchmarks.Handoff_Arena")]
    [InlineData("StrategyBenchmarks.Strategy_Published")]
    [InlineData("StrategyBenchmarks.Strategy_Arena")]
    [InlineData("StrategyBenchmarks.Strategy_Best")]
    [InlineData("WriterBenchmarks.Presized_SlabBufferWriter(1 MiB LOH)")]
    [InlineData("FormatBenchmarks.MarshalBySchema")]
    [InlineData("WireWriteBenchmarks.WriteMessageBuffer")]
    [InlineData("WireWriteBenchmarks.WritePayloadBuffer")]
    [InlineData("OrderSetBenchmarks.MakeSetSlab(Order)")]
    [InlineData("SearchSetBenchmarks.MakeSetSlab(Search)")]
    [InlineData("HiveSetBenchmarks.MakeSetSlab(Hive)")]
    [InlineData("SmallSetBenchmarks.MakeSetSlab(Small)")]
    [InlineData("SaveDataSetBenchmarks.MakeSetSlab(SaveData)")]
    [InlineData("OrderSetBenchmarks.ForwardSetSlab(Order)")]
    [InlineData("OrderSetBenchmarks.ServeSetSlab(Order)")]
    [InlineData("EncodeBenchmarks.EncodeDirect(1 B)")]
    [InlineData("EncodeBenchmarks.EncodeDirect(1 MiB)")]
    public void A_warm_cell_without_objects_allocates_nothing(string name)
    {
        var run = new Cell(cases[name]).Compiled();
        for (var warm = 0; warm < 20; warm++)
            run();
        Assert.Equal(0, AllocatedBytes.Of(() => run()));
    }

    static async Task CheckAsync(Cell cell, object result)
    {
        switch (cell.Instance)
        {
            case StrategyBenchmarks:
                Assert.Equal(ForwardRequest.Parser.ParseFrom(Hive.Request()).Fingerprint(), ((IStrategyRequest)result).Fingerprint());
                break;
            case WriterBenchmarks writers:
                Assert.Equal(writers.Size.Bytes, (long)result);
                break;
            case BreakEvenBenchmarks map:
                Assert.Equal(ForwardRequest.Parser.ParseFrom(Hive.Shape(map.Items, map.LeafBytes)).Fingerprint(), FingerprintOf(result));
                break;
            case AllocatorBenchmarks when cell.Arguments is []:
                Assert.Equal(2 * Hive.Items, (int)result);
                break;
            case AllocatorBenchmarks or GcModeBenchmarks:
                Assert.Equal(cell.Arguments[0], result);
                break;
            case FormatBenchmarks formats:
                CheckFormat(cell.Name, formats.Sink, [ColorRow.Reds], result, ColorFormats.Of(cell.Name).ReadOne,
                    ColorFormats.Of(cell.Name).WriteOne(ColorRow.Reds));
                break;
            case FormatListBenchmarks formats:
                CheckFormat(cell.Name, formats.Sink, formats.Set.Rows, result, ColorFormats.Of(cell.Name).ReadMany,
                    ColorFormats.Of(cell.Name).WriteMany(formats.Set.Rows));
                break;
            case WireWriteBenchmarks wire:
                Assert.Equal(wire.WireBytes(cell.Name), (long)result);
                if (!cell.Name.EndsWith("_New", StringComparison.Ordinal))
                    CheckWire(cell.Name, wire.Sink.ToArray());
                break;
            case EncodeBenchmarks encode:
                Assert.Equal(encode.Size.FrameBytes, (long)result);
                var frame = encode.Sink.ToArray();
                Assert.Equal([0, .. BitConverter.GetBytes(frame.Length - Frame.PrefixSize).Reverse()], frame[..Frame.PrefixSize]);
                Assert.Equal(encode.Size.Message(), Echo.Parser.ParseFrom(frame, Frame.PrefixSize, frame.Length - Frame.PrefixSize));
                break;
            case RpcStackBenchmarks:
                Assert.Equal(36L, result); // the fixture compares each echo
                break;
            case MeterBenchmarks when result is long tasks:
                Assert.Equal(2_000, tasks);
                break;
            case MeterBenchmarks:
                break; // MeterTests counts their objects
            case SensitivityBenchmarks more when result is long measured:
                Assert.Equal(Hive.Request(more.Items).Length, measured);
                break;
            case ControlBenchmarks:
                Assert.Equal(Hive.Request(Hive.Items), ((ForwardRequest)result).ToByteArray());
                break;
            case SensitivityBenchmarks more:
                Assert.Equal(Hive.Request(more.Items), ((ForwardRequest)result).ToByteArray());
                break;
            case WideBenchmarks wide:
                CheckProtobuf(Wide.Message(int.Parse(string.Concat(cell.Name.Where(char.IsAsciiDigit))),
                    wide.Set), result, wide.Sink);
                break;
            case DeepBenchmarks deep when cell.Name.StartsWith("Size", StringComparison.Ordinal):
                Assert.Equal(deep.Message(cell.Name).Length, (long)result);
                break;
            case DeepBenchmarks deep:
                CheckProtobuf(deep.Message(cell.Name), result, deep.Sink);
                break;
            case SmallBenchmarks when cell.Name.StartsWith("Size", StringComparison.Ordinal):
                Assert.Equal(Wide.Small().Length, (long)result);
                break;
            case SmallBenchmarks small:
                CheckProtobuf(Wide.Small(), result, small.Sink);
                break;
            case ShapeBenchmarks shapes:
                CheckProtobuf(Wide.Shapes(shapes.Shape), result, shapes.Sink);
                break;
            case ColdStartBenchmarks when cell.Name.StartsWith("FirstReadWrite", StringComparison.Ordinal):
                Assert.Equal(Hive.Request(items: 10).Length, (int)result);
                break;
            case ColdStartBenchmarks:
                Assert.Equal(10, (int)result);
                break;
            case PackedBenchmarks packed when cell.Name.EndsWith("Floor_Copy", StringComparison.Ordinal):
                Assert.Equal(packed.WireBytes(cell.Name), (long)result);
                break;
            case PackedBenchmarks packed:
                CheckProtobuf(packed.Message(cell.Name), result, packed.Sink);
                break;
            case CompressionBenchmarks compression:
                CheckCompressed(compression.Message(), compression.Compressed(cell.Name, (long)result), cell.Name);
                break;
            case IDataSetCells set:
                // every message of the set, so that the next cell begins with the first one
                List<(object Result, byte[] Written)> results = [];
                while (results.Count < set.Messages)
                {
                    var one = results.Count == 0 ? result : cell.Run() is var next && next is Task<long> call ? await call : next;
                    results.Add((one is long ? one : set.ContentOf(one), set.Written())); // the next run releases a message
                }

                foreach (var one in results)
                    CheckDataSet(set, cell.Name, one.Result, one.Written);
                break;
            default:
                Assert.Fail($"nobody checks {cell.Instance.GetType().Name}");
                break;
        }
    }

    static void CheckFormat(string cell, Sink sink, IReadOnlyList<ColorRow> rows, object result, Func<byte[], object> read, byte[] golden)
    {
        var format = ColorFormats.Of(cell);
        if (result is long length)
        {
            Assert.Equal(golden, sink.ToArray());
            Assert.Equal(golden.Length, length);
        }

        var found = format.RowsOf(result switch { long => read(sink.ToArray()), byte[] bytes => read(bytes), _ => result });
        if (found is null || !rows.SequenceEqual(found)) // Assert.Equal alone takes a second for 10,000 rows
            Assert.Equal(rows, found);
    }

    /// <summary>What was written is the wire, and what was read is written as the wire again.</summary>
    static void CheckProtobuf(byte[] wire, object result, Sink sink)
    {
        switch (result)
        {
            case long length:
                Assert.Equal(wire.Length, length);
                Assert.Equal(wire, wire.Length == 0 ? [] : sink.ToArray());
                break;
            case IMessage google:
                Assert.Equal(wire, google.ToByteArray());
                break;
            case not null when result.GetType().Namespace == typeof(Pbn.PackedFloats).Namespace:
                using (var written = new MemoryStream())
                {
                    ProtoBuf.Serializer.Serialize(written, result);
                    Assert.Equal(wire, written.ToArray());
                }

                break;
            default:
                Assert.Equal(wire, (byte[])result!.GetType().GetMethod("ToByteArray", [])!.Invoke(result, [])!); // arrays are compared at once
                break;
        }
    }

    static void CheckCompressed(byte[] message, byte[] compressed, string cell)
    {
        using var input = new MemoryStream(compressed);
        using Stream stream = cell.Split('_')[1] switch
        {
            "GZip" => new GZipStream(input, CompressionMode.Decompress),
            "Brotli" => new BrotliStream(input, CompressionMode.Decompress),
            _ => new ZstdSharp.DecompressionStream(input),
        };
        using var result = new MemoryStream();
        stream.CopyTo(result);
        Assert.Equal(message, result.ToArray());
    }

    static void CheckDataSet(IDataSetCells set, string cell, object result, byte[] written)
    {
        switch (cell.Split("Set")[0])
        {
            case "Serialize" or "Make" or "MakeNew" or "Forward":
                if (cell.EndsWith("MemoryPack", StringComparison.Ordinal)) // it writes the padding of structs, which is whatever was there
                    Assert.Equal(set.Message("Google"), set.ContentOf(MemoryPack.MemoryPackSerializer.Deserialize(
                        set.GetType().BaseType!.GetGenericArguments()[3], written)!));
                else
                    Assert.Equal(set.Message(cell), written);
                Assert.Equal(written.Length, (long)result);
                break;
            case "Serve":
                Assert.Equal(set.Sum(cell), (long)result);
                if (!cell.EndsWith("MemoryPack", StringComparison.Ordinal))
                    Assert.Equal(set.Reply(cell), written);
                break;
            case "Json":
                Assert.Equal(written.Length, (long)result);
                if (cell.EndsWith("SystemTextJson", StringComparison.Ordinal)) break;
                GoogleJson.AssertEqual(set.Json, Encoding.UTF8.GetString(written));
                break;
            case "DeserializeTouch" or "Call":
                Assert.Equal(set.Sum(cell), (long)result);
                break;
            default:
                Assert.Equal(set.Message("Google"), (byte[])result);
                break;
        }
    }

    static void CheckWire(string cell, byte[] written)
    {
        if (cell.StartsWith("WritePayload", StringComparison.Ordinal))
            written = [.. PeerMessages.Of(Transaction.Coinbase)[..PeerMessage.HeaderSize], .. written];
        Assert.Equal(PeerMessages.Of(Transaction.Coinbase), written);
    }

    static Fingerprint? FingerprintOf(object message) =>
        message is IStrategyRequest strategy
        ? strategy.Fingerprint()
        : MeasuredLibraries.All.Select(library => library.Codec!.FingerprintOf(message))
            .FirstOrDefault(fingerprint => fingerprint is not null);

    /// <summary>The larger shapes of the map hold the same cells: a megabyte shows all that they do.</summary>
    static bool IsTooLarge(BenchmarkCase benchmark) =>
        benchmark.Descriptor.Type == typeof(BreakEvenBenchmarks)
        && (long)(int)benchmark.Parameters["Items"] * (80 + (int)benchmark.Parameters["LeafBytes"]) > 1 << 20;

    static string Name(BenchmarkCase benchmark) =>
        $"{benchmark.Descriptor.Type.Name}.{benchmark.Descriptor.WorkloadMethod.Name}"
            + (benchmark.HasParameters ? $"({string.Join(", ", benchmark.Parameters.Items.Select(item => item.Value))})" : "");

    sealed class Cell
    {
        readonly MethodInfo method;

        public Cell(BenchmarkCase benchmark)
        {
            method = benchmark.Descriptor.WorkloadMethod;
            Instance = Activator.CreateInstance(benchmark.Descriptor.Type)!;
            foreach (var parameter in benchmark.Parameters.Items.Where(item => !item.IsArgument))
                benchmark.Descriptor.Type.GetProperty(parameter.Name)!.SetValue(Instance, parameter.Value);
            Arguments = [.. benchmark.Parameters.Items.Where(item => item.IsArgument).Select(item => item.Value)];
            benchmark.Descriptor.GlobalSetupMethod?.Invoke(Instance, null);
        }

        public string Name => method.Name;

        public object Instance { get; }

        public object[] Arguments { get; }

        public object Run() => method.Invoke(Instance, BindingFlags.DoNotWrapExceptions, null, Arguments, null)!;

        /// <summary>The cell as a delegate: reflection would allocate.</summary>
        public Action Compiled()
        {
            if (method.ReturnType == typeof(int))
            {
                var number = method.CreateDelegate<Func<int>>(Instance);
                return () => number();
            }

            if (method.ReturnType == typeof(long))
            {
                var bytes = method.CreateDelegate<Func<long>>(Instance);
                return () => bytes();
            }

            var other = method.CreateDelegate<Func<object>>(Instance);
            return () => other();
        }
    }
}

/// <summary>Tests that need the content of data sets are one after another: only that of the last one is kept, and making it takes longer
/// than most of these tests.</summary>
static class DataSetContent
{
    public const string Tests = "the content of data sets";
}

/// <summary>The cells of a class one after another, because only the content of the last data set is kept.</summary>
public class ByName : ITestCaseOrderer
{
    public IReadOnlyCollection<TTestCase> OrderTestCases<TTestCase>(IReadOnlyCollection<TTestCase> testCases)
        where TTestCase : notnull, ITestCase =>
        [.. testCases.OrderBy(one => one.TestCaseDisplayName, StringComparer.Ordinal)];
}

using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using ProtoBench.Buffers;
using ProtoBench.Codec;
using ProtoBench.Payloads;
using ProtoBench.Running;

namespace ProtoBench.Benchmarks;

/// <summary>Measures messages of 20 to 200 mixed fields, of which none, three, half or all are set. Read cells return the message, Write
/// cells the number of bytes.</summary>
public class WideBenchmarks : ISizedCells
{
    byte[] wide20 = [];
    byte[] wide50 = [];
    byte[] wide100 = [];
    byte[] wide200 = [];

    [ParamsAllValues]
    public WideSet Set { get; set; }

    public Sink Sink { get; } = new();

    public long WireBytes(string cell) =>
        Wide.Message(int.Parse(string.Concat(cell.Where(char.IsAsciiDigit)), System.Globalization.CultureInfo.InvariantCulture),
            Set).Length;

    [GlobalSetup]
    public void Setup()
    {
        wide20 = Wide.Message(20, Set);
        wide50 = Wide.Message(50, Set);
        wide100 = Wide.Message(100, Set);
        wide200 = Wide.Message(200, Set);
    }

    [Benchmark(Baseline = true), BenchmarkCategory("ReadWide20")]
    public Gpb.Wide20 ReadWide20Google() => Gpb.Wide20.Parser.ParseFrom(wide20);
    [Benchmark, BenchmarkCategory("ReadWide20")]
    public Message<SlabProtobuf.Wide20> ReadWide20Slab()
    {
        OfSlab20.Last.Dispose();
        OfSlab20.Last = SlabProtobuf.Wide20.Rent();
        OfSlab20.Last.Parse(wide20);
        return OfSlab20.Last;
    }

    [Benchmark(Baseline = true), BenchmarkCategory("WriteWide20")]
    public long WriteWide20Google() { var to = Sink.BW; OfGoogle.Of20[(int)Set].WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("WriteWide20")]
    public long WriteWide20Slab() { var to = Sink.BW; OfSlab20.All[(int)Set].WriteTo(to); return to.WrittenCount; }

    [Benchmark(Baseline = true), BenchmarkCategory("ReadWide50")]
    public Gpb.Wide50 ReadWide50Google() => Gpb.Wide50.Parser.ParseFrom(wide50);
    [Benchmark, BenchmarkCategory("ReadWide50")]
    public Message<SlabProtobuf.Wide50> ReadWide50Slab()
    {
        OfSlab50.Last.Dispose();
        OfSlab50.Last = SlabProtobuf.Wide50.Rent();
        OfSlab50.Last.Parse(wide50);
        return OfSlab50.Last;
    }

    [Benchmark(Baseline = true), BenchmarkCategory("WriteWide50")]
    public long WriteWide50Google() { var to = Sink.BW; OfGoogle.Of50[(int)Set].WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("WriteWide50")]
    public long WriteWide50Slab() { var to = Sink.BW; OfSlab50.All[(int)Set].WriteTo(to); return to.WrittenCount; }

    [Benchmark(Baseline = true), BenchmarkCategory("ReadWide100")]
    public Gpb.Wide100 ReadWide100Google() => Gpb.Wide100.Parser.ParseFrom(wide100);
    [Benchmark, BenchmarkCategory("ReadWide100")]
    public Message<SlabProtobuf.Wide100> ReadWide100Slab()
    {
        OfSlab100.Last.Dispose();
        OfSlab100.Last = SlabProtobuf.Wide100.Rent();
        OfSlab100.Last.Parse(wide100);
        return OfSlab100.Last;
    }

    [Benchmark(Baseline = true), BenchmarkCategory("WriteWide100")]
    public long WriteWide100Google() { var to = Sink.BW; OfGoogle.Of100[(int)Set].WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("WriteWide100")]
    public long WriteWide100Slab() { var to = Sink.BW; OfSlab100.All[(int)Set].WriteTo(to); return to.WrittenCount; }

    [Benchmark(Baseline = true), BenchmarkCategory("ReadWide200")]
    public Gpb.Wide200 ReadWide200Google() => Gpb.Wide200.Parser.ParseFrom(wide200);
    [Benchmark, BenchmarkCategory("ReadWide200")]
    public Message<SlabProtobuf.Wide200> ReadWide200Slab()
    {
        OfSlab200.Last.Dispose();
        OfSlab200.Last = SlabProtobuf.Wide200.Rent();
        OfSlab200.Last.Parse(wide200);
        return OfSlab200.Last;
    }

    [Benchmark(Baseline = true), BenchmarkCategory("WriteWide200")]
    public long WriteWide200Google() { var to = Sink.BW; OfGoogle.Of200[(int)Set].WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("WriteWide200")]
    public long WriteWide200Slab() { var to = Sink.BW; OfSlab200.All[(int)Set].WriteTo(to); return to.WrittenCount; }

    // One class for each library, so that a process loads only the library that its cell measures.
    static class OfGoogle
    {
        public static readonly Gpb.Wide20[] Of20 =
            [.. Enum.GetValues<WideSet>().Select(set => Gpb.Wide20.Parser.ParseFrom(Wide.Message(20, set)))];
        public static readonly Gpb.Wide50[] Of50 =
            [.. Enum.GetValues<WideSet>().Select(set => Gpb.Wide50.Parser.ParseFrom(Wide.Message(50, set)))];
        public static readonly Gpb.Wide100[] Of100 =
            [.. Enum.GetValues<WideSet>().Select(set => Gpb.Wide100.Parser.ParseFrom(Wide.Message(100, set)))];
        public static readonly Gpb.Wide200[] Of200 =
            [.. Enum.GetValues<WideSet>().Select(set => Gpb.Wide200.Parser.ParseFrom(Wide.Message(200, set)))];
    }

    static class OfSlab20
    {
        public static readonly Message<SlabProtobuf.Wide20>[] All =
            [.. Enum.GetValues<WideSet>().Select(set => Read(Wide.Message(20, set)))];
        public static Message<SlabProtobuf.Wide20> Last;

        static Message<SlabProtobuf.Wide20> Read(byte[] wire)
        {
            var message = SlabProtobuf.Wide20.Rent();
            message.Parse(wire);
            return message;
        }
    }

    static class OfSlab50
    {
        public static readonly Message<SlabProtobuf.Wide50>[] All =
            [.. Enum.GetValues<WideSet>().Select(set => Read(Wide.Message(50, set)))];
        public static Message<SlabProtobuf.Wide50> Last;

        static Message<SlabProtobuf.Wide50> Read(byte[] wire)
        {
            var message = SlabProtobuf.Wide50.Rent();
            message.Parse(wire);
            return message;
        }
    }

    static class OfSlab100
    {
        public static readonly Message<SlabProtobuf.Wide100>[] All =
            [.. Enum.GetValues<WideSet>().Select(set => Read(Wide.Message(100, set)))];
        public static Message<SlabProtobuf.Wide100> Last;

        static Message<SlabProtobuf.Wide100> Read(byte[] wire)
        {
            var message = SlabProtobuf.Wide100.Rent();
            message.Parse(wire);
            return message;
        }
    }

    static class OfSlab200
    {
        public static readonly Message<SlabProtobuf.Wide200>[] All =
            [.. Enum.GetValues<WideSet>().Select(set => Read(Wide.Message(200, set)))];
        public static Message<SlabProtobuf.Wide200> Last;

        static Message<SlabProtobuf.Wide200> Read(byte[] wire)
        {
            var message = SlabProtobuf.Wide200.Rent();
            message.Parse(wire);
            return message;
        }
    }
}

/// <summary>Measures a message of three scalar fields, to find the cost of a message without its fields. Read cells return the message, the
/// others the number of bytes.</summary>
public class SmallBenchmarks : ISizedCells
{
    readonly byte[] wire = Wide.Small();
    Message<SlabProtobuf.Small> last;

    public Sink Sink { get; } = new();

    public long WireBytes(string cell) => wire.Length;

    [Benchmark(Baseline = true), BenchmarkCategory("ReadSmall")] public Gpb.Small ReadSmallGoogle() => Gpb.Small.Parser.ParseFrom(wire);
    [Benchmark, BenchmarkCategory("ReadSmall")]
    public Message<SlabProtobuf.Small> ReadSmallSlab() { last.Dispose(); last = SlabProtobuf.Small.Rent(); last.Parse(wire); return last; }
    [Benchmark(Baseline = true), BenchmarkCategory("SizeSmall")] public long SizeSmallGoogle() => OfGoogle.Message.CalculateSize();
    [Benchmark, BenchmarkCategory("SizeSmall")] public long SizeSmallSlab() => OfSlab.Message.CalculateSize();
    [Benchmark(Baseline = true), BenchmarkCategory("WriteSmall")]
    public long WriteSmallGoogle() { var to = Sink.BW; OfGoogle.Message.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("WriteSmall")]
    public long WriteSmallSlab() { var to = Sink.BW; OfSlab.Message.WriteTo(to); return to.WrittenCount; }

    // One class for each library, so that a process loads only the library that its cell measures.
    static class OfGoogle
    {
        public static readonly Gpb.Small Message = Gpb.Small.Parser.ParseFrom(Wide.Small());
    }

    static class OfSlab
    {
        public static readonly Message<SlabProtobuf.Small> Message = Read();

        static Message<SlabProtobuf.Small> Read()
        {
            var message = SlabProtobuf.Small.Rent();
            message.Parse(Wide.Small());
            return message;
        }
    }
}

/// <summary>Measures deeply nested messages, to find whether the time grows with the depth or with its square. Read cells return the
/// message, the others the number of bytes.</summary>
public class DeepBenchmarks : ISizedCells
{
    byte[] wire = [];
    Message<SlabProtobuf.Animal> last;

    /// <summary>The number of messages inside the outermost one.</summary>
    [Params(12, 25, 50, 99)]
    public int Depth { get; set; }

    public Sink Sink { get; } = new();

    public long WireBytes(string cell) => Deep.Message(Depth).Length;

    [GlobalSetup]
    public void Setup() => wire = Deep.Message(Depth);

    [Benchmark(Baseline = true), BenchmarkCategory("ReadDeep")] public Gpb.Animal ReadDeepGoogle() => Gpb.Animal.Parser.ParseFrom(wire);
    [Benchmark, BenchmarkCategory("ReadDeep")]
    public Message<SlabProtobuf.Animal> ReadDeepSlab() { last.Dispose(); last = SlabProtobuf.Animal.Rent(); last.Parse(wire); return last; }
    [Benchmark(Baseline = true), BenchmarkCategory("SizeDeep")] public long SizeDeepGoogle() => OfGoogle.ByDepth[Depth].CalculateSize();
    [Benchmark, BenchmarkCategory("SizeDeep")] public long SizeDeepSlab() => OfSlab.ByDepth[Depth].CalculateSize();
    [Benchmark(Baseline = true), BenchmarkCategory("WriteDeep")]
    public long WriteDeepGoogle() { var to = Sink.BW; OfGoogle.ByDepth[Depth].WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("WriteDeep")]
    public long WriteDeepSlab() { var to = Sink.BW; OfSlab.ByDepth[Depth].WriteTo(to); return to.WrittenCount; }

    // One class for each library, so that a process loads only the library that its cell measures.
    static class OfGoogle
    {
        public static readonly Gpb.Animal[] ByDepth =
            [.. Enumerable.Range(0, 100).Select(depth => Gpb.Animal.Parser.ParseFrom(Deep.Message(depth)))];
    }

    static class OfSlab
    {
        public static readonly Message<SlabProtobuf.Animal>[] ByDepth =
            [.. Enumerable.Range(0, 100).Select(depth => Read(Deep.Message(depth)))];

        static Message<SlabProtobuf.Animal> Read(byte[] wire)
        {
            var message = SlabProtobuf.Animal.Rent();
            message.Parse(wire);
            return message;
        }
    }
}

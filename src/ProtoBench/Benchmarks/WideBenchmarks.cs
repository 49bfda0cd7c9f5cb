using BenchmarkDotNet.Attributes;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

/// <summary>Measures messages of 20 to 200 mixed fields, of which none, three, half or all are set. Read cells return the message, Write
/// cells the number of bytes.</summary>
public partial class WideBenchmarks : ISizedCells
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
}

/// <summary>Measures a message of three scalar fields, to find the cost of a message without its fields. Read cells return the message, the
/// others the number of bytes.</summary>
public partial class SmallBenchmarks : ISizedCells
{
    readonly byte[] wire = Wide.Small();

    public Sink Sink { get; } = new();

    public long WireBytes(string cell) => wire.Length;
}

/// <summary>Measures 1,000 messages with one field, to find what a field of each kind costs. A time in microseconds is that of one message
/// in nanoseconds. Read cells return the message, Write cells the number of bytes.</summary>
public partial class ShapeBenchmarks : ISizedCells
{
    byte[] wire = [];

    [ParamsAllValues]
    public Shape Shape { get; set; }

    public Sink Sink { get; } = new();

    public long WireBytes(string cell) => Wide.Shapes(Shape).Length;

    [GlobalSetup]
    public void Setup() => wire = Wide.Shapes(Shape);
}

/// <summary>Measures deeply nested messages, to find whether the time grows with the depth or with its square. Read cells return the
/// message, the others the number of bytes. In cells with Group a sub-message has no length: it is between two tags.</summary>
public partial class DeepBenchmarks : ISizedCells
{
    byte[] wire = [];
    byte[] groups = [];

    /// <summary>The number of messages inside the outermost one.</summary>
    [Params(1, 12, 25, 50, 99)]
    public int Depth { get; set; }

    public Sink Sink { get; } = new();

    public long WireBytes(string cell) => Message(cell).Length;

    public byte[] Message(string cell) => Deep.Message(Depth, cell.Contains("Group", StringComparison.Ordinal));

    [GlobalSetup]
    public void Setup() => (wire, groups) = (Deep.Message(Depth), Deep.Message(Depth, groups: true));
}

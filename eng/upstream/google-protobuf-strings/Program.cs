using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using Google.Protobuf;
using Upstream;

// Why Google.Protobuf 3.36.2 reads sub-messages with a string more slowly than 3.25.1 (README.md). Two modes:
//   read     what one element takes to read, in ns: the script run compares two versions of Google.Protobuf with it.
//            With the name of a way nothing else is read, so that the JIT sees one type of message only
//   decode   what one string takes to decode without Google.Protobuf, each way against Encoding.UTF8, alternating in one process
const int count = 3_500;
string[] texts = [.. Enumerable.Range(0, count).Select(i => string.Create(CultureInfo.InvariantCulture, $"{i:D5}"))];
if (args is ["decode"])
    Decode();
else
    Read();

void Read()
{
    var asTexts = new Texts { Value = { texts } }.ToByteArray();
    var asItems = new TextItems { Value = { texts.Select(text => new TextItems.Types.Item { Value = text }) } }.ToByteArray();
    var asNumbers = new NumberItems { Value = { texts.Select((_, i) => new NumberItems.Types.Item { Value = i }) } }.ToByteArray();
    var asBoth = new BothItems
    {
        Value = { texts.Select(text => new BothItems.Types.Item { Id = text, Content = ByteString.CopyFrom(new byte[70]) }) },
    }.ToByteArray();
    (string Name, Func<object> Run)[] ways =
    [
        ("strings", () => Texts.Parser.ParseFrom(asTexts)),
        ("bytes", () => Blobs.Parser.ParseFrom(asTexts)),
        ("messages-with-a-string", () => TextItems.Parser.ParseFrom(asItems)),
        ("messages-with-bytes", () => BlobItems.Parser.ParseFrom(asItems)),
        ("messages-with-both", () => BothItems.Parser.ParseFrom(asBoth)),
        ("messages-with-a-number", () => NumberItems.Parser.ParseFrom(asNumbers)),
    ];
    if (args is [_, var only])
        ways = [.. ways.Where(way => way.Name == only)];
    foreach (var ((name, _), nanoseconds) in ways.Zip(Measure([.. ways.Select(way => way.Run)])))
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{name} {Median(nanoseconds) / count:F2}"));
}

void Decode()
{
    byte[][] encoded = [.. texts.Select(Encoding.UTF8.GetBytes)];
    (string Name, Func<object> Run)[] ways =
    [
        ("Encoding.UTF8", () => All(encoded, Ways.Replacing)),
        ("Encoding.UTF8 in try/catch", () => All(encoded, Ways.ReplacingCaught)),
        ("new UTF8Encoding(false, true)", () => All(encoded, Ways.Throwing)),
        ("new UTF8Encoding(false, true) in try/catch", () => All(encoded, Ways.ThrowingCaught)),
        ("new UTF8Encoding(false, false)", () => All(encoded, Ways.ReplacingOwn)),
    ];
    var times = Measure([.. ways.Select(way => way.Run)]);
    foreach (var ((name, _), nanoseconds) in ways.Zip(times))
    {
        double[] ratios = [.. nanoseconds.Zip(times[0], (one, first) => one / first).Order()];
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"{name,-44} {Median(nanoseconds) / count,6:F2} ns  {Median(ratios),5:F3} [{ratios[ratios.Length / 4]:F3}, {ratios[ratios.Length * 3 / 4]:F3}]"));
    }
}

static object All(byte[][] encoded, Func<byte[], string> decode)
{
    var last = "";
    foreach (var one in encoded)
        last = decode(one);
    return last;
}

// Alternating rounds: each way once in a round, in an order that moves on by one.
static double[][] Measure(Func<object>[] ways)
{
    const int warmUp = 1_500, rounds = 1_000;
    var times = ways.Select(_ => new double[rounds]).ToArray();
    for (var round = -warmUp; round < rounds; round++)
    {
        for (var i = 0; i < ways.Length; i++)
        {
            var way = (i + round + warmUp) % ways.Length;
            var start = Stopwatch.GetTimestamp();
            GC.KeepAlive(ways[way]());
            if (round >= 0)
                times[way][round] = Stopwatch.GetElapsedTime(start).TotalNanoseconds;
        }

        if (round == -warmUp / 2)
            Thread.Sleep(500); // the JIT compiles in the background
    }

    return times;
}

static double Median(double[] values) => values.Order().ElementAt(values.Length / 2);

static unsafe class Ways
{
    static readonly Encoding replacing = Encoding.UTF8;
    static readonly Encoding throwing = new UTF8Encoding(false, true);
    static readonly Encoding replacingOwn = new UTF8Encoding(false, false);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string Replacing(byte[] data)
    {
        fixed (byte* start = data)
            return replacing.GetString(start, data.Length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string Throwing(byte[] data)
    {
        fixed (byte* start = data)
            return throwing.GetString(start, data.Length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string ReplacingOwn(byte[] data)
    {
        fixed (byte* start = data)
            return replacingOwn.GetString(start, data.Length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string ReplacingCaught(byte[] data)
    {
        try
        {
            fixed (byte* start = data)
                return replacing.GetString(start, data.Length);
        }
        catch (DecoderFallbackException e)
        {
            throw new InvalidOperationException("not UTF-8", e);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string ThrowingCaught(byte[] data)
    {
        try
        {
            fixed (byte* start = data)
                return throwing.GetString(start, data.Length);
        }
        catch (DecoderFallbackException e)
        {
            throw new InvalidOperationException("not UTF-8", e);
        }
    }
}

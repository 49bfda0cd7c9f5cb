using System.Reflection;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Running;
using ProtoBench.Benchmarks;
using ProtoBench.Payloads;
using ProtoBench.Results;

namespace ProtoBench.Tests;

/// <summary>Run as BenchmarkDotNet would call it, twice: the second call shows that nothing of the first is left.</summary>
public class CellTests
{
    public static TheoryData<string> Cells { get; } =
        [.. BenchmarkClasses.All.SelectMany(type => BenchmarkConverter.TypeToBenchmarks(type, ManualConfig.CreateEmpty()).BenchmarksCases)
            .Select(benchmark => benchmark.Descriptor.WorkloadMethod)
            .Where(method => HiveCell.Parse(method.Name) is not null)
            .Select(method => $"{method.DeclaringType!.Name}.{method.Name}")];

    [Theory]
    [MemberData(nameof(Cells))]
    public void A_cell_gives_the_golden_bytes_or_fingerprint_twice(string name)
    {
        var type = BenchmarkClasses.All.Single(type => type.Name == name.Split('.')[0]);
        var method = type.GetMethod(name.Split('.')[1])!;
        var instance = Activator.CreateInstance(type)!;
        for (var run = 0; run < 2; run++)
            Check(HiveCell.Parse(method.Name)!, instance, method.Invoke(instance, BindingFlags.DoNotWrapExceptions, null, null, null)!);
    }

    static void Check(HiveCell cell, object instance, object result)
    {
        var library = cell.Library;
        var wire = (library.Codec?.Payload ?? LibraryCodec.ProtobufPayload)(cell.Message);
        if (library.Codec is not { } codec)
        {
            Assert.Equal(cell.Buffer == "Copy" ? wire.Length : GoogleFingerprint(cell)!.Value.LeafBytes, (long)result);
            if (cell.Buffer == "Copy")
                Assert.Equal(wire, Floor.Slab[..wire.Length].ToArray());
            return;
        }

        var written = codec.Golden(cell.Message);
        switch (cell.Verb)
        {
            case HiveVerb.Serialize or HiveVerb.MeasureSerialize when result is long length:
                Assert.Equal(written.Length, length);
                Assert.Equal(written, ((Sink)instance.GetType().GetProperty("Sink")!.GetValue(instance)!).ToArray());
                break;
            case HiveVerb.Serialize:
                Assert.Equal(written, Assert.IsType<byte[]>(result));
                break;
            case HiveVerb.Measure:
                Assert.Equal(written.Length, (long)result);
                break;
            case HiveVerb.DeserializeTouch or HiveVerb.DeserializeStrings:
                Assert.Equal(TouchSum(cell), (long)result);
                break;
            default:
                Assert.Equal(GoogleFingerprint(cell), codec.FingerprintOf(result));
                break;
        }
    }

    static Fingerprint? GoogleFingerprint(HiveCell cell)
    {
        var google = MeasuredLibraries.Find("Google")!.Codec!;
        return google.FingerprintOf(google.Parse(cell.Message, google.Payload(cell.Message)));
    }

    /// <summary>The sum by arithmetic on the payload's description, without any library.</summary>
    static long TouchSum(HiveCell cell)
    {
        if (cell.Message == HiveMessage.Response)
            return 3_500 + 638_000_000_000_000_000 + Enumerable.Range(0, Hive.Items).Sum(i => (long)(100f / (i + 1)) + 'c' + 'c' + 32);
        if (cell.Message == HiveMessage.Mixed)
            return MixedTouchSum();
        var trace = Gpb.ForwardRequest.Parser.ParseFrom(Hive.Request()).TraceId;
        return trace[0] + trace[^1] + 32 + 'a' + 'd' + 32_771 + Enumerable.Range(0, Hive.Items).Sum(i =>
        {
            var id = i.ToString(System.Globalization.CultureInfo.InvariantCulture);
            return id[0] + id[^1] + id.Length + 'b' + 'b' + 64L;
        });
    }

    /// <summary>The leaves of the mixed payload have random lengths: they are counted in what Google.Protobuf reads.</summary>
    static long MixedTouchSum()
    {
        var request = Gpb.ForwardRequest.Parser.ParseFrom(Hive.Mixed());
        byte[][] leaves =
        [
            System.Text.Encoding.UTF8.GetBytes(request.TraceId), request.RequestContextInfo.ToByteArray(),
            .. request.ItemRequests.SelectMany(item =>
                (byte[][])[System.Text.Encoding.UTF8.GetBytes(item.ItemId), item.ItemContext.ToByteArray()]),
        ];
        return leaves.Where(leaf => leaf.Length > 0).Sum(leaf => (long)leaf[0] + leaf[^1] + leaf.Length);
    }
}

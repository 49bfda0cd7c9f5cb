using System.Globalization;

namespace ProtoBench.Codec.Tests;

/// <summary>Every input is judged by Google.Protobuf too. The bounded run has 100,000 cases, and a million with PROTOBENCH_LONG=1.
/// PROTOBENCH_FUZZ_SECONDS=600 runs as long as it says instead, and PROTOBENCH_FUZZ_SEED=n begins at another seed. A failure names the seed
/// of its case.</summary>
public class FuzzTests
{
    static readonly int cases = Environment.GetEnvironmentVariable("PROTOBENCH_LONG") == "1" ? 1_000_000 : 100_000;

    [Fact]
    public void Any_input_is_judged_as_Google_judges_it_but_for_the_named_differences()
    {
        var first = Setting("PROTOBENCH_FUZZ_SEED") ?? 1;
        var limit = Setting("PROTOBENCH_FUZZ_SECONDS") is { } seconds ? TimeSpan.FromSeconds(seconds) : (TimeSpan?)null;
        var clock = System.Diagnostics.Stopwatch.StartNew();
        Parallel.For(0, Environment.ProcessorCount, worker =>
        {
            for (var seed = first + worker; limit is null
                ? seed < first + cases : clock.Elapsed < limit; seed += Environment.ProcessorCount) Judge(seed);
        });
    }

    static void Judge(int seed)
    {
        var random = new Random(seed);
        var subject = Subject.All[random.Next(Subject.All.Count)];
        var wire = new WireGenerator(random).Next(subject.Descriptor);
        try
        {
            subject.Compare(wire);
            if (seed % 4 == 0 && wire.Length > 0)
            {
                var cuts = Enumerable.Range(0, random.Next(1, 4)).Select(_ => random.Next(wire.Length)).Order();
                subject.CompareSegments(wire, Segments.Cut(wire, cuts));
            }

            if (seed % 16 == 0 && wire.Length > 0)
            {
                var parts = wire.Chunk(random.Next(1, wire.Length + 1)).ToList();
                subject.Attack(parts, random.Next(4 * parts.Count), random.Next(4) == 0 ? random.Next(1, 5_000) : 0, random.Next(2) == 0);
            }
        }
        catch (Exception e)
        {
            throw new InvalidOperationException($"PROTOBENCH_FUZZ_SEED={seed}: {subject.Descriptor.Name} {Convert.ToHexString(wire)}", e);
        }
    }

    static int? Setting(string name) =>
        int.TryParse(Environment.GetEnvironmentVariable(name), CultureInfo.InvariantCulture, out var value) ? value : null;
}

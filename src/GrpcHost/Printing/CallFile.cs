using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace ProtoBench.GrpcHost;

/// <summary>A file with a line for each call. The names and units are those of ghz: <c>timestamp</c> is the end of the call, and
/// <c>latency</c> has nanoseconds.</summary>
abstract class CallFile(Stream stream) : IDisposable
{
    public const string Json = "json";

    static readonly (string Name, Func<Stream, CallFile> Create)[] formats =
        [("jsonl", stream => new JsonLines(stream)), ("csv", stream => new CommaSeparated(stream)), (Json, stream => new GhzReport(stream))];

    readonly ArrayBufferWriter<byte> buffer = new(1 << 16);

    public static IEnumerable<string> Formats => formats.Select(format => format.Name);

    /// <returns>The format that the name of a file says; null for none.</returns>
    public static string? FormatOf(string path) =>
        Path.GetExtension(path) is var extension && extension == ".ndjson" ? "jsonl"
            : Formats.FirstOrDefault(format => string.Equals(extension, "." + format, StringComparison.OrdinalIgnoreCase));

    public static CallFile Create(string path, string format) =>
        formats.First(one => one.Name == format)
            .Create(new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.Read, bufferSize: 0));

    public void Write(RoundLog round, ReadOnlySpan<EndedCall> calls)
    {
        foreach (var call in calls)
        {
            Write(buffer, round, call);
            if (buffer.WrittenCount >= 1 << 16)
                Flush();
        }

        Flush();
    }

    /// <summary>Writes what follows the calls.</summary>
    public void Complete(LoadResult result)
    {
        End(buffer, result);
        Flush();
    }

    public void Dispose() => stream.Dispose();

    protected abstract void Write(IBufferWriter<byte> output, RoundLog round, in EndedCall call);

    protected virtual void End(IBufferWriter<byte> output, LoadResult result)
    {
    }

    void Flush()
    {
        stream.Write(buffer.WrittenSpan);
        stream.Flush();
        buffer.ResetWrittenCount();
    }

    class JsonLines(Stream stream) : CallFile(stream)
    {
        protected static readonly JsonWriterOptions Options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };
        readonly Utf8JsonWriter json = new(Stream.Null, Options);

        protected override void Write(IBufferWriter<byte> output, RoundLog round, in EndedCall call)
        {
            json.Reset(output);
            json.WriteStartObject();
            json.WriteString("timestamp", round.TimeOf(call.End));
            json.WriteNumber("latency", call.Latency);
            json.WriteString("error", call.Message ?? "");
            json.WriteString("status", call.Status ?? CallStatistics.Ok);
            json.WriteNumber("lag", call.Lag);
            json.WriteString("variant", round.Variant);
            json.WriteNumber("round", round.Number);
            json.WriteEndObject();
            json.Flush();
            output.Write("\n"u8);
        }
    }

    sealed class CommaSeparated : CallFile
    {
        public CommaSeparated(Stream stream)
            : base(stream) => buffer.Write("duration (ms),status,error,timestamp,lag (ms),variant,round\n"u8);

        protected override void Write(IBufferWriter<byte> output, RoundLog round, in EndedCall call) => Encoding.UTF8.GetBytes(
            string.Create(CultureInfo.InvariantCulture,
                $"{call.Latency / 1e6:0.######},{call.Status ?? CallStatistics.Ok},{Csv.Quote(call.Message ?? "")},{round.TimeOf(call.End):O},{call.Lag / 1e6:0.######},{Csv.Quote(round.Variant)},{round.Number}\n").AsSpan(),
            output);
    }

    /// <summary>The report of ghz, for programs that read it. The calls come first, so that they are not kept.</summary>
    sealed class GhzReport : JsonLines
    {
        // those of ghz
        static readonly int[] percentiles = [10, 25, 50, 75, 90, 95, 99];
        const int buckets = 10;

        // a server may send another text with each status
        const int mostErrors = 1_000;

        readonly Dictionary<string, long> errors = [];
        bool hasCalls;

        public GhzReport(Stream stream)
            : base(stream) => buffer.Write("{\"details\":[\n"u8);

        protected override void Write(IBufferWriter<byte> output, RoundLog round, in EndedCall call)
        {
            if (hasCalls)
                output.Write(","u8);
            hasCalls = true;
            if (!string.IsNullOrEmpty(call.Message) && (errors.Count < mostErrors || errors.ContainsKey(call.Message)))
                errors[call.Message] = errors.GetValueOrDefault(call.Message) + 1;
            base.Write(output, round, call);
        }

        protected override void End(IBufferWriter<byte> output, LoadResult result)
        {
            LoadRound[] rounds = [.. result.Variants.SelectMany(variant => variant.Rounds)];
            var latencies = new LatencyHistogram();
            foreach (var round in rounds)
                latencies.Add((round.Response ?? round.Service).Decode());
            var count = rounds.Sum(RoundRecord.Ended);
            var seconds = rounds.Sum(round => round.DurationSeconds);
            var failed = rounds.Sum(round => (round.Failed?.MeanUs * round.Failed?.Count) ?? 0);
            output.Write("],\n"u8);
            using var report = new MemoryStream();
            using (var json = new Utf8JsonWriter(report, Options))
            {
                json.WriteStartObject();
                json.WriteString("date", result.StartedAt);
                json.WriteString("endReason", result.Partial ? "cancel" : "normal");
                json.WriteNumber("count", count);
                json.WriteNumber("total", (long)(seconds * 1e9));
                json.WriteNumber("average", count == 0 ? 0 : (long)(((latencies.Mean * latencies.Count) + failed) / count * 1e3));
                json.WriteNumber("fastest", latencies.Count == 0 ? 0 : latencies.Min * 1_000);
                json.WriteNumber("slowest", latencies.Max * 1_000);
                json.WriteNumber("rps", seconds > 0 ? count / seconds : 0);
                Counts(json, "errorDistribution", errors);
                Counts(json, "statusCodeDistribution", Statuses(rounds));
                json.WriteStartArray("latencyDistribution");
                foreach (var percentile in latencies.Count == 0 ? [] : percentiles)
                {
                    json.WriteStartObject();
                    json.WriteNumber("percentage", percentile);
                    json.WriteNumber("latency", latencies.Percentile(percentile) * 1_000);
                    json.WriteEndObject();
                }

                json.WriteEndArray();
                json.WriteStartArray("histogram");
                foreach (var (mark, number) in Histogram(latencies))
                {
                    json.WriteStartObject();
                    json.WriteNumber("mark", mark / 1e6);
                    json.WriteNumber("count", number);
                    json.WriteNumber("frequency", (double)number / latencies.Count);
                    json.WriteEndObject();
                }

                json.WriteEndArray();
                json.WriteEndObject();
            }

            // without its first brace, because the object began with the calls
            output.Write(report.ToArray().AsSpan(1));
            output.Write("\n"u8);
        }

        static Dictionary<string, long> Statuses(IReadOnlyList<LoadRound> rounds)
        {
            var statuses = rounds.SelectMany(round => round.FailedByStatus.Concat(round.ExpectedByStatus ?? new Dictionary<string, long>()))
                .GroupBy(status => status.Key).ToDictionary(status => status.Key, status => status.Sum(one => one.Value));
            var succeeded = rounds.Sum(round => round.Succeeded - (round.ExpectedByStatus?.Values.Sum() ?? 0));
            if (succeeded > 0)
                statuses[CallStatistics.Ok] = statuses.GetValueOrDefault(CallStatistics.Ok) + succeeded;
            return statuses;
        }

        static void Counts(Utf8JsonWriter json, string name, IReadOnlyDictionary<string, long> counts)
        {
            json.WriteStartObject(name);
            foreach (var (key, number) in counts)
                json.WriteNumber(key, number);
            json.WriteEndObject();
        }

        /// <summary>Returns the upper ends of buckets of one width, in microseconds, and how many calls are in them.</summary>
        static IEnumerable<(double Mark, long Count)> Histogram(LatencyHistogram latencies)
        {
            if (latencies.Count == 0)
                yield break;
            var before = 0L;
            for (var i = 0; i <= buckets; i++)
            {
                var mark = latencies.Min + ((latencies.Max - latencies.Min) * (double)i / buckets);
                var upTo = i == buckets ? latencies.Count : latencies.CountUpTo((long)mark);
                yield return (mark, upTo - before);
                before = upTo;
            }
        }
    }
}

namespace ProtoBench.GrpcHost;

/// <summary>Prints a round in the format of the published study, followed by additional lines.</summary>
static class PublishedReport
{
    public const string Ready = "Ready to send simulated requests";

    public static void Print(TextWriter output, LoadRound round)
    {
        if (RunChecks.Overload(round) is { } overload)
            output.WriteLine(overload);
        output.WriteLine($"successful rate {round.SuccessfulRate:0.####} = {round.Succeeded}/{round.Attempted}");
        output.WriteLine($"qps {round.SucceededPerSecond:F2} = {round.Succeeded}/({round.DurationSeconds:F2} s){(round.Partial ? " partial" : "")}");
        if (round.Response is null)
        {
            Print(output, round.Service, "latency");
        }
        else
        {
            output.WriteLine($"attempted {round.AttemptedPerSecond:F2}/s, skipped {round.Skipped}, sent late {round.SentLate}, largest backlog {round.LargestBacklog}");
            Print(output, round.Response, "response latency");
            Print(output, round.Service, "service  latency");
            if (round.ScheduleLag is { Count: > 0 } lag)
                output.WriteLine($"99%   schedule lag in Us: {lag.Decode().Percentile(99)}, max {lag.MaxUs}");
        }

        if (round.Messages is { } messages)
        {
            output.WriteLine($"messages {messages.Sent} sent, {messages.Received} received: {messages.Sent / round.DurationSeconds:F2}/s and {messages.Received / round.DurationSeconds:F2}/s");
            Print(output, messages.BetweenMessages, "between messages");
            Print(output, messages.ToAnswer, "message to answer");
        }

        if (round.TransparentRetries > 0)
            output.WriteLine($"sent again {round.TransparentRetries}: calls that the server had refused without processing them (transparent retries)");
        foreach (var (status, count) in round.FailedByStatus)
            output.WriteLine($"failed {status}: {count}{First(status, round.FailureMessages?.GetValueOrDefault(status))}");
        foreach (var (status, count) in round.ExpectedByStatus ?? new Dictionary<string, long>())
            output.WriteLine($"expected {status}: {count}{First(status, round.FailureMessages?.GetValueOrDefault(status))}");
        if (round.Failed is { Count: > 0 } failed)
        {
            output.WriteLine("failed calls, which the percentiles above do not contain:");
            Print(output, failed, "failed latency");
        }

        Print(output, "client", round.Client);
        if (round.ClientCeilingPerSecond is { } ceiling)
            output.WriteLine($"client ceiling: about {ceiling:F0} calls/s here, of which this round made {round.SucceededPerSecond / ceiling * 100:F0} %");
        Print(output, "server", round.Server);
        output.WriteLine($"checks of the replies took {(round.VerifiedShare ?? 0) * 100:F2} % of the wall time");
    }

    /// <summary>Returns the text of a failure on one line. A server chooses it, so it may contain control characters.</summary>
    static string First(string status, string? message) => status == CallStatistics.WrongReply ? ""
        : string.IsNullOrEmpty(message) ? ", without a message"
        : $", first: {string.Concat(message.Select(one => char.IsControl(one) ? ' ' : one))}";

    static void Print(TextWriter output, LatencyRecord latency, string kind)
    {
        if (latency.Count == 0)
            return;
        var histogram = latency.Decode();
        output.WriteLine($"min   {kind} in Us: {latency.MinUs}");
        output.WriteLine($"max   {kind} in Us: {latency.MaxUs}");
        foreach (var (percentile, us) in latency.PercentilesUs)
        {
            var p = double.Parse(percentile);
            var unsupported = histogram.Supports(p) ? "" : $" (too few calls: needs {LatencyHistogram.CountNeeded(p):N0})";
            output.WriteLine($"{percentile + "%",-5} {kind} in Us: {us}{unsupported}");
        }
    }

    static void Print(TextWriter output, string side, ProcessUse? use)
    {
        if (use is null)
            return;
        output.WriteLine($"{side} per call: {use.AllocatedBytesPerCall:N0} B allocated, {use.CpuUsPerCall:F1} μs CPU, {use.GcPauseUsPerCall:F2} μs GC pause");
        var slices = use.SlicesOutstanding is { } outstanding ? $", {outstanding} slab slices not released" : "";
        output.WriteLine($"{side} in all: {string.Join('/', use.GcCollections)} GCs of generation 0/1/2, {use.LockContentions} lock contentions{slices}");
    }
}

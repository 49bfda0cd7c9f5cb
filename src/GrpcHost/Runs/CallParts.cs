using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost.Runs;

/// <summary>The parts of a call's time, in microseconds per call.</summary>
sealed record CallParts(double ClientEncode, double ServerDecode, double Handler, double ServerEncode, double ClientDecode, double Mean)
{
    /// <summary>Transport, kernel, scheduling and waiting: the time that is in no other part.</summary>
    public double Rest => Mean - ClientEncode - ServerDecode - Handler - ServerEncode - ClientDecode;

    /// <summary>All parts in the order of a call, with the names of the result file.</summary>
    public IReadOnlyDictionary<string, double> ByName => new Dictionary<string, double>
    {
        ["clientEncode"] = ClientEncode,
        ["serverDecode"] = ServerDecode,
        ["handler"] = Handler,
        ["serverEncode"] = ServerEncode,
        ["clientDecode"] = ClientDecode,
        ["rest"] = Rest,
    };

    public static CallParts Of(HostSnapshot clientBefore, HostSnapshot clientAfter, HostSnapshot serverBefore, HostSnapshot serverAfter,
        double meanUs, long calls)
    {
        return new(
            PerCall(clientAfter.EncodeNs - clientBefore.EncodeNs),
            PerCall(serverAfter.DecodeNs - serverBefore.DecodeNs),
            PerCall(serverAfter.HandlerNs - serverBefore.HandlerNs),
            PerCall(serverAfter.EncodeNs - serverBefore.EncodeNs),
            PerCall(clientAfter.DecodeNs - clientBefore.DecodeNs),
            meanUs);

        double PerCall(long nanoseconds) => nanoseconds / 1e3 / Math.Max(1, calls);
    }

    /// <summary>The mean of several rounds, each counting the same.</summary>
    public static CallParts Average(IReadOnlyCollection<CallParts> rounds) => new(
        rounds.Average(parts => parts.ClientEncode),
        rounds.Average(parts => parts.ServerDecode),
        rounds.Average(parts => parts.Handler),
        rounds.Average(parts => parts.ServerEncode),
        rounds.Average(parts => parts.ClientDecode),
        rounds.Average(parts => parts.Mean));
}

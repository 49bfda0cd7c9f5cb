using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost;

/// <summary>Where the time of a call goes, in microseconds: its parts in their order, with the names of the result file.</summary>
static class CallParts
{
    public static IReadOnlyDictionary<string, double> Of(HostSnapshot clientBefore, HostSnapshot clientAfter, HostSnapshot serverBefore,
        HostSnapshot serverAfter, double meanUs, long calls)
    {
        var parts = new Dictionary<string, double>
        {
            ["clientEncode"] = PerCall(clientAfter.EncodeNs - clientBefore.EncodeNs),
            ["serverDecode"] = PerCall(serverAfter.DecodeNs - serverBefore.DecodeNs),
            ["handler"] = PerCall(serverAfter.HandlerNs - serverBefore.HandlerNs),
            ["serverEncode"] = PerCall(serverAfter.EncodeNs - serverBefore.EncodeNs),
            ["clientDecode"] = PerCall(clientAfter.DecodeNs - clientBefore.DecodeNs),
        };
        parts["rest"] = meanUs - parts.Values.Sum(); // transport, kernel, scheduling and waiting
        return parts;

        double PerCall(long nanoseconds) => nanoseconds / 1e3 / Math.Max(1, calls);
    }

    /// <summary>Returns the mean of several rounds with equal weights.</summary>
    public static IReadOnlyDictionary<string, double> Average(IReadOnlyCollection<IReadOnlyDictionary<string, double>> rounds) =>
        rounds.First().Keys.ToDictionary(part => part, part => rounds.Average(round => round[part]));
}

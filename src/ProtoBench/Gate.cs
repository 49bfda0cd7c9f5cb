using ProtoBench.Libraries;
using ProtoBench.Payloads;

namespace ProtoBench;

/// <summary>
/// Nothing is timed before all libraries agree: the same census out of the same bytes, and the golden bytes back. Runs in the parent process,
/// so that no measured process loads a library that it does not measure.
/// </summary>
public static class Gate
{
    /// <summary>Holds each of <paramref name="libraries"/> against the golden bytes and against the first of them.</summary>
    /// <exception cref="GateException">A library differs; the message names it and the first difference.</exception>
    public static void Check(IReadOnlyList<HiveLibrary> libraries)
    {
        foreach (var library in libraries)
        {
            Check(library, libraries[0], "Request", Hive.Request(), Hive.Request(), library.ParseRequest, libraries[0].ParseRequest);
            Check(library, libraries[0], "Response", Hive.Response(), Hive.Response(), library.ParseResponse, libraries[0].ParseResponse);
            Check(library, libraries[0], "Mixed", Hive.Mixed(), Hive.Mixed(library.Mixed), library.ParseRequest, libraries[0].ParseRequest);
        }
    }

    static void Check(HiveLibrary library, HiveLibrary reference, string message, byte[] wire, byte[] golden, Func<byte[], object> parse, Func<byte[], object> parseReference)
    {
        try
        {
            var parsed = parse(wire);
            var census = library.CensusOf(parsed);
            var expected = reference.CensusOf(parseReference(wire));
            if (census != expected)
                throw new GateException($"read {census} where {reference.PackageAndVersion} read {expected}");
            if (FirstDifference(library.Write(parsed), golden) is { } difference)
                throw new GateException(difference);
        }
#pragma warning disable CA1031 // whatever a library throws here, the gate's answer is its name and what it said
        catch (Exception e)
#pragma warning restore CA1031
        {
            throw new GateException($"{library.PackageAndVersion} ({library.Cell}), {message}: {e.Message}", e);
        }
    }

    /// <summary>Where <paramref name="written"/> leaves <paramref name="golden"/>, in words; null if nowhere.</summary>
    public static string? FirstDifference(ReadOnlySpan<byte> written, ReadOnlySpan<byte> golden)
    {
        var at = written.CommonPrefixLength(golden);
        if (at == written.Length && at == golden.Length)
            return null;
        if (at == written.Length || at == golden.Length)
            return $"wrote {written.Length} bytes, expected {golden.Length}";
        return $"byte {at} written is 0x{written[at]:X2}, expected 0x{golden[at]:X2}";
    }
}

using System.Globalization;
using System.Security.Cryptography;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>The payload of a call: the encoded request, and the expected reply.</summary>
sealed class HivePayload
{
    readonly ulong[] keys;

    HivePayload(string name, byte[] request, byte[] readyResponse, int items)
    {
        (Name, Request, ReadyResponse) = (name, request, readyResponse);
        keys = [.. Enumerable.Range(0, items).Select(i => HiveAnswer.Key(i.ToString(CultureInfo.InvariantCulture)))];
        Sha256 = Convert.ToHexStringLower(SHA256.HashData(request));
    }

    /// <summary>The hive, or "empty" for messages without a field.</summary>
    public string Name { get; }

    /// <summary>The request on the wire.</summary>
    public byte[] Request { get; }

    /// <summary>The response of the raw codec's service. It has the size of a real response.</summary>
    public byte[] ReadyResponse { get; }

    public int Items => keys.Length;

    public string Sha256 { get; }

    /// <summary>The hive with this number of items. The published measurement has 3,500.</summary>
    public static HivePayload Hive(int items) => new("hive", Payloads.Hive.Request(items), Payloads.Hive.Response(items), items);

    /// <summary>Empty messages: measures the cost of a call itself.</summary>
    public static HivePayload Empty() => new("empty", [], [], 0);

    /// <summary>Whether an item of a reply is the expected one.</summary>
    public bool IsRight(int item, float result, ReadOnlySpan<byte> extra)
    {
        Span<byte> expected = stackalloc byte[HiveAnswer.ExtraBytes];
        HiveAnswer.Extra(keys[item], expected);
        return result == HiveAnswer.Result(keys[item]) && extra.SequenceEqual(expected);
    }
}

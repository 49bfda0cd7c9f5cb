using Microsoft.AspNetCore.Http;

namespace ProtoBench.Rpc.Calls;

/// <summary>Names and values that are sent with a call. Values of names that end in <c>-bin</c> are bytes, stored as the base64 text
/// that is sent. A name may occur more than once. Not thread-safe.</summary>
public sealed class RpcMetadata
{
    readonly List<KeyValuePair<string, string>> entries = [];

    /// <summary>All entries in order, binary ones as base64.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Entries => entries;

    /// <summary>Adds a text entry.</summary>
    /// <exception cref="ArgumentException">The name is not of [0-9a-z_.-], is reserved (<c>grpc-</c>), ends in -bin, or the value is not
    /// printable ASCII.</exception>
    public void Add(string name, string value)
    {
        CheckName(name);
        if (IsBinary(name))
            throw new ArgumentException($"'{name}' ends in -bin: its value is bytes", nameof(name));
        if (value.AsSpan().ContainsAnyExceptInRange(' ', '~'))
            throw new ArgumentException($"the value of '{name}' is not printable ASCII; a name that ends in -bin takes bytes",
                nameof(value));
        entries.Add(new(name, value));
    }

    /// <summary>Adds bytes under a name that ends in -bin.</summary>
    /// <exception cref="ArgumentException">The name is malformed, reserved, or does not end in -bin.</exception>
    public void Add(string name, ReadOnlySpan<byte> value)
    {
        CheckName(name);
        if (!IsBinary(name))
            throw new ArgumentException($"'{name}' does not end in -bin: its value is text", nameof(name));
        entries.Add(new(name, Convert.ToBase64String(value).TrimEnd('=')));
    }

    /// <summary>The first text value under this name, or null.</summary>
    public string? Find(string name)
    {
        foreach (var entry in entries)
        {
            if (entry.Key == name)
                return entry.Value;
        }

        return null;
    }

    /// <summary>All values under a name that ends in -bin, decoded; a value that is no base64 is left out.</summary>
    public IEnumerable<byte[]> FindBytes(string name)
    {
        foreach (var entry in entries)
        {
            if (entry.Key != name)
                continue;

            // one header line may carry several values, joined by commas, each with or without padding
            foreach (var part in entry.Value.Split(','))
            {
                var text = part.Trim().TrimEnd('=');
                var bytes = new byte[text.Length * 3 / 4];
                if (Convert.TryFromBase64String(text.PadRight((text.Length + 3) / 4 * 4, '='), bytes, out var length)
                    && length == bytes.Length)
                    yield return bytes;
            }
        }
    }

    /// <summary>The metadata of a request.</summary>
    internal static RpcMetadata Of(IHeaderDictionary headers)
    {
        var metadata = new RpcMetadata();
        foreach (var (name, values) in headers)
        {
            foreach (var value in values)
                metadata.AddReceived(name, value ?? "");
        }

        return metadata;
    }

    /// <summary>Adds a received header, unless it belongs to the protocol.</summary>
    internal void AddReceived(string name, string value)
    {
        if (!IsReserved(name))
            entries.Add(new(name, value));
    }

    static bool IsBinary(string name) => name.EndsWith("-bin", StringComparison.Ordinal);

    static bool IsReserved(string name) =>
        name.Length == 0 || name[0] == ':' || name.StartsWith("grpc-", StringComparison.OrdinalIgnoreCase)
        || name.ToUpperInvariant() is "CONTENT-TYPE" or "TE" or "HOST" or "CONTENT-LENGTH" or "USER-AGENT" or "DATE" or "SERVER";

    static void CheckName(string name)
    {
        foreach (var c in name)
        {
            if (c is not ((>= 'a' and <= 'z') or (>= '0' and <= '9') or '_' or '.' or '-'))
                throw new ArgumentException($"'{name}' is not a metadata name: only 0-9 a-z _ . and - are allowed", nameof(name));
        }

        if (IsReserved(name))
            throw new ArgumentException($"the name '{name}' belongs to the protocol", nameof(name));
    }
}

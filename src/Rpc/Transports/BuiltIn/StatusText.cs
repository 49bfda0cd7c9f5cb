using System.Globalization;
using System.Text;

namespace ProtoBench.Rpc.Transports.BuiltIn;

/// <summary>The <c>grpc-message</c> header: UTF-8, percent-encoded outside printable ASCII.</summary>
static class StatusText
{
    public static string Encode(string text)
    {
        if (!text.AsSpan().ContainsAnyExceptInRange(' ', '~') && !text.Contains('%', StringComparison.Ordinal))
            return text;
        var encoded = new StringBuilder();
        foreach (var b in Encoding.UTF8.GetBytes(text))
        {
            if (b is >= (byte)' ' and <= (byte)'~' and not (byte)'%')
                encoded.Append((char)b);
            else
                encoded.Append(CultureInfo.InvariantCulture, $"%{b:X2}");
        }

        return encoded.ToString();
    }

    /// <summary>Never fails: an invalid escape sequence stays unchanged.</summary>
    public static string Decode(string text)
    {
        if (!text.Contains('%', StringComparison.Ordinal))
            return text;
        var bytes = new List<byte>(text.Length);
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] == '%' && i + 2 < text.Length
                && byte.TryParse(text.AsSpan(i + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var b))
            {
                bytes.Add(b);
                i += 2;
            }
            else
            {
                bytes.AddRange(Encoding.UTF8.GetBytes(text, i, 1));
            }
        }

        return Encoding.UTF8.GetString([.. bytes]);
    }
}

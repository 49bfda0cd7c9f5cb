using System.Text;
using System.Text.Json;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Testing;

/// <summary>Compares JSON with what Google's JsonFormatter writes. Spaces, the order of map entries and the escapes in strings may
/// differ.</summary>
static class GoogleJson
{
    // as deep as a message, with a list in each of its levels
    static readonly JsonDocumentOptions deep = new() { MaxDepth = 1000 };

    /// <inheritdoc cref="AssertSame(IMessage, JsonFormatter.Settings, Func{string})"/>
    public static void AssertSame(IMessage google, Func<string> ours, bool writeDefaults = false, TypeRegistry? types = null) =>
        AssertSame(google, new(writeDefaults, types ?? TypeRegistry.Empty), ours);

    /// <summary>Asserts that our JSON has the content of Google's, or that both refuse the message. Google writes a Value of NaN as a
    /// string, which struct.proto forbids; we refuse it.</summary>
    /// <returns>Both texts; null if one of the two refuses the message.</returns>
    public static (string Google, string Ours)? AssertSame(IMessage google, JsonFormatter.Settings settings, Func<string> ours)
    {
        string expected;
        try
        {
            using var writer = new StringWriter { NewLine = "\n" };
            new JsonFormatter(settings).Format(google, writer);
            expected = writer.ToString();
        }
        catch (InvalidOperationException why)
        {
            // Google refuses an empty key of a Struct, which we write.
            var refusal = Record.Exception(ours);
            Assert.True(refusal is InvalidOperationException
                || (refusal is null && why.Message.Contains("empty key", StringComparison.Ordinal)), $"Google refuses: {why}");
            return null;
        }

        try
        {
            var actual = ours();
            AssertEqual(expected, actual);
            return (expected, actual);
        }
        catch (InvalidOperationException e) when (e.Message.Contains("not finite", StringComparison.Ordinal))
        {
            Assert.Matches("\"(NaN|-?Infinity)\"", expected);
            return null;
        }
    }

    public static void AssertEqual(string expected, string actual)
    {
        if (HasSameTokens(Encoding.UTF8.GetBytes(expected), Encoding.UTF8.GetBytes(actual)))
            return;
        using var one = JsonDocument.Parse(expected, deep);
        using var other = JsonDocument.Parse(actual, deep);
        if (!JsonElement.DeepEquals(one.RootElement, other.RootElement))
            Assert.Fail($"expected:\n{expected}\nactual:\n{actual}");
    }

    /// <summary>Whether both are the same JSON in the same order. Most are, and documents of the larger data sets take seconds.</summary>
    static bool HasSameTokens(ReadOnlySpan<byte> expected, ReadOnlySpan<byte> actual)
    {
        Utf8JsonReader one = new(expected, new() { MaxDepth = deep.MaxDepth }), other = new(actual, new() { MaxDepth = deep.MaxDepth });
        while (one.Read())
        {
            if (!other.Read() || one.TokenType != other.TokenType)
                return false;
            if (one.ValueSpan.SequenceEqual(other.ValueSpan))
                continue;
            if (one.TokenType is not (JsonTokenType.String or JsonTokenType.PropertyName) || one.GetString() != other.GetString())
                return false;
        }

        return !other.Read();
    }
}

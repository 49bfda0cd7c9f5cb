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

    /// <summary>Asserts that our JSON has the content of Google's, or that both refuse the message. Google writes a Value of NaN as a
    /// string, which struct.proto forbids; we refuse it.</summary>
    public static void AssertSame(IMessage google, Func<string> ours, bool writeDefaults = false, TypeRegistry? types = null)
    {
        string expected;
        try
        {
            expected = new JsonFormatter(new JsonFormatter.Settings(writeDefaults, types ?? TypeRegistry.Empty)).Format(google);
        }
        catch (InvalidOperationException why)
        {
            // Google refuses an empty key of a Struct, which we write.
            var refusal = Record.Exception(ours);
            Assert.True(refusal is InvalidOperationException
                || (refusal is null && why.Message.Contains("empty key", StringComparison.Ordinal)), $"Google refuses: {why}");
            return;
        }

        try
        {
            AssertEqual(expected, ours());
        }
        catch (InvalidOperationException e) when (e.Message.Contains("not finite", StringComparison.Ordinal))
        {
            Assert.Matches("\"(NaN|-?Infinity)\"", expected);
        }
    }

    public static void AssertEqual(string expected, string actual)
    {
        using var one = JsonDocument.Parse(expected, deep);
        using var other = JsonDocument.Parse(actual, deep);
        Assert.True(JsonElement.DeepEquals(one.RootElement, other.RootElement), $"expected:\n{expected}\nactual:\n{actual}");
    }
}

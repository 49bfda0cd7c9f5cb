using System.Text.RegularExpressions;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec;

namespace ProtoBench.Testing;

/// <summary>The options of JSON in all combinations, and the comparison with Google's JsonFormatter of the same settings.</summary>
static partial class JsonForms
{
    static readonly string?[] indentations = [null, "", "  ", "\t"];

    public static IReadOnlyList<ProtoJsonOptions> All(ProtoJsonTypes? types = null) =>
    [
        .. from indentation in indentations
           from bits in Enumerable.Range(0, 8)
           select new ProtoJsonOptions
           {
               WriteDefaults = (bits & 1) != 0,
               PreserveProtoFieldNames = (bits & 2) != 0,
               FormatEnumsAsIntegers = (bits & 4) != 0,
               Indentation = indentation,
               Types = types,
           },
    ];

    public static ProtoJsonOptions Draw(int seed)
    {
        var all = All();
        return all[new Random(seed).Next(all.Count)];
    }

    /// <summary>Asserts that our JSON has the content of Google's, and with an indentation the same text, but for escapes, and for the
    /// E of a number's exponent.</summary>
    public static void AssertSame(
        IMessage google, ProtoJsonOptions options, Func<ProtoJsonOptions, string> ours, TypeRegistry? types = null)
    {
        var settings = new JsonFormatter.Settings(options.WriteDefaults, types ?? TypeRegistry.Empty)
            .WithPreserveProtoFieldNames(options.PreserveProtoFieldNames)
            .WithFormatEnumsAsIntegers(options.FormatEnumsAsIntegers)
            .WithIndentation(options.Indentation);
        try
        {
            if (GoogleJson.AssertSame(google, settings, () => ours(options)) is not { } texts || options.Indentation is null) return;
            Assert.Equal(Plain(texts.Google), Plain(texts.Ours));
        }
        catch (Exception e) when (e is not InvalidOperationException)
        {
            throw new InvalidOperationException($"defaults {options.WriteDefaults}, .proto names {options.PreserveProtoFieldNames}, "
                + $"numbers of enums {options.FormatEnumsAsIntegers}, indentation '{options.Indentation ?? "none"}': {e.Message}", e);
        }
    }

    /// <summary>Asserts that what Google's formatter writes of a message is read as by Google's parser, which loses empty paths of a field
    /// mask.</summary>
    /// <param name="google">The message.</param>
    /// <param name="read">Reads JSON, and returns the binary form.</param>
    public static void AssertRead(IMessage google, Func<string, byte[]> read)
    {
        string json, expected;
        try
        {
            json = JsonFormatter.Default.Format(google);
            expected = JsonFormatter.Default.Format(JsonParser.Default.Parse(json, google.Descriptor));
        }
        catch (InvalidOperationException)
        {
            return;
        }

        var actual = google.Descriptor.Parser.ParseFrom(read(json));
        var again = JsonFormatter.Default.Format(actual);
        Assert.True(expected == again, $"{expected}, and {again} read from {json}");
    }

    static string Plain(string json) =>
        Exponent().Replace(Escape().Replace(json, escape => Regex.Unescape(escape.Value)), "e");

    [GeneratedRegex("""\\(u[0-9a-fA-F]{4}|.)""")]
    private static partial Regex Escape();

    [GeneratedRegex("(?<=[0-9])E(?=[-+][0-9])")]
    private static partial Regex Exponent();
}

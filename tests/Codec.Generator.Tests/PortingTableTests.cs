using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>The tables of messages in docs/calls.md: every piece of code in its left cells compiles against the class that protoc
/// generates, and every one in its right cells against the slab message. An error of the compiler names the line of the page.</summary>
public partial class PortingTableTests
{
    const string fields = """

          bytes data = 11;
          repeated string tags = 19;
          repeated google.protobuf.Any extras = 20;
          repeated int32 numbers = 12;
          Place address = 13;
          oneof home { string street = 14; Place place = 15; }
          google.protobuf.Int32Value discount = 16;
          Color color = 17;
          repeated google.protobuf.Int32Value codes = 18;
          message Place { string city = 1; }
          enum Color { COLOR_UNSPECIFIED = 0; }

        """;

    // Of both sides. What is declared by a cell hides the field of the same name.
    const string variables = """
        static Order order, other;
        static Order.Types.Line line;
        static Order.Types.Place place;
        static Receipt receipt;
        static Timestamp timestamp;
        static Duration duration;
        static Any any;
        static FieldMask mask;
        static Dictionary<string, uint> dictionary;
        static byte[] bytes, buffer;
        static string[] texts;
        static int[] values;
        static string json;
        static ReadOnlyMemory<byte> memory;
        static ReadOnlySequence<byte> sequence;
        static ByteString byteString;
        static Stream stream;
        static IBufferWriter<byte> bufferWriter;
        static Utf8JsonWriter jsonWriter;
        static PipeReader pipeReader;
        static PipeWriter pipeWriter;
        static DateTime time;
        static TimeSpan span;
        """;

    static readonly string[] lines = File.ReadAllLines(Path.Combine(Tools.Protos, "../docs/calls.md"));

    [Fact]
    public void Every_cell_compiles()
    {
        using var workshop = new Workshop { HasGoogleConversions = true };
        workshop.Add("order.proto", Schema());
        workshop.GenerateAll(_ => "Slab.Shop");
        workshop.GenerateGoogle();
        workshop.AddSource(Program());
        workshop.AssertCompiles();
    }

    static string Schema()
    {
        var proto = Proto().Match(File.ReadAllText(Path.Combine(Tools.Protos, "../docs/codec.md")).ReplaceLineEndings("\n")).Groups["code"].Value;
        Assert.Contains("  repeated Line lines = 2;\n", proto, StringComparison.Ordinal);
        Assert.Contains("  map<string, uint32> articles = 2;\n", proto, StringComparison.Ordinal);
        var imports = string.Concat(
            new[] { "any", "wrappers", "timestamp", "duration" }.Select(name => $"import \"google/protobuf/{name}.proto\";\n"));
        return proto.Replace("package shop;\n", "package shop;\n" + imports, StringComparison.Ordinal)
            .Replace("  repeated Line lines = 2;\n", "  repeated Line lines = 2;" + fields, StringComparison.Ordinal)
            .Replace("  map<string, uint32> articles = 2;\n",
                "  map<string, uint32> articles = 2;\n  map<string, Order.Line> stock = 3;\n"
                    + "  google.protobuf.Timestamp written = 4;\n  google.protobuf.Duration taken = 5;\n", StringComparison.Ordinal);
    }

    static string Program()
    {
        var (google, slab) = (new StringBuilder(), new StringBuilder());
        var rows = 0;
        for (var i = 0; lines[i] != "## Services"; i++)
        {
            if (!lines[i].StartsWith("| ", StringComparison.Ordinal) || lines[i].StartsWith("| Google.Protobuf |", StringComparison.Ordinal)
                || lines[i].StartsWith("| ---", StringComparison.Ordinal)) continue;
            rows++;
            var cells = lines[i].Split('|', StringSplitOptions.TrimEntries);
            Assert.True(cells.Length == 4, lines[i]);
            var (left, right) = (Codes(cells[1]), Codes(cells[2]));
            if (cells[2].StartsWith("the same", StringComparison.Ordinal)) right = [.. left, .. right];
            Assert.True(left.Count + right.Count > 0, lines[i]);
            Append(google, i + 1, left);
            Append(slab, i + 1, right);
        }

        Assert.True(rows > 50, $"{rows} rows");

        return $$"""
            #pragma warning disable CS0169, CS0649, CS1591, CS8321, CS8618
            using System;
            using System.Buffers;
            using System.Collections.Generic;
            using System.IO;
            using System.IO.Pipelines;
            using System.Linq;
            using System.Text.Json;
            using System.Threading.Tasks;
            using Google.Protobuf;

            namespace PortedFrom
            {
                using Google.Protobuf.Reflection;
                using Google.Protobuf.WellKnownTypes;
                using Shop;

                static class Rows
                {
                    {{variables}}
                    {{google}}
                }
            }

            namespace PortedTo
            {
                using ProtoBench.Codec;
                using ProtoBench.Codec.WellKnownTypes;
                using Slab.Shop;

                static class Rows
                {
                    static Message<Order> message, second;
                    static Shop.Order google;
                    static Utf8StringPool pool;
                    {{variables}}
                    {{slab}}
                }
            }
            """;
    }

    static List<string> Codes(string cell) => [.. Code().Matches(cell).Select(match => match.Groups["code"].Value)];

    static void Append(StringBuilder program, int line, List<string> codes)
    {
        for (var i = 0; i < codes.Count; i++)
            program.Append(CultureInfo.InvariantCulture, $"\n#line {line} \"docs/calls.md\"\n")
                .Append(CultureInfo.InvariantCulture, $"static void Line{line}_{i}() {{ {Statement(codes[i])} }}\n");
    }

    static string Statement(string code) =>
        code.EndsWith(';') || code.EndsWith('}') ? code
        : TypeName().IsMatch(code) ? $"_ = typeof({code});"
        : Assignment().IsMatch(code) || (code.EndsWith(')') && !code.StartsWith('(')) ? code + ";"
        : $"_ = {code};";

    [GeneratedRegex("```proto\n(?<code>.*?)```", RegexOptions.Singleline)]
    private static partial Regex Proto();

    [GeneratedRegex("`(?<code>[^`]+)`")]
    private static partial Regex Code();

    [GeneratedRegex(@"^([A-Z]\w*|int\?)$")]
    private static partial Regex TypeName();

    [GeneratedRegex("[^=!<>]=[^=>]")]
    private static partial Regex Assignment();
}

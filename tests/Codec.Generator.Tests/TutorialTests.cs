using System.Reflection;
using System.Text;
using System.Text.RegularExpressions;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>The examples of ownership in docs/codec.md compile; a right one runs, a wrong one does what its comment says.</summary>
public partial class TutorialTests
{
    static readonly string text = File.ReadAllText(Path.Combine(Tools.Protos, "../docs/codec.md")).ReplaceLineEndings("\n");

    [Fact]
    public void Examples_of_ownership_do_what_they_say()
    {
        var examples =
            Example().Matches(text[text.IndexOf("## Ownership", StringComparison.Ordinal)..]).Select(match => match.Groups["code"].Value)
                .ToList();
        Assert.True(examples.Count >= 10 && examples.Count % 2 == 0, $"{examples.Count} examples");
        Assert.All(examples, (example, i) => Assert.StartsWith(i % 2 == 0 ? "// wrong" : "// right", example, StringComparison.Ordinal));

        using var workshop = new Workshop("order.proto", Proto().Match(text).Groups["code"].Value);
        workshop.GenerateAll();
        workshop.AddSource(Program(examples));
        var type = workshop.Compile().GetType("Examples")!;
        for (var i = 0; i < examples.Count; i += 2)
        {
            var (refused, wrong) = (default(Exception), "");

            // two threads that change one message may do anything
            if (!examples[i].Contains("two threads", StringComparison.Ordinal)) (refused, wrong) = Run(type, i);
            var (thrown, right) = Run(type, i + 1);
            Assert.True(thrown is null && right is "Ada" or "AdaEve" or "tea", $"{thrown} {right} {examples[i + 1]}");
            if (examples[i].Contains("throws ObjectDisposedException", StringComparison.Ordinal))
                Assert.IsType<ObjectDisposedException>(refused);
            else Assert.NotEqual(right, wrong);
        }
    }

    /// <summary>The handler of the tutorial, with stand-ins for the four types of ASP.NET that it uses.</summary>
    [Fact]
    public async Task The_handler_answers_an_order_and_says_400_to_what_is_none()
    {
        using var workshop = new Workshop("order.proto", Proto().Match(text).Groups["code"].Value);
        workshop.GenerateAll();
        workshop.AddSource(Web(Example().Match(text).Groups["code"].Value));
        var post = workshop.Compile().GetType("Handler")!.GetMethod("Post")!
            .CreateDelegate<Func<byte[], Task<(int Status, byte[] Body)>>>();
        var (status, body) = await post([.. "\n\u0003Ada\u0012\u0007\n\u0003tea\u0010\u0002"u8]);
        Assert.Equal(200, status);
        Assert.Contains("Thank you, Ada.", Encoding.UTF8.GetString(body), StringComparison.Ordinal);
        foreach (var malformed in new byte[][] { [0x0A], [0x0A, 1, 0xFF], [0x0F] })
        {
            (status, body) = await post(malformed);
            Assert.Equal(400, status);
            Assert.Empty(body);
        }
    }

    [Fact]
    public async Task The_reader_of_a_pipe_reads_all_messages_and_refuses_a_part_of_one()
    {
        using var workshop = new Workshop("order.proto", Proto().Match(text).Groups["code"].Value);
        workshop.GenerateAll();
        workshop.AddSource($$"""
            using System;
            using System.IO;
            using System.IO.Pipelines;
            using System.Threading.Tasks;
            using ProtoBench.Codec;
            using Shop;
            #pragma warning disable CS1591

            public static class Pipes
            {
                public static async Task<string> Read(byte[] wire)
                {
                    var names = "";
                    await ReadAll(PipeReader.Create(new MemoryStream(wire)), order => names += order.Customer.ToString());
                    return names;
                }

            {{Example().Matches(text).Select(match => match.Groups["code"].Value).Single(one => one.Contains("ReadAll", StringComparison.Ordinal))}}
            }
            """);
        var read = workshop.Compile().GetType("Pipes")!.GetMethod("Read")!.CreateDelegate<Func<byte[], Task<string>>>();
        Assert.Equal("AdaEve", await read([5, 10, 3, .. "Ada"u8, 5, 10, 3, .. "Eve"u8]));
        await Assert.ThrowsAsync<WireFormatException>(() => read([5, 10, 3, .. "Ad"u8]));
    }

    [Fact]
    public void The_test_data_is_what_its_check_says()
    {
        using var workshop = new Workshop("order.proto", Proto().Match(text).Groups["code"].Value);
        workshop.GenerateAll();
        var example = Example().Matches(text).Select(match => match.Groups["code"].Value)
            .Single(one => one.Contains("Sample()", StringComparison.Ordinal));
        workshop.AddSource($$"""
            using System.Collections.Generic;
            using System.Linq;
            using ProtoBench.Codec;
            using Shop;
            #pragma warning disable CS1591

            public static class Data
            {
                static string[] Expected = [], Seen = [];

                static class Assert
                {
                    public static void Equal(string[] expected, IEnumerable<string> seen) => (Expected, Seen) = (expected, [.. seen]);
                }

                public static (string[], string[], string) Run()
                {
                    Check();
                    using var order = Sample();
                    return (Expected, Seen, order.Value.ToJson());
                }

            {{example}}
            }
            """);
        var run = workshop.Compile().GetType("Data")!.GetMethod("Run")!.CreateDelegate<Func<(string[], string[], string)>>();
        var (expected, seen, json) = run();
        Assert.Equal(["tea", "milk"], expected);
        Assert.Equal(expected, seen);
        Assert.Equal("""{"customer":"Ada","lines":[{"article":"tea","count":2},{"article":"milk","count":1}]}""", json);
    }

    [Fact]
    public void The_example_of_JSON_writes_an_order_and_its_lines()
    {
        using var workshop = new Workshop("order.proto", Proto().Match(text).Groups["code"].Value);
        workshop.GenerateAll();
        workshop.AddSource($$"""
            using System.Buffers;
            using System.Text;
            using System.Text.Json;
            using ProtoBench.Codec;
            using Shop;
            #pragma warning disable CS1591

            public static class Json
            {
                public static string[] Write(byte[] wire)
                {
                    using var message = Order.Rent();
                    var (output, lines) = (new ArrayBufferWriter<byte>(), new ArrayBufferWriter<byte>());
                    string all;
                    using (var json = new Utf8JsonWriter(lines)) all = WriteAll(message.Parse(wire), output, json);
                    return [Encoding.UTF8.GetString(output.WrittenSpan), Encoding.UTF8.GetString(lines.WrittenSpan), all];
                }

            {{Example().Matches(text).Select(match => match.Groups["code"].Value).Single(one => one.Contains("WriteAll", StringComparison.Ordinal))}}
            }
            """);
        var write = workshop.Compile().GetType("Json")!.GetMethod("Write")!.CreateDelegate<Func<byte[], string[]>>();
        Assert.Equal(["""{"customer":"Ada","lines":[{"count":2}]}""", """[{"count":2}]""",
            """{"customer":"Ada","lines":[{"article":"","count":2}]}"""], write([10, 3, .. "Ada"u8, 18, 2, 16, 2]));
    }

    [Fact]
    public void The_examples_of_well_known_types_update_an_order_and_tell_what_an_Any_has()
    {
        using var workshop = new Workshop("order.proto", Proto().Match(text).Groups["code"].Value);
        workshop.GenerateAll();
        var examples = Example().Matches(text).Select(match => match.Groups["code"].Value)
            .Where(one => one.Contains("FieldMask", StringComparison.Ordinal) || one.Contains("AnyHandlers", StringComparison.Ordinal)).ToList();
        Assert.Equal(2, examples.Count);
        workshop.AddSource($$"""
            using System.Linq;
            using ProtoBench.Codec;
            using ProtoBench.Codec.WellKnownTypes;
            using Shop;
            #nullable enable
            #pragma warning disable CS1591

            public static class Service
            {
                public static string?[] Run(string paths)
                {
                    using var stored = Order.Rent();
                    using var update = Order.Rent();
                    using var mask = FieldMask.Rent();
                    using var detail = Any.Rent();
                    stored.Value.SetCustomer("Ada");
                    stored.Value.AddLines().SetArticle("tea");
                    update.Value.AddLines().SetArticle("milk");
                    mask.Value.Set(paths);
                    var refusal = Update(stored.Value, update.Value, mask.Value);
                    var nothing = Details.Text(detail.Value);
                    detail.Value.Pack(stored);
                    return [refusal, stored.Value.ToJson(), nothing, Details.Text(detail.Value)];
                }

            {{string.Join('\n', examples)}}
            }
            """);
        var run = workshop.Compile().GetType("Service")!.GetMethod("Run")!.CreateDelegate<Func<string, string?[]>>();
        Assert.Equal([null, """{"customer":"Ada","lines":[{"article":"milk"}]}""", "something else", "an order of Ada"], run("lines"));
        var (refusal, stored) = (run("lines.article")[0], run("customer")[1]);
        Assert.NotNull(refusal);
        Assert.Equal("""{"lines":[{"article":"tea"}]}""", stored);
    }

    static string Web(string program)
    {
        var usings = program.Split('\n').TakeWhile(line => line.StartsWith("using ", StringComparison.Ordinal)).ToList();
        return $$"""
            using System;
            using System.IO;
            using System.IO.Pipelines;
            using System.Threading.Tasks;
            {{string.Join('\n', usings)}}
            #pragma warning disable CS1591

            public sealed class HttpRequest { public required PipeReader BodyReader { get; init; } }

            public sealed class HttpResponse
            {
                public int StatusCode { get; set; } = 200;
                public string ContentType { get; set; } = "";
                public required PipeWriter BodyWriter { get; init; }
            }

            public static class StatusCodes { public const int Status400BadRequest = 400; }

            public sealed class WebApplication
            {
                public Func<HttpRequest, HttpResponse, Task> Handler { get; private set; } = (_, _) => Task.CompletedTask;
                public static WebApplication? Last { get; private set; }
                public static WebApplication CreateBuilder(string[] args) => Last = new();
                public WebApplication Build() => this;
                public void MapPost(string path, Func<HttpRequest, HttpResponse, Task> handler) => Handler = handler;
                public void Run() { }
            }

            public static class Handler
            {
                public static async Task<(int Status, byte[] Body)> Post(byte[] body)
                {
                    Program([]);
                    var output = new MemoryStream();
                    var writer = PipeWriter.Create(output);
                    var response = new HttpResponse { BodyWriter = writer };
                    var reader = PipeReader.Create(new System.Buffers.ReadOnlySequence<byte>(body));
                    await WebApplication.Last!.Handler(new() { BodyReader = reader }, response);
                    await writer.CompleteAsync();
                    return (response.StatusCode, output.ToArray());
                }

                static void Program(string[] args)
                {
                    {{string.Join('\n', program.Split('\n').Skip(usings.Count))}}
                }
            }
            """;
    }

    static (Exception? Thrown, string Shown) Run(Type type, int example) =>
        (Record.Exception(type.GetMethod("Example" + example, BindingFlags.Public | BindingFlags.Static)!.CreateDelegate<Action>()),
            (string)type.GetField("Shown")!.GetValue(null)!);

    static string Program(IReadOnlyList<string> examples) => $$"""
        using System;
        using System.Text;
        using System.Threading;
        using System.Threading.Tasks;
        using Shop;
        #pragma warning disable CS1591

        public static class Examples
        {
            public static string Shown = "";
            static readonly byte[] bytes = Message("Ada"), first = bytes, second = Message("Eve");

            static byte[] Message(string customer)
            {
                using var message = Order.Rent();
                message.Value.SetCustomer(customer);
                return message.ToByteArray();
            }

            static void Use(string text) => Shown += text;

            static void Use(ReadOnlySpan<byte> utf8) => Shown += Encoding.UTF8.GetString(utf8);

            static void Use(byte[] message)
            {
                using var read = Order.Rent();
                Volatile.Write(ref Shown, read.Parse(message.AsSpan()).Lines[0].Article.ToString());
            }

        {{string.Concat(
            examples.Select((example, i) =>
                $"    public static void Example{i}()\n    {{\n        Shown = \"\";\n        var buffer = (byte[])bytes.Clone();\n{example}\n        GC.KeepAlive(buffer);\n    }}\n\n"))}}}
        """;

    [GeneratedRegex("```csharp\n(?<code>.*?)\n```", RegexOptions.Singleline)]
    private static partial Regex Example();

    [GeneratedRegex("```proto\n(?<code>.*?)\n```", RegexOptions.Singleline)]
    private static partial Regex Proto();
}

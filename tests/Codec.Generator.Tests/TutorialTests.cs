using System.Reflection;
using System.Text.RegularExpressions;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>The examples of ownership in docs/codec.md: each compiles with the schema
/// of the tutorial; a right one runs, a wrong one does what its comment says.</summary>
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

        using var workshop = new Workshop();
        workshop.Add("order.proto", Proto().Match(text).Groups["code"].Value);
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

using System.Text.RegularExpressions;
using ProtoBench.Codec.Generator.Tests.Schemas;
using Timestamp = Google.Protobuf.WellKnownTypes.Timestamp;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>The examples of docs/both-libraries.md compile with Google's classes and slab messages of the tutorial's schema, and do what
/// the page says. Those of services are compiled by DocumentTests.</summary>
public partial class BothLibrariesTests
{
    static readonly string page = Read("both-libraries.md");

    [Fact]
    public void The_examples_compile_with_both_and_convert()
    {
        var examples = Example().Matches(page[..page.IndexOf("## Services", StringComparison.Ordinal)])
            .Select(match => match.Groups["code"].Value).ToList();
        Assert.Equal(3, examples.Count);
        using var workshop = new Workshop("order.proto", Proto().Match(Read("codec.md")).Groups["code"].Value) { HasGoogleConversions = true };
        workshop.GenerateAll();
        workshop.GenerateGoogle();
        workshop.AddSource(Program(examples[0]), "program.cs");
        workshop.AddSource(examples[1], "names.cs");
        workshop.AddSource(examples[2], "times.cs");
        workshop.AddSource("""
            namespace Elsewhere
            {
                using GoogleTime = Google.Protobuf.WellKnownTypes.Timestamp;

                /// <summary>Calls what the page has.</summary>
                public static class Calls
                {
                    /// <summary>Both names, and a time there and back, into a message that has another one.</summary>
                    public static (string, string, GoogleTime) Run(GoogleTime time)
                    {
                        using var order = Shop.Slab.Order.Rent();
                        order.Value.SetCustomer("Ada");
                        using var at = ProtoBench.Codec.WellKnownTypes.Timestamp.Rent();
                        at.Value.SetSeconds(5);
                        Times.Set(at.Value, time);
                        return (Shop.Desk.Names.Of(order.Value), Shop.Desk.Names.Of(new Shop.Order { Customer = "Eve" }), Times.ToGoogle(at.Value));
                    }
                }
            }

            namespace Shop
            {
                /// <summary>In Google's namespace itself.</summary>
                public static class Inside
                {
                    /// <summary>Shows that Order is Google's, and Slab.Order is ours.</summary>
                    public static bool AreBoth(Order google, Slab.Order slab) => google is Google.Protobuf.IMessage && slab.IsSet;
                }
            }
            """, "calls.cs");
        var assembly = workshop.Compile();
        Assert.Equal("{ \"customer\": \"Ada\" }", assembly.GetType("Program")!.GetMethod("Run")!.CreateDelegate<Func<string>>()());
        var run = assembly.GetType("Elsewhere.Calls")!.GetMethod("Run")!.CreateDelegate<Func<Timestamp, (string, string, Timestamp)>>();
        var time = new Timestamp { Nanos = 7 };
        Assert.Equal(("Ada", "Eve", time), run(time));
    }

    static string Program(string program)
    {
        var usings = program.Split('\n').TakeWhile(line => line.StartsWith("using ", StringComparison.Ordinal)).ToList();
        return $$"""
            {{string.Join('\n', usings)}}
            #pragma warning disable CS1591

            public static class Program
            {
                static class Console
                {
                    public static string Written { get; private set; } = "";
                    public static void WriteLine(object value) => Written = value.ToString()!;
                }

                public static string Run()
                {
                    Example();
                    return Console.Written;
                }

                static void Example()
                {
                    {{string.Join('\n', program.Split('\n').Skip(usings.Count))}}
                }
            }
            """;
    }

    static string Read(string name) => File.ReadAllText(Path.Combine(Tools.Protos, "../docs", name)).ReplaceLineEndings("\n");

    [GeneratedRegex("```csharp\n(?<code>.*?)\n```", RegexOptions.Singleline)]
    private static partial Regex Example();

    [GeneratedRegex("```proto\n(?<code>.*?)\n```", RegexOptions.Singleline)]
    private static partial Regex Proto();
}

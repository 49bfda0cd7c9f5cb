using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace ProtoBench.Codec.Grpc.Tests;

/// <summary>The tables of docs/calls.md compile with the stubs of samples/Orders, Google's and ours, and so do the examples of
/// docs/grpc.md and the services of docs/both-libraries.md. An error of the compiler names the line of the page.</summary>
public partial class DocumentTests
{
    internal const string Usings = """
        using System;
        using System.Collections.Concurrent;
        using System.Collections.Generic;
        using System.Linq;
        using System.Threading;
        using System.Threading.Tasks;
        using Grpc.Core;
        using Grpc.Core.Interceptors;
        using Microsoft.Extensions.DependencyInjection;
        using ProtoBench.Codec;
        using ProtoBench.Codec.Grpc;
        #pragma warning disable CS0169, CS0414, CS0649, CS1998, CS8618

        """;

    // What is declared by a cell hides the field of the same name.
    internal const string Variables = """
        static ServerCallContext context; static CallInvoker channel; static Interceptor interceptor; static IServiceCollection services;
        static Uri address; static DateTime deadline; static CancellationToken token; static uint count; static RpcException exception;
        static OrderDesk.OrderDeskClient client; static void Use(uint count) { }

        """;

    const string google = """
        static Order request, order; static Receipt receipt; static IAsyncStreamReader<Order> requestStream; static Metadata headers;
        static IServerStreamWriter<Receipt> responseStream;

        """;

    internal const string Ours = """
        static Order request; static Receipt reply; static Message<Order> order; static Message<Receipt> receipt; static Metadata headers;
        static SlabStreamReader<Order> requests; static SlabStreamWriter<Receipt> replies;

        """;

    static readonly string[] lines = File.ReadAllLines(Path.Combine(Golden.Root, "docs", "calls.md"));

    [Fact]
    public void Every_cell_of_the_tables_compiles() => Compile(Tables());

    /// <summary>A program with each cell of the tables in a method or a class of its own.</summary>
    internal static string Tables()
    {
        var (left, right) = (new StringBuilder(), new StringBuilder());
        var rows = 0;
        for (var i = Array.IndexOf(lines, "## Services"); i < lines.Length; i++)
        {
            if (!lines[i].StartsWith("| `", StringComparison.Ordinal)) continue;
            var cells = lines[i].Split('|', StringSplitOptions.TrimEntries);
            Assert.Equal(4, cells.Length);
            Append(left, i, cells[1], isGoogle: true);
            Append(right, i, cells[2] == "the same" ? cells[1] : cells[2], isGoogle: false);
            rows++;
        }

        Assert.True(rows >= 20, $"{rows} rows");
        return Usings + $"namespace From\n{{\nusing Orders;\n{Class("Rows", Variables + google + left)}\n}}\n"
            + $"namespace To\n{{\nusing Orders.SlabProtobuf;\nusing ProtoBench.Codec.Grpc.Errors;\nusing Status = Grpc.Core.Status;\n{Class("Rows", Variables + Ours + right)}\n}}\n";
    }

    [Fact]
    public void Every_example_of_ownership_compiles()
    {
        var examples = Examples();
        Assert.True(examples.Count >= 8 && examples.Count % 2 == 0, $"{examples.Count} examples");
        Assert.All(examples, (example, i) => Assert.StartsWith(i % 2 == 0 ? "// wrong" : "// right", example, StringComparison.Ordinal));
        Compile(Program(examples));
    }

    [Fact]
    public void The_examples_of_services_without_Googles_classes_compile()
    {
        var text = Page();
        var from = text.IndexOf("## Reflection, health", StringComparison.Ordinal);
        var examples = Example().Matches(text[from..text.IndexOf("## Ownership", StringComparison.Ordinal)]);
        Assert.Equal(3, examples.Count);
        Compile("using Microsoft.AspNetCore.Builder;\nusing Microsoft.Extensions.Diagnostics.HealthChecks;\n" + Usings
            + "namespace To\n{\nusing Orders.SlabProtobuf;\nusing ProtoBench.Codec.Grpc.Errors;\n"
            + Class("Examples", string.Concat(examples.Select(match => match.Groups["code"].Value))) + "\n}\n");
    }

    /// <summary>The examples of ownership, a wrong one and a right one in turns.</summary>
    internal static List<string> Examples()
    {
        var text = Page();
        return [.. Example().Matches(text[text.IndexOf("## Ownership", StringComparison.Ordinal)..]).Select(match => match.Groups["code"].Value)];
    }

    static string Page() => File.ReadAllText(Path.Combine(Golden.Root, "docs", "grpc.md")).ReplaceLineEndings("\n");

    /// <summary>A program with each example in a method or a class of its own.</summary>
    internal static string Program(IEnumerable<string> examples)
    {
        var members = string.Concat(examples.Select((example, i) => example.Contains("sealed class", StringComparison.Ordinal)
            ? $"static class Part{i} {{ {example} }}\n" : $"static async Task Example{i}() {{ {example} }}\n"));
        return Usings + $"namespace To\n{{\nusing Orders.SlabProtobuf;\n{Class("Examples", Variables + Ours + members)}\n}}\n";
    }

    // a signature has no end; what else a cell has is a statement
    static void Append(StringBuilder program, int line, string cell, bool isGoogle)
    {
        foreach (var code in Code().Matches(cell).Select(match => match.Groups["code"].Value))
        {
            var result = code.StartsWith("return ", StringComparison.Ordinal) ? "Task<Receipt>" : "Task";
            program.Append($"\n#line {line + 1} \"docs/calls.md\"\n").AppendLine(code.EndsWith(';')
                ? $"static async {result} Line{line}{(isGoogle ? "Google" : "")}() {{ {code} }}"
                : $"abstract class Desk{line} : OrderDesk.OrderDeskBase {{ public override {code} => throw null; }}");
        }
    }

    static string Class(string name, string members) => $"static class {name}\n{{\n{members}\n}}";

    /// <summary>The services of docs/both-libraries.md: a host, its slab service, which calls code with Google's messages, and what sees
    /// messages of both kinds.</summary>
    [Fact]
    public void The_services_of_both_libraries_compile()
    {
        const string implicitUsings = """
            global using System; global using System.Threading.Tasks; global using Microsoft.AspNetCore.Builder;
            global using Microsoft.Extensions.DependencyInjection;
            """;
        var text = File.ReadAllText(Path.Combine(Golden.Root, "docs", "both-libraries.md")).ReplaceLineEndings("\n");

        // the stubs of this project have a namespace that its item chooses
        var examples = Example().Matches(text[text.IndexOf("## Services", StringComparison.Ordinal)..])
            .Select(match => match.Groups["code"].Value.Replace("Orders.Slab;", "Orders.SlabProtobuf;", StringComparison.Ordinal)).ToList();
        Assert.Equal(3, examples.Count);
        Compile(OutputKind.ConsoleApplication, [implicitUsings, .. examples]);
    }

    static void Compile(string source) => Compile(OutputKind.DynamicallyLinkedLibrary, source);

    static void Compile(OutputKind kind, params IEnumerable<string> sources)
    {
        var references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Select(path => MetadataReference.CreateFromFile(path));
        var compilation = CSharpCompilation.Create("page", sources.Select(source => CSharpSyntaxTree.ParseText(source)), references,
            new(kind));
        var errors = compilation.GetDiagnostics().Where(one => one.Severity == DiagnosticSeverity.Error).ToList();
        Assert.True(errors.Count == 0, string.Join('\n', errors.Select(error => $"{error.Location.GetMappedLineSpan()}: {error.GetMessage(CultureInfo.InvariantCulture)}")));
    }

    [GeneratedRegex("`(?<code>[^`]+)`")]
    private static partial Regex Code();

    [GeneratedRegex("```csharp\n(?<code>.*?)```", RegexOptions.Singleline)]
    private static partial Regex Example();
}

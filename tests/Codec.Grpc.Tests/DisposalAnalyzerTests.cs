using System.Collections.Immutable;
using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;

namespace ProtoBench.Codec.Grpc.Tests;

/// <summary>IDisposableAnalyzers reports what docs/grpc.md says, in code with generated messages and stubs, and is quiet on right
/// code.</summary>
public partial class DisposalAnalyzerTests
{
    static readonly (string Id, string Code)[] mistakes =
    [
        ("IDISP001", "var order = Order.Rent(); Use(order.Value.Count);"),
        ("IDISP001", "var order = Order.Rent().Fill(order => order.SetCount(2)); Use(order.Value.Count);"),
        ("IDISP001", "var reply = await client.PlaceAsync(order); Use(reply.Value.Count);"),
        ("IDISP001", "var reply = client.Place(order); Use(reply.Value.Count);"),
        ("IDISP001", "var call = client.PlaceAsync(order); await call.ResponseHeadersAsync;"),
        ("IDISP001", "var watch = client.Watch(order); await watch.ResponseStream.MoveNext(token);"),
        ("IDISP001", "var upload = client.Upload(); await upload.RequestStream.WriteAsync(order);"),
        ("IDISP001", "var first = requests.TakeCurrent(); Use(first.Value.Count);"),
        ("IDISP003", "var order = Order.Rent(); order = Order.Rent(); order.Dispose();"),
        ("IDISP004", "Order.Rent();"),
        ("IDISP004", "Use(Order.Rent().Value.Count);"),
        ("IDISP004", "Use((await client.PlaceAsync(order)).Value.Count);"),
        ("IDISP016", "var order = Order.Rent(); order.Dispose(); Use(order.Value.Count);"),
        ("IDISP017", "var order = Order.Rent(); Use(order.Value.Count); order.Dispose();"),
    ];

    const string rightCode = """
        using var order = Order.Rent().Fill(order => { order.SetCount(2); order.MutableLimit().Fill(limit => limit.SetPrice(900)); });
        using var reply = client.Place(order);
        using var watch = client.Watch(order);
        await foreach (var receipt in watch.ResponseStream.ReadAllAsync()) Use(receipt.Count);
        using var upload = client.Upload();
        upload.RequestStream.Next.SetCount(2);
        await upload.RequestStream.WriteAsync();
        await upload.RequestStream.CompleteAsync();
        using var total = await upload;
        Use(total.Value.Count + reply.Value.Count);
        """;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Mistakes_are_reported_and_right_code_is_not(bool isGeneratedCodeInProject)
    {
        var right = DocumentTests.Examples().Where((_, i) => i % 2 == 1).Append(rightCode);
        var program = DocumentTests.Program([.. mistakes.Select(one => one.Code), .. right]);
        var reported = await ReportedAsync(program, isGeneratedCodeInProject);
        Assert.All(mistakes, (mistake, i) => Assert.Contains((i, mistake.Id), reported));
        Assert.DoesNotContain(reported, one => one.Example >= mistakes.Length);
    }

    static async Task<IReadOnlyList<(int Example, string Id)>> ReportedAsync(string source, bool isGeneratedCodeInProject)
    {
        var tree = CSharpSyntaxTree.ParseText(source);
        var references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(path => !isGeneratedCodeInProject || path != typeof(DisposalAnalyzerTests).Assembly.Location);
        SyntaxTree[] generated = isGeneratedCodeInProject ? [CSharpSyntaxTree.ParseText(await File.ReadAllTextAsync(Fact("Stubs")))] : [];
        var compilation = CSharpCompilation.Create("page", [tree, .. generated],
            references.Select(path => MetadataReference.CreateFromFile(path)),
            new(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Annotations));
        Assert.DoesNotContain(compilation.GetDiagnostics(), one => one.Severity == DiagnosticSeverity.Error);
        var reported = await compilation.WithAnalyzers(Load()).GetAnalyzerDiagnosticsAsync();
        Assert.DoesNotContain(reported, one => one.Id.StartsWith("AD", StringComparison.Ordinal));
        return [.. reported.Where(one => one.Location.SourceTree == tree && one.Severity != DiagnosticSeverity.Hidden)
            .Select(one => (ExampleAt(tree, one.Location), one.Id))];
    }

    /// <summary>Gets the number of an example, which is in the name of its method or of its class.</summary>
    static int ExampleAt(SyntaxTree tree, Location location) =>
        tree.GetRoot().FindNode(location.SourceSpan).AncestorsAndSelf().OfType<MemberDeclarationSyntax>()
            .Select(member => Number().Match((member as MethodDeclarationSyntax)?.Identifier.Text
                ?? (member as BaseTypeDeclarationSyntax)?.Identifier.Text ?? ""))
            .Where(match => match.Success).Select(match => int.Parse(match.Groups["number"].ValueSpan)).First();

    [GeneratedRegex("^(Example|Part)(?<number>[0-9]+)$")]
    private static partial Regex Number();

    static ImmutableArray<DiagnosticAnalyzer> Load()
    {
        Type?[] types;
        try
        {
            types = Assembly.LoadFrom(Fact("DisposalAnalyzer")).GetTypes();
        }
        catch (ReflectionTypeLoadException e)
        {
            // without its code fixes, which need an editor
            types = e.Types;
        }

        return [.. types.Where(type => type is { IsAbstract: false } && type.IsSubclassOf(typeof(DiagnosticAnalyzer)))
            .Select(type => (DiagnosticAnalyzer)Activator.CreateInstance(type!)!)];
    }

    static string Fact(string key) => typeof(DisposalAnalyzerTests).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(fact => fact.Key == key).Value!;
}

using System.Diagnostics;
using System.Reflection;
using System.Runtime.Loader;
using System.Text;
using Google.Protobuf.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Emit;
using ProtoBench.Codec.Generator.Build;

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <summary>A temporary folder in which .proto files become two sets of C# files, Google's and ours, and one assembly of both.</summary>
sealed class Workshop : IDisposable
{
    /// <summary>What is put in front of the namespace of every slab message, so that both sets fit into one assembly.</summary>
    public const string SlabNamespace = "SlabGenerated";

    static readonly TimeSpan limit = TimeSpan.FromMinutes(15);

    static readonly CSharpParseOptions syntax = new(LanguageVersion.Latest, DocumentationMode.Diagnose);

    // The compiler is in this process, and shares what it knows of the references: a process for each assembly cost more than most of them.
    static readonly CSharpCompilation compiler = CSharpCompilation.Create(
        "out",
        references: ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Select(path => MetadataReference.CreateFromFile(path)),
        options: new(OutputKind.DynamicallyLinkedLibrary, optimizationLevel: OptimizationLevel.Release, warningLevel: 9999,
            nullableContextOptions: NullableContextOptions.Enable, generalDiagnosticOption: ReportDiagnostic.Error,
            specificDiagnosticOptions: new[] { "CS0436", "CS8019", "CS1701", "CS1702" }
                .Select(id => KeyValuePair.Create(id, ReportDiagnostic.Suppress))));

    readonly string folder = Directory.CreateTempSubdirectory("slab-generator-").FullName;
    readonly List<string> files = [];

    public Workshop()
    {
    }

    public Workshop(string name, string text, Encoding? encoding = null) => Add(name, text, encoding ?? Encoding.UTF8);

    public bool HasGoogleConversions { get; set; }

    public string GrpcServices { get; set; } = "None";

    public string Access { get; set; } = "";

    public long CompiledSize { get; private set; }

    string Protos => Path.Combine(folder, "protos");

    string Imports => Path.Combine(folder, "imports");

    string GoogleFolder => Path.Combine(folder, "google");

    string SlabFolder => Path.Combine(folder, "slab");

    public void Dispose() => Directory.Delete(folder, recursive: true);

    public void Add(string name, string text) => Add(name, text, Encoding.UTF8);

    public void Add(string name, string text, Encoding encoding)
    {
        var path = Path.Combine(Protos, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, encoding.GetBytes(text));
        files.Add(name);
    }

    /// <summary>Adds a file that is no item of the build.</summary>
    public void AddImport(string name, string text)
    {
        var path = Path.Combine(Imports, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }

    public void AddSource(string text, string name = "own.cs") => File.WriteAllText(Path.Combine(folder, name), text);

    /// <summary>Returns the errors of our generator.</summary>
    public IReadOnlyList<string> Generate(Func<string, string>? chooseNamespace = null)
    {
        var items = files.SelectMany(file => (string[])["file", Path.Combine(Protos, file), Protos, chooseNamespace?.Invoke(file) ?? "",
            "true", HasGoogleConversions ? "true" : "false", GrpcServices, "", Access, "", ""]);
        return Generation.RunAsync(
            Arguments.Read(["protoc", Tools.Protoc, "output", SlabFolder, "import", Tools.StandardImports,
                .. Directory.Exists(Imports) ? (string[])["import", Imports] : [], .. items]))
                .WaitAsync(limit).GetAwaiter().GetResult();
    }

    public void GenerateAll(Func<string, string>? chooseNamespace = null)
    {
        var errors = Generate(chooseNamespace);
        Assert.True(errors.Count == 0, string.Join('\n', errors));
    }

    public string Generated(string name) => File.ReadAllText(Path.Combine(SlabFolder, Path.ChangeExtension(name, ".slab.cs")));

    /// <summary>What protoc says of all files, each after its imports.</summary>
    public IReadOnlyList<FileDescriptorProto> Descriptors() =>
        FileDescriptorSet.Parser.ParseFrom(File.ReadAllBytes(Path.Combine(SlabFolder, "descriptors.bin"))).File;

    public void EditGenerated(string name, Func<string, string> edit) =>
        File.WriteAllText(Path.Combine(SlabFolder, Path.ChangeExtension(name, ".slab.cs")), edit(Generated(name)));

    public void GenerateGoogle()
    {
        Directory.CreateDirectory(GoogleFolder);
        var list = Path.Combine(folder, "google.txt");
        File.WriteAllLines(list,
            [$"--proto_path={Protos}", $"--proto_path={Tools.StandardImports}", $"--csharp_out={GoogleFolder}",
                "--csharp_opt=base_namespace=", .. files]);
        Run(Tools.Protoc, "@" + list);
    }

    public bool IsComplete(string type, byte[] wire) => !RunProtoc("--decode=" + type, wire).Remarks.Contains("missing required fields",
        StringComparison.Ordinal);

    /// <summary>The text format that protoc makes of a message.</summary>
    public string Decode(string type, byte[] wire) => Encoding.UTF8.GetString(RunProtoc("--decode=" + type, wire).Output);

    public string DecodeInOneLine(string type, byte[] wire) =>
        string.Join(' ', Decode(type, wire).Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries));

    /// <summary>The bytes that protoc makes of a message in the text format.</summary>
    public byte[] Encode(string type, string text) => RunProtoc("--encode=" + type, Encoding.UTF8.GetBytes(text)).Output;

    (byte[] Output, string Remarks) RunProtoc(string action, byte[] input)
    {
        var (exit, output, remarks) = ProtocProcess.RunAsync(
            new(Tools.Protoc, [$"--proto_path={Protos}", $"--proto_path={Tools.StandardImports}", action, .. files]), input)
                .WaitAsync(limit).GetAwaiter().GetResult();
        Assert.True(exit == 0, string.Join('\n', remarks));
        return (output, string.Join('\n', remarks));
    }

    /// <summary>Compiles everything that was generated, warnings as errors.</summary>
    public Assembly Compile() => Emit(new());

    /// <summary>The types and their members, without code.</summary>
    public Assembly CompileMembers() => Emit(new(metadataOnly: true));

    /// <summary>As <see cref="Compile"/>, for code that is not run: nothing is emitted.</summary>
    public void AssertCompiles() => AssertNone(Sources().GetDiagnostics());

    Assembly Emit(EmitOptions options)
    {
        using MemoryStream output = new(), documentation = new();
        AssertNone(Sources().Emit(output, xmlDocumentationStream: documentation, options: options).Diagnostics);
        CompiledSize = output.Length;
        output.Position = 0;
        return new AssemblyLoadContext(Path.GetFileName(folder), isCollectible: false).LoadFromStream(output);
    }

    CSharpCompilation Sources() => compiler.AddSyntaxTrees(Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
        .Select(path => CSharpSyntaxTree.ParseText(File.ReadAllText(path), syntax, path)));

    static void AssertNone(IEnumerable<Diagnostic> diagnostics)
    {
        var errors = diagnostics.Where(one => one.Severity == DiagnosticSeverity.Error).Take(40).ToList();
        Assert.True(errors.Count == 0, string.Join('\n', errors));
    }

    static void Run(string program, params string[] arguments)
    {
        using var process =
            Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        var said = Task.WhenAll(process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync()).WaitAsync(limit)
            .GetAwaiter().GetResult();
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, string.Join('\n', string.Concat(said).Split('\n').Take(40)));
    }
}

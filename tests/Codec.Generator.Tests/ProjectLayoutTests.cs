using ProtoBench.Codec.Generator.Build;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>The layouts of projects that Grpc.Tools builds: each item has its own roots.</summary>
public sealed class ProjectLayoutTests : IDisposable
{
    readonly string folder = Directory.CreateTempSubdirectory("slab-layout-").FullName;

    string Project => Path.Combine(folder, "app");

    string Output => Path.Combine(Project, "obj", "slab");

    public void Dispose() => Directory.Delete(folder, recursive: true);

    /// <summary>grpc/grpc#22628: a file outside of the project without ProtoRoot has the folder that it is in.</summary>
    [Fact]
    public void Files_of_one_name_in_several_folders_beside_the_project()
    {
        Put("protos/foo.proto", "package foo; message Foo { string text = 1; }");
        Put("protos/dir1/bar.proto", "package bar1; message Bar { string text = 1; }");
        Put("protos/dir2/bar.proto", "package bar2; message Bar { string text = 1; }");
        var files = Generate(Item("../protos/foo.proto"), Item("../protos/dir1/bar.proto"), Item("../protos/dir2/bar.proto"));
        Assert.Equal(["dir1/bar.slab.cs", "dir2/bar.slab.cs", "foo.slab.cs"],
            files.Select(file => Path.GetRelativePath(Output, file).Replace('\\', '/')).Order(StringComparer.Ordinal));
        Assert.Equal(files, Generate(Item("../protos/foo.proto"), Item("../protos/dir1/bar.proto"), Item("../protos/dir2/bar.proto")));
        Assert.Single(Generate(Item("../protos/dir2/bar.proto")));
        Assert.Single(Directory.GetFiles(Output, "*.cs", SearchOption.AllDirectories));
    }

    /// <summary>grpc/grpc#17672: "sub/x.proto" is also the file x.proto of another root.</summary>
    [Fact]
    public void A_file_that_is_imported_by_another_name_than_its_own()
    {
        Put("protos/a.proto", "package a; import \"sub/x.proto\"; message A { x.X x = 1; }");
        Put("protos/sub/x.proto", "package x; message X { string text = 1; }");
        var files = Generate(Item("../protos/a.proto"), Item("../protos/sub/x.proto", name: "Renamed"));
        Assert.Contains("public global::Renamed.X X", File.ReadAllText(files.Single(file => file.EndsWith("a.slab.cs", StringComparison.Ordinal))),
            StringComparison.Ordinal);
        Assert.Contains("namespace Renamed;", File.ReadAllText(files.Single(file => file.EndsWith("x.slab.cs", StringComparison.Ordinal))),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Several_roots_and_folders_of_imports()
    {
        Put("app/one/a.proto", "package a; import \"b.proto\"; import \"c.proto\"; message A { b.B b = 1; c.C c = 2; }");
        Put("app/two/b.proto", "package b; message B { string text = 1; }");
        Put("vendor/c.proto", "package c; message C { string text = 1; }");
        var files = Generate(Item("one/a.proto", "one;two", imports: "../vendor"), Item("two/b.proto", "one;two"),
            Item("../vendor/c.proto", generate: "false"));
        Assert.Equal(["a.slab.cs", "b.slab.cs"], files.Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_root_that_does_not_contain_the_file_is_refused_with_the_value_to_write()
    {
        Put("protos/a.proto", "message A {}");
        Directory.CreateDirectory(Path.Combine(Project, "other"));
        var error = Assert.Single(Run(Item("../protos/a.proto", "other")));
        Assert.Equal($"{Path.Combine(folder, "protos", "a.proto")}(1,1): error SLAB015: The folder of ProtoRoot, {Path.Combine(Project, "other")}, "
            + "does not contain this file. Imports are relative to ProtoRoot. If this file is imported by its name alone, write "
            + "ProtoRoot=\"../protos\".", error);
    }

    [Fact]
    public void All_missing_imports_are_reported_at_once_and_each_once()
    {
        Put("app/a.proto", "import \"x/one.proto\";\nimport \"sub/b.proto\";\nimport \"x/two.proto\";\nmessage A { x.One one = 1; b.B b = 2; strin text = 3; }");
        Put("app/sub/b.proto", "package b;\nimport \"x/three.proto\";\nmessage B { x.Three three = 1; }");
        Put("app/protos/c.proto", "import \"sub/d.proto\";\nmessage C { d.D d = 1; }");
        Put("app/e.proto", "message E { string text = 1 }");
        Put("app/protos/sub/d.proto", "package d;");
        var errors = Run(Item("a.proto"), Item("sub/b.proto"), Item("protos/c.proto"), Item("e.proto"), Item("gone.proto"));
        string Place(string file, string place) => $"{Path.Combine(Project, file)}{place}: error ";
        var folders = string.Join(", ", new[] { Project, Tools.StandardImports }.Order(StringComparer.Ordinal));
        string Missing(string name) => $"SLAB017: The imported file {name} is in none of the folders {folders}. ";
        const string add = "Add the folder that it is in to AdditionalImportDirs, or as a SlabImport item.";
        Assert.Equal(
        [
            Place("sub/b.proto", "(3,1)") + Missing("x/three.proto") + add,
            Place("a.proto", "(2,1)") + Missing("x/one.proto") + add,
            Place("a.proto", "(4,1)") + Missing("x/two.proto") + add,
            Place("protos/c.proto", "(2,1)") + Missing("sub/d.proto")
                + $"It is {Path.Combine(Project, "protos", "sub", "d.proto")}: write ProtoRoot=\"protos\".",
            Place("e.proto", "(2,29)") + "SLAB100: Expected \";\".",
            Place("gone.proto", "(1,1)") + "SLAB100: File not found.",
        ], errors);
    }

    [Fact]
    public void Every_error_of_several_roots_is_reported_once()
    {
        Put("protos/dir1/bar.proto", "message Bar { strin text = 1; }");
        Put("protos/dir2/bar.proto", "message Bar { Other text = 1; }");
        var errors = Run(Item("../protos/dir1/bar.proto"), Item("../protos/dir2/bar.proto"));
        Assert.Equal(2, errors.Count);
        Assert.Contains(Path.Combine("dir1", "bar.proto") + "(2,15): error SLAB100: ", errors[0], StringComparison.Ordinal);
        Assert.Contains(Path.Combine("dir2", "bar.proto") + "(2,15): error SLAB100: ", errors[1], StringComparison.Ordinal);
    }

    [Fact]
    public void The_output_has_a_folder_of_its_own_and_is_compiled_only_if_it_should_be()
    {
        Put("app/a.proto", "message A {}");
        Put("app/b.proto", "message B {}");
        var a = Path.Combine(Project, "Generated", "a.slab.cs");
        var files = Generate(Item("a.proto", output: "Generated"), Item("b.proto", compile: "False"));
        Assert.Equal([a, Path.Combine(Output, "b.slab.cs")], files);
        Assert.Equal(["Generated/a.slab.cs"], File.ReadAllLines(Path.Combine(Output, "compiled.txt")));
        Generate(Item("b.proto"));
        Assert.False(File.Exists(a));
    }

    [Fact]
    public void Internal_types_are_used_by_internal_types_only()
    {
        Put("app/a.proto", "message A { B b = 1; } service S { rpc Get(B) returns (B); }".Insert(0, "import \"b.proto\"; "));
        Put("app/b.proto", "message B {}");
        var errors = Run(Item("a.proto", services: "Both"), Item("b.proto", access: "internal"));
        Assert.Equal(["a.proto(2,31): error SLAB016", "a.proto(2,54): error SLAB016"],
            errors.Select(error => error[Project.Length..].TrimStart(Path.DirectorySeparatorChar).Split(": The")[0]).Select(text => text[..28]));
        Assert.Empty(Run(Item("a.proto", access: "Internal", services: "Both"), Item("b.proto", access: "Internal")));
        Assert.Throws<FormatException>(() => Run(Item("a.proto", access: "private")));
    }

    [Fact]
    public void No_type_of_an_internal_file_is_visible()
    {
        using var workshop = new Workshop("one.proto", """
            syntax = "proto2";
            package one;
            message One {
              optional Kind kind = 1; map<string, Inner> inners = 2; oneof which { Side side = 3; }
              extensions 100 to 200;
              message Inner { optional int32 number = 1; }
              enum Side { LEFT = 0; }
            }
            enum Kind { NONE = 0; }
            extend One { optional string more = 100; }
            service Ones { rpc Get(One) returns (stream One); }
            """) { Access = "Internal", HasGoogleConversions = true, GrpcServices = "Both" };
        workshop.GenerateAll(_ => "Slab");
        workshop.GenerateGoogle();
        Assert.DoesNotContain(workshop.Compile().GetExportedTypes(), type => type.Namespace == "Slab");
    }

    static string[] Item(string path, string root = "", string name = "", string generate = "", string services = "", string imports = "",
        string access = "", string output = "", string compile = "") =>
        ["file", path, root, name, generate, "", services, imports, access, output, compile];

    void Put(string name, string text)
    {
        var path = Path.Combine(folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, "syntax = \"proto3\";\n" + text);
    }

    /// <returns>The generated files.</returns>
    string[] Generate(params string[][] items)
    {
        var errors = Run(items);
        Assert.True(errors.Count == 0, string.Join('\n', errors));
        return File.ReadAllLines(Path.Combine(Output, "generated.txt"));
    }

    IReadOnlyList<string> Run(params string[][] items) => Generation.RunAsync(Arguments.Read(
        ["protoc", Tools.Protoc, "output", Output, "project", Project, .. items.SelectMany(item => item), "import", Tools.StandardImports]))
            .WaitAsync(TimeSpan.FromMinutes(5)).GetAwaiter().GetResult();
}

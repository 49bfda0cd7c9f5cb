using System.Globalization;
using System.Reflection;
using System.Security;
using System.Text.RegularExpressions;
using ProtoBench.Codec.Generator.Model;

namespace ProtoBench;

// The names of the message replace markers such as $google$ of the templates, and the type parameters of the data sets' cells.
static partial class ProjectFiles
{
    public static IEnumerable<(string Name, string Text)> Of(ProjectNames names)
    {
        var markers = Markers(names);
        yield return (names.Project + ".csproj", Fill("Project.csproj"));
        yield return ("Program.cs", Fill("Program.cs"));
        yield return (names.Class + ".cs", Fill("Benchmarks.cs"));
        yield return (names.Message + "Cells.cs", Cells(names, Read("SetCells.cs")));
        if (names.IsProtobuf)
            yield return (names.Message + "Sizes.cs", OfOwn(names, Fill("Sizes.cs")));
        foreach (var library in Libraries(names))
            yield return ($"Libraries/{library.Name}.cs", Cells(names, library.Text));
        yield return ("README.md", Fill("README.md"));
        yield return (".gitignore", Fill("gitignore"));
        yield return ("global.json", Fill("global.json")); // that of a folder above may ask for an SDK that cannot build the project
        if (names.PlainCode() is { } code)
            yield return (names.Set + ".cs", code);
        if (names.Method is { } method)
            yield return (method.Class + ".cs", Fill("Calls.cs"));
        if (names.Own is not null)
            yield return (names.Message + "Class.cs", OfOwn(names, Fill("OwnClass.cs") + "\n" + Fill(names.IsProtobuf ? "OwnProtobuf.cs" : "OwnJson.cs")));

        string Fill(string template) => ProjectFiles.Fill(template, markers);
    }

    /// <summary>Returns the files of a project that has the classes of the user, and nothing else.</summary>
    public static IEnumerable<(string Name, string Text)> OfClasses(IReadOnlyList<string> sources)
    {
        var packages = PlainClassPackages.Select(package => Package(package.Name, package.Version)).Concat(ClassReferences(sources));
        var markers = new Dictionary<string, string> { ["references"] = Lines(packages) };
        yield return ("Classes.csproj", Fill("Classes.csproj", markers));
        yield return ("global.json", Fill("global.json", markers));
    }

    static string Fill(string template, Dictionary<string, string> markers) => FillIn(Read($"{template}.txt"), markers);

    static string FillIn(string text, Dictionary<string, string> markers) => Marker().Replace(text, marker => markers[marker.Groups["name"].Value]);

    static Dictionary<string, string> Markers(ProjectNames names)
    {
        var markers = new Dictionary<string, string>
        {
            ["project"] = names.Project,
            ["fullName"] = names.FullName,
            ["versions"] = names.IsProtobuf ? """
                    dotnet run -c Release -- versions --help       # what an upgrade of Google.Protobuf costs
                    dotnet run -c Release -p:GoogleProtobufVersion=3.25.1    # an older version; in the .csproj it would not restore

                """ : "",
            ["payloadFiles"] = names.IsProtobuf ? "`.bin` files are messages" : "`.json` files are objects",
            ["format"] = names.IsProtobuf ? names.Google + ".Parser" : $"\"{names.FullName}\"",
            ["json"] = names.IsProtobuf ? "" : """
                [JsonSourceGenerationOptions(IncludeFields = true, PreferredObjectCreationHandling = JsonObjectCreationHandling.Populate)]
                [JsonSerializable(typeof(JsonElement)), JsonSerializable(typeof(List<object>))]
                [JsonSerializable(typeof(Dictionary<string, object>)), JsonSerializable(typeof(string))]
                [JsonSerializable(typeof(long)), JsonSerializable(typeof(double)), JsonSerializable(typeof(bool))]

                """,
            ["find"] = names.IsProtobuf ? "" : ", \".json\"",
            ["libraries"] = string.Join(", ", Libraries(names).Select(library => "Compared" + library.Cell)),
            ["message"] = names.Message,
            ["class"] = names.Class,
            ["set"] = names.Set,
            ["google"] = names.Google,
            ["slab"] = names.Slab,
            ["version"] = VersionOf("GoogleProtobuf"),
            ["protos"] = string.Concat(names.Protos.Select(Items)),
            ["references"] = Lines(References(names.Method is not null).Concat(ClassReferences(names.Own?.Class.Sources ?? []))),
            ["checkout"] = Checkout.Root is { } root ? $"""
                    <!-- The checkout of ProtoBench. An environment variable of this name replaces it, on another machine or in CI. -->
                    <ProtoBenchCheckout Condition="'$(ProtoBenchCheckout)' == ''">{root}</ProtoBenchCheckout>

                """ : "",
            ["targets"] = Checkout.Root is null ? "" : """
                  <Import Project="$(ProtoBenchCheckout)/eng/SlabProtobuf.targets" />

                """,
            ["methodOfProgram"] = "",
            ["moreOfReadme"] = names.Own is null ? ""
                : $"The class is measured with its own attributes. `{names.Message}Class.cs` has the functions that read it and make it.\n",
            ["own"] = names.Plain,
            ["values"] = names.Values,
            ["contract"] = names.Own is { } own ? string.Concat(own.Class.Numbered.SelectMany(Contract)) : "",
            ["functions"] = names.Own?.Code.Write() ?? "",
        };
        if (names.Method is not { } method)
            return markers;
        var (described, service, stub) = method;
        markers["moreOfReadme"] = $"Calls of {described.Path} over gRPC are in `{method.Class}.cs`, its replies in `replies/`.\n";

        // The service is started with the messages of each library before anything is measured, and what both sides read is compared.
        markers["methodOfProgram"] = $$"""

                    Method = new("{{described.Path}}", typeof({{method.Class}}), {{method.GoogleReply}}.Parser, () => Replies.All,
                        new Dictionary<string, Func<Task<CallFixture>>>
                        {
                            ["Google"] = CallsWithGoogle.StartAsync,
                            ["Slab"] = CallsWithSlab.StartAsync,
                        }),
            """;
        foreach (var (name, value) in ((string, string)[])
        [
            ("path", described.Path), ("calls", method.Class),

            // the name in the .proto file, which Google's stubs also use
            ("method", described.Method.Name),

            // the base class of services and the client, in either library's stubs
            ("base", service.Base), ("client", service.Client),
            ("googleService", new ProtoFile(described.File, null, described.File.Name).Qualifier + service.Name),
            ("googleReply", method.GoogleReply), ("slabService", service.TypeName), ("slabReply", stub.Response.TypeName),

            // the method that a service with slab messages overrides
            ("slabHandler", stub.Handler), ("slabCall", stub.AsyncCall),

            // members of the services, whose names no method may have
            ("replies", method.Free("replies")), ("next", method.Free("next")), ("received", method.Free("Received")),
        ])
            markers.Add(name, value);
        return markers;
    }

    static string Items(ProjectProto proto)
    {
        var services = proto.HasMethod ? " GrpcServices=\"Both\"" : "";
        return (proto.HasMethod ? $"    <Protobuf Update=\"protos/{proto.Name}\"{services} />\n" : "")
            + $"    <SlabProtobuf Include=\"protos/{proto.Name}\" ProtoRoot=\"protos\" Namespace=\"{proto.SlabNamespace}\"{services} />\n";
    }

    // protobuf-net numbers the members as they are added
    static IEnumerable<string> Contract(KeyValuePair<Type, IReadOnlyList<OwnMember>> one)
    {
        var type = $"typeof({OwnMembers.CodeOf(one.Key)})";
        yield return $"        model.Add({type}, false, CompatibilityLevel.Level300)\n";
        yield return $"            .Add({string.Join(", ", one.Value.Select(member => $"\"{member.Name}\""))});\n";
        foreach (var number in OwnMembers.Maps(one.Value))
            yield return string.Create(CultureInfo.InvariantCulture, $"        model[{type}][{number}].IsMap = true;\n");
    }

    static string Lines(IEnumerable<string> references) => string.Concat(references.Select(reference => $"    {reference}\n"));

    // A .cs file in the folder of a project is compiled by itself.
    static IEnumerable<string> ClassReferences(IEnumerable<string> sources) =>
        from source in sources
        where Path.GetExtension(source) != ".cs"
        let name = SecurityElement.Escape(source)
        select Path.GetExtension(source) == ".csproj" ? $"""<ProjectReference Include="{name}" />"""
            : $"""<Reference Include="{Path.GetFileNameWithoutExtension(name)}" HintPath="classes/{Path.GetFileName(name)}" />""";

    // the projects of this checkout, or packages if the program is not in a checkout
    static IEnumerable<string> References(bool hasCalls)
    {
        yield return Package("BenchmarkDotNet", VersionOf("BenchmarkDotNet"));
        foreach (var (package, version) in PlainClassPackages
            .Where(package => !hasCalls || package.Name != "Microsoft.Extensions.DependencyInjection")) // ASP.NET Core has it
            yield return Package(package, version);
        var codec = hasCalls ? "Codec.Grpc.AspNetCore" : "Codec"; // which references the codec
        if (Checkout.Root is not null)
        {
            yield return Package("Grpc.Tools", VersionOf("GrpcTools"), " PrivateAssets=\"all\"");
            foreach (var project in (string[])["Harness", codec])
                yield return $"""<ProjectReference Include="$(ProtoBenchCheckout)/src/{project}/{project}.csproj" />""";
        }
        else
        {
            foreach (var package in (string[])["Codec.Build", codec, "Harness"])
                yield return Package("ProtoBench." + package, VersionOf("ProtoBench"));
        }

        if (!hasCalls)
            yield break;
        yield return """<FrameworkReference Include="Microsoft.AspNetCore.App" />""";
        foreach (var package in (string[])["Grpc.AspNetCore.Server", "Grpc.Net.Client"])
            yield return Package(package, VersionOf("GrpcDotnet"));
    }

    static string Package(string name, string version, string more = "") =>
        $"""<PackageReference Include="{name}" Version="{version}"{more} />""";

    // The file of a library has more than the cells of messages. Without a .proto file there is nothing of the libraries that need one, and
    // System.Text.Json comes first. A class of the user has one model of protobuf-net.
    static IEnumerable<(string Cell, string Name, string Text)> Libraries(ProjectNames names)
    {
        const string suffix = "Library.cs";
        var files = typeof(ProjectFiles).Assembly.GetManifestResourceNames()
            .Where(name => name.EndsWith(suffix, StringComparison.Ordinal))
            .Select(name => (Name: name[..^suffix.Length], Text: Read(name))).ToList();
        return from library in MeasuredLibraries.Registered
               let file = files.FirstOrDefault(file => file.Text.Contains($" Compared{library.Cell} =>", StringComparison.Ordinal))
               where file.Text is not null
               where names.IsProtobuf || file.Text.Contains(" => OfOwnFormat(", StringComparison.Ordinal)
               where names.Own is null || (library.Cell != "PBNRuntime" && !library.NeedsSchema)
               orderby !names.IsProtobuf && library.Cell == "SystemTextJson" descending
               select (library.Cell, file.Name, file.Text);
    }

    // A message of a .proto file without a package has the name of a type that the file uses if it is called Task, for example. The type is
    // found nevertheless, because the namespaces are named inside the namespace.
    static string Cells(ProjectNames names, string file)
    {
        var usings = string.Concat(Using().Matches(file).Select(line => line.Value));
        var text = Part().Match(file).Value.Replace("abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>",
            "partial class " + names.Class, StringComparison.Ordinal);
        text = TypeParameter().Replace(text, type => type.Value switch
        {
            "TSet" => names.Set,
            "TGoogle" => names.Google,
            "TSlab" => names.Slab,
            _ => names.Plain,
        });
        text = CellName().Replace(text, cell =>
            cell.Groups["verb"].Value + (cell.Groups["rest"].Length > 0 ? names.Message + cell.Groups["rest"].Value : ""));
        if (!names.IsProtobuf)
            text = JsonCell().Replace(text, "[Benchmark(Baseline = true)");
        const string implicitUsings = "using System;\nusing System.Collections.Generic;\nusing System.Linq;\n";
        return $"namespace Benchmarks;\n\n{implicitUsings}{usings}\n{OfOwn(names, text)}";
    }

    // A class of the user takes the place of the plain class in the cells. protobuf-net's model is that of the running program, as it is
    // for such classes. Google's messages and slab messages are made from the plain class of the .proto file.
    static string OfOwn(ProjectNames names, string text)
    {
        if (names.Own is not { } own)
            return text;
        string[] leftOut = [.. own.Code.WhyNotMade is null ? Array.Empty<string>() : ["Make", "MakeNew"],
            .. own.Code.WhyNoReply is null ? Array.Empty<string>() : ["Serve"]];
        text = string.Join("\n\n", text.Split("\n\n")
            .Where(part => !leftOut.Any(verb => part.Contains($"BenchmarkCategory(\"{verb}\")", StringComparison.Ordinal))));
        foreach (var verb in leftOut)
            text = Regex.Replace(text, $"\n +\\[\"{(verb == "MakeNew" ? "Make, new strings" : verb)}\"\\] = .*", "");
        text = Regex.Replace(text, $@"\b{names.Set}\.(Json|Model)\b(?!\.Deserialize<{names.Values}>)", $"{names.Set}.Own$1");
        text = Regex.Replace(text, $@"\b({names.Set}\.Make(?:GoogleNew|Google|New)?\((?:made\.Value, )?)content\.Source\.Next", "$1content.Values.Next");
        return Nerdbank().Replace(text, call => $"{call.Groups["call"]}<{names.Plain}, {names.Set}Shapes>(");
    }

    public static string Read(string resource)
    {
        using var reader = new StreamReader(typeof(ProjectFiles).Assembly.GetManifestResourceStream(resource)!);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }

    static IEnumerable<(string Name, string Version)> PlainClassPackages =>
        FactOf("PlainClassPackages").Split('|').Select(package => package.Split('/')).Select(package => (package[0], package[1]));

    static string VersionOf(string package) => FactOf("Version." + package);

    // The build writes facts into the assembly.
    static string FactOf(string name) =>
        typeof(ProjectFiles).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(fact => fact.Key == name).Value!;

    [GeneratedRegex(@"\$(?<name>\w+)\$", RegexOptions.ExplicitCapture)]
    private static partial Regex Marker();

    [GeneratedRegex(@"\[Benchmark(?=, BenchmarkCategory\(""\w+""\), Measures\(""SystemTextJson""\))")]
    private static partial Regex JsonCell();

    [GeneratedRegex(@"(?<call>\b(OfNerdbank\.Serializer|ForNerdbank)\.(Serialize|Deserialize))(<[^<>(]+>)?\(", RegexOptions.ExplicitCapture)]
    private static partial Regex Nerdbank();

    [GeneratedRegex("^using (?!ProtoBench|\\w+ = )[^;]+;\n|^using ProtoBench\\.(Codec|Harness);\n", RegexOptions.Multiline)]
    private static partial Regex Using();

    [GeneratedRegex("(^///[^\n]*\n)*^public abstract partial class DataSetBenchmarks<.*?^}\n", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Part();

    [GeneratedRegex(@"\b(TSet|TGoogle|TSlab|TPlain)\b", RegexOptions.ExplicitCapture)]
    private static partial Regex TypeParameter();

    [GeneratedRegex(@"\b(?<verb>Serialize|DeserializeTouch|Deserialize|MakeNew|Make|Forward|Serve)Set(?<rest>\w*)", RegexOptions.ExplicitCapture)]
    private static partial Regex CellName();
}

using System.Reflection;
using System.Text;

namespace ProtoBench.New;

/// <summary>Writes the project file, with references to the projects of this checkout, or to packages if the program is not in a
/// checkout.</summary>
static class ProjectFile
{
    public static string Write(ProjectNames names)
    {
        var items = new StringBuilder();
        foreach (var proto in names.Protos)
        {
            if (proto.HasMethod)
                items.Append($"    <Protobuf Update=\"protos/{proto.Name}\" GrpcServices=\"Both\" />\n");
            items.Append($"    <SlabProtobuf Include=\"protos/{proto.Name}\" ProtoRoot=\"protos\" Namespace=\"{proto.SlabNamespace}\"");
            items.Append(proto.HasMethod ? " GrpcServices=\"Both\" />\n" : " />\n");
        }

        if (names.Method is not null)
        {
            items.Append("    <None Include=\"replies/**\" CopyToOutputDirectory=\"PreserveNewest\" />\n");
            items.Append("    <FrameworkReference Include=\"Microsoft.AspNetCore.App\" />\n");
            foreach (var package in (string[])["Grpc.AspNetCore.Server", "Grpc.Net.Client"])
                items.Append($"    <PackageReference Include=\"{package}\" Version=\"{VersionOf("GrpcDotnet")}\" />\n");
        }

        var codec = names.Method is null ? "Codec" : "Codec.Grpc"; // this package references the codec
        return $"""
            <Project>
              <!-- This project is on its own, wherever its folder is. -->
              <PropertyGroup>
                <ImportDirectoryBuildProps>false</ImportDirectoryBuildProps>
                <ImportDirectoryBuildTargets>false</ImportDirectoryBuildTargets>
                <ImportDirectoryPackagesProps>false</ImportDirectoryPackagesProps>
              </PropertyGroup>
              <Import Project="Sdk.props" Sdk="Microsoft.NET.Sdk" />
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <Nullable>enable</Nullable>
                <ImplicitUsings>enable</ImplicitUsings>
                <RootNamespace>{ProgramFile.Namespace}</RootNamespace>
                <InvariantGlobalization>true</InvariantGlobalization>
                <!-- protoc's warnings of a .proto file: the build of Google's classes has them already -->
                <MSBuildWarningsAsMessages>SLAB101</MSBuildWarningsAsMessages>
                <GoogleProtobufVersion Condition="'$(GoogleProtobufVersion)' == ''">{VersionOf("GoogleProtobuf")}</GoogleProtobufVersion>
              </PropertyGroup>
              <ItemGroup>
                <Protobuf Include="protos/**/*.proto" ProtoRoot="protos" GrpcServices="None" />
            {items}    <None Include="payloads/**" CopyToOutputDirectory="PreserveNewest" />
              </ItemGroup>
            {(Checkout.Root is { } root ? OfCheckout(root, codec) : OfPackages(codec))}  <Import Project="ProtobufNet/ProtobufNet.targets" />
              <Import Project="Sdk.targets" Sdk="Microsoft.NET.Sdk" />
            </Project>

            """;
    }

    static string OfCheckout(string root, string codec) => $"""
          <ItemGroup>
            <PackageReference Include="BenchmarkDotNet" Version="{VersionOf("BenchmarkDotNet")}" />
            <PackageReference Include="Google.Protobuf" Version="$(GoogleProtobufVersion)" />
            <PackageReference Include="Grpc.Tools" Version="{VersionOf("GrpcTools")}" PrivateAssets="all" />
            <ProjectReference Include="{Path.Combine(root, "src", "Harness", "Harness.csproj")}" />
            <ProjectReference Include="{Path.Combine(root, "src", codec, codec + ".csproj")}" />
          </ItemGroup>
          <Import Project="{Path.Combine(root, "eng", "SlabProtobuf.targets")}" />

        """;

    static string OfPackages(string codec) => $"""
          <ItemGroup>
            <PackageReference Include="BenchmarkDotNet" Version="{VersionOf("BenchmarkDotNet")}" />
            <PackageReference Include="Google.Protobuf" Version="$(GoogleProtobufVersion)" />
            <PackageReference Include="ProtoBench.Codec.Build" Version="{VersionOf("ProtoBench")}" />
            <PackageReference Include="ProtoBench.{codec}" Version="{VersionOf("ProtoBench")}" />
            <PackageReference Include="ProtoBench.Harness" Version="{VersionOf("ProtoBench")}" />
          </ItemGroup>

        """;

    /// <summary>Returns the version of a package with which this program was built. The build writes it into the assembly.</summary>
    public static string VersionOf(string package) =>
        typeof(ProjectFile).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .Single(fact => fact.Key == "Version." + package).Value!;
}

/// <summary>Writes the program with the list of libraries.</summary>
static class ProgramFile
{
    /// <summary>The namespace of all files.</summary>
    public const string Namespace = "Benchmarks";

    static readonly string[] implicitUsings =
        ["System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Threading", "System.Threading.Tasks"];

    /// <summary>Returns the first lines of a file. A message of a .proto file without a package has the name of a type that the file uses
    /// if it is called Task, for example. The type is found nevertheless, because the namespaces are named inside the
    /// namespace.</summary>
    public static string Usings(params string[] namespaces) =>
        $"namespace {Namespace};\n\n{string.Join('\n', implicitUsings.Concat(namespaces).Distinct().Select(name => $"using {name};"))}";

    public static string Write(ProjectNames names) => $$"""
        {{Usings("Google.Protobuf", "ProtoBench.Codec", "ProtoBench.Harness")}}

        static partial class Program
        {
            static int Main(string[] args)
            {
                // Every library reads each payload and writes it back before anything is measured: see the list below.
                List<MeasuredLibrary> libraries =
                [
                    new("Google", MeasuredLibrary.VersionOf("Google.Protobuf", typeof(IMessage)), payload => {{names.Google}}.Parser.ParseFrom(payload).ToByteArray()),
                    new("Slab", MeasuredLibrary.VersionOf("ProtoBench.Codec", typeof(Message<{{names.Slab}}>)), payload =>
                    {
                        using var message = {{names.Slab}}.Rent();
                        message.Parse(payload);
                        return message.ToByteArray();
                    }),
                ];
                AddProtobufNet(libraries);

                var program = new BenchmarkProgram(typeof({{names.Class}}), {{names.Google}}.Parser, libraries){{Method(names.Method)}};
                return program.Start(args, () => Captured.Payloads);
            }

            // Does nothing where protobuf-net is left out.
            static partial void AddProtobufNet(List<MeasuredLibrary> libraries);
        }

        """;

    // The service is started with the messages of each library before anything is measured, and what both sides read is compared.
    static string Method(MethodNames? method) => method is null ? "" : $$"""

                {
                    Method = new("{{method.Path}}", typeof({{method.Class}}), {{method.GoogleReply}}.Parser, () => Replies.All,
                        new Dictionary<string, Func<Task<CallFixture>>>
                        {
                            ["Google"] = CallsWithGoogle.StartAsync,
                            ["Slab"] = CallsWithSlab.StartAsync,
                        }),
                }
        """;
}

/// <summary>Writes a short README of the project.</summary>
static class ReadmeFile
{
    public static string Write(ProjectNames names) => $"""
        # {names.Project}

        What `{names.Type.FullName}` costs in .NET, with Google.Protobuf, with protobuf-net and with the slab codec.
        Made by ProtoBench; it is yours to change.

            dotnet run -c Release                          # all cells, a table and a summary
            dotnet run -c Release -- --filter '*Touch*'    # some cells
            dotnet run -c Release -- --rate 5000           # the summary for 5,000 messages a second
            dotnet run -c Release -- --verbose             # everything that BenchmarkDotNet prints

        Cells are in `{names.Class}.cs`. Payloads are in `payloads/`: `.bin` files are messages, `.delimited`
        files are messages behind their lengths.
        Rows of protobuf-net are in `ProtobufNet/`. The program says why where they are left out.
        {(names.Method is { } method ? $"Calls of {method.Path} over gRPC are in `{method.Class}.cs`, its replies in `replies/`.\n" : "")}Results are in `BenchmarkDotNet.Artifacts/results`; ProtoBench's verbs `compare` and `report` read them.

        """;
}

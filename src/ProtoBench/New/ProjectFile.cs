using System.Reflection;
using System.Text;

namespace ProtoBench.New;

/// <summary>The project file: references to the projects of this checkout, or to packages where the program was copied out of it.</summary>
static class ProjectFile
{
    public static string Write(ProjectNames names)
    {
        var slab = new StringBuilder();
        foreach (var proto in names.Protos)
            slab.Append($"    <SlabProtobuf Include=\"protos/{proto.Name}\" ProtoRoot=\"protos\" Namespace=\"{proto.SlabNamespace}\" />\n");
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
                <RootNamespace>Benchmarks</RootNamespace>
                <InvariantGlobalization>true</InvariantGlobalization>
                <GoogleProtobufVersion Condition="'$(GoogleProtobufVersion)' == ''">{VersionOf("GoogleProtobuf")}</GoogleProtobufVersion>
              </PropertyGroup>
              <ItemGroup>
                <Protobuf Include="protos/**/*.proto" ProtoRoot="protos" GrpcServices="None" />
            {slab}    <None Include="payloads/**" CopyToOutputDirectory="PreserveNewest" />
              </ItemGroup>
            {(Checkout.Root is { } root ? OfCheckout(root) : OfPackages())}  <Import Project="ProtobufNet/ProtobufNet.targets" />
              <Import Project="Sdk.targets" Sdk="Microsoft.NET.Sdk" />
            </Project>

            """;
    }

    static string OfCheckout(string root) => $"""
          <ItemGroup>
            <PackageReference Include="BenchmarkDotNet" Version="{VersionOf("BenchmarkDotNet")}" />
            <PackageReference Include="Google.Protobuf" Version="$(GoogleProtobufVersion)" />
            <PackageReference Include="Grpc.Tools" Version="{VersionOf("GrpcTools")}" PrivateAssets="all" />
            <ProjectReference Include="{Path.Combine(root, "src", "Harness", "Harness.csproj")}" />
            <ProjectReference Include="{Path.Combine(root, "src", "Codec", "Codec.csproj")}" />
          </ItemGroup>
          <Import Project="{Path.Combine(root, "eng", "SlabProtobuf.targets")}" />

        """;

    static string OfPackages() => $"""
          <ItemGroup>
            <PackageReference Include="BenchmarkDotNet" Version="{VersionOf("BenchmarkDotNet")}" />
            <PackageReference Include="Google.Protobuf" Version="$(GoogleProtobufVersion)" />
            <PackageReference Include="ProtoBench.Codec.Build" Version="{VersionOf("ProtoBench")}" />
            <PackageReference Include="ProtoBench.Harness" Version="{VersionOf("ProtoBench")}" />
          </ItemGroup>

        """;

    /// <summary>What this program was built with: the build writes it into the assembly.</summary>
    public static string VersionOf(string package) =>
        typeof(ProjectFile).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .Single(fact => fact.Key == "Version." + package).Value!;
}

/// <summary>The program: which libraries are compared.</summary>
static class ProgramFile
{
    public static string Write(ProjectNames names) => $$"""
        using Google.Protobuf;
        using ProtoBench.Codec;
        using ProtoBench.Harness;

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

        return new BenchmarkProgram(typeof({{names.Class}}), {{names.Google}}.Parser, libraries).Start(args, () => Captured.Payloads);

        partial class Program
        {
            // Does nothing where protobuf-net is left out.
            static partial void AddProtobufNet(List<MeasuredLibrary> libraries);
        }

        """;
}

/// <summary>Ten lines for whoever finds the project later.</summary>
static class ReadmeFile
{
    public static string Write(ProjectNames names) => $"""
        # {names.Project}

        What `{names.Type.FullName}` costs in .NET, with Google.Protobuf, with protobuf-net and with the slab codec.
        Made by ProtoBench; it is yours to change.

            dotnet run -c Release                          # all cells, a table and a summary
            dotnet run -c Release -- --filter '*Touch*'    # some cells
            dotnet run -c Release -- --rate 5000           # the summary for 5,000 messages a second

        Cells are in `{names.Class}.cs`. Payloads are in `payloads/`: `.bin` files are messages, `.delimited`
        files are messages behind their lengths.
        Rows of protobuf-net are in `ProtobufNet/`. The program says why where they are left out.
        Results are in `BenchmarkDotNet.Artifacts/results`; ProtoBench's verbs `compare` and `report` read them.

        """;
}

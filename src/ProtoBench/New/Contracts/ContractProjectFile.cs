using System.Text;

namespace ProtoBench.New.Contracts;

/// <summary>Writes the project of protobuf-net's contracts, and the targets that build it before the benchmarks.</summary>
static class ContractProjectFile
{
    /// <summary>Returns the project.</summary>
    public static string Write(IReadOnlyList<ContractFile> files, string version)
    {
        var items = new StringBuilder();
        foreach (var file in files)
        {
            var up = string.Concat(Enumerable.Repeat("../", file.Name.Count(letter => letter == '/')));
            items.Append($"    <Contract Include=\"{file.Name}\" Folder=\"{(file.IsWellKnown ? "" : "../../protos/")}\" ");
            items.Append($"Namespace=\"{file.Namespace}\" Types=\"{(file.HasTypes ? "true" : "false")}\" Up=\"{up}\" />\n");
        }

        return $"""
            <Project>
              <!--
                protobuf-net's contracts, made from the .proto files by the generator in its package. Names="original" keeps the names of
                the .proto files, which cannot collide. Where this project does not build, the benchmarks leave protobuf-net out.
              -->
              <PropertyGroup>
                <ImportDirectoryBuildProps>false</ImportDirectoryBuildProps>
                <ImportDirectoryBuildTargets>false</ImportDirectoryBuildTargets>
                <ImportDirectoryPackagesProps>false</ImportDirectoryPackagesProps>
              </PropertyGroup>
              <Import Project="Sdk.props" Sdk="Microsoft.NET.Sdk" />
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
                <AssemblyName>ProtobufNetContracts</AssemblyName>
                <OutputPath>bin/</OutputPath>
                <AppendTargetFrameworkToOutputPath>false</AppendTargetFrameworkToOutputPath>
                <CopyLocalLockFileAssemblies>true</CopyLocalLockFileAssemblies>
                <!-- no row may name a version that it does not measure -->
                <WarningsAsErrors>NU1603</WarningsAsErrors>
              </PropertyGroup>
              <ItemGroup>
                <PackageReference Include="protobuf-net" Version="{version}" />
            {items}  </ItemGroup>
              <Import Project="Sdk.targets" Sdk="Microsoft.NET.Sdk" />

              <!--
                The generator reads copies, which have a namespace of their own, because Google's classes of the same files have the one
                of csharp_namespace. It makes one C# file for each copy in the folder "protos"; imports find those in the subfolders.
              -->
              <Target Name="CopyProtos" BeforeTargets="GenerateMSBuildEditorConfigFileShouldRun;GenerateMSBuildEditorConfigFileCore;BeforeCompile"
                      Outputs="%(Contract.Identity)">
                <PropertyGroup>
                  <_Proto>$([System.IO.File]::ReadAllText('$(MSBuildThisFileDirectory)%(Contract.Folder)%(Contract.Identity)'))</_Proto>
                  <_Proto>$([MSBuild]::Escape($(_Proto)))%0Aimport "protobuf-net/protogen.proto"%3B%0A</_Proto>
                  <_Proto>$(_Proto)option (.protobuf_net.fileopt).namespace = "%(Contract.Namespace)"%3B</_Proto>
                  <_Import>$(IntermediateOutputPath)protos/%(Contract.Identity)</_Import>
                  <_Types>$(IntermediateOutputPath)protos/$([System.String]::Copy('%(Contract.Identity)').Replace('/', '.'))</_Types>
                </PropertyGroup>
                <WriteLinesToFile File="$(_Import)" Lines="$(_Proto)" Overwrite="true" WriteOnlyWhenDifferent="true" />
                <WriteLinesToFile File="$(_Types)" Lines="$(_Proto)" Overwrite="true" WriteOnlyWhenDifferent="true" Condition="%(Contract.Types)" />
                <ItemGroup>
                  <AdditionalFiles Include="$(_Types)" Names="original" Condition="%(Contract.Types)" />
                  <AdditionalFiles Include="$(_Import)" IncludeInOutput="false" ImportPaths="%(Contract.Up)"
                                   Condition="'$(_Import)' != '$(_Types)' or !%(Contract.Types)" />
                </ItemGroup>
              </Target>
            </Project>

            """;
    }

    /// <summary>Returns the targets that the benchmarks import.</summary>
    public static string WriteTargets() => """
        <Project>
          <!--
            The contracts of protobuf-net are built first. Where its generator does not support the schema, the rows are left out and the
            program says so. The answer is kept until a file changes.
          -->
          <PropertyGroup>
            <ContractsFolder>$(MSBuildThisFileDirectory)Contracts/</ContractsFolder>
            <ContractsAnswer>$(ContractsFolder)obj/answer.txt</ContractsAnswer>
          </PropertyGroup>
          <ItemGroup>
            <Compile Remove="ProtobufNet/**" />
            <ContractsInput Include="$(MSBuildThisFileDirectory)../protos/**;$(ContractsFolder)**"
                            Exclude="$(ContractsFolder)obj/**;$(ContractsFolder)bin/**" />
          </ItemGroup>

          <Target Name="BuildContracts" Inputs="@(ContractsInput);$(MSBuildThisFileFullPath)" Outputs="$(ContractsAnswer)">
            <Message Importance="high" Text="Building the contracts of protobuf-net" />
            <Exec Command="&quot;$(DOTNET_HOST_PATH)&quot; build &quot;$(ContractsFolder)Contracts.csproj&quot; -c Release --nologo -v:q"
                  IgnoreExitCode="true" IgnoreStandardErrorWarningFormat="true" ConsoleToMSBuild="true"
                  StandardOutputImportance="low" StandardErrorImportance="low">
              <Output TaskParameter="ExitCode" PropertyName="_Exit" />
              <Output TaskParameter="ConsoleOutput" PropertyName="_Said" />
            </Exec>
            <PropertyGroup>
              <_Error>$([System.Text.RegularExpressions.Regex]::Match($(_Said), 'error [A-Z]+[0-9]+: [^;\[]*').Value.Trim())</_Error>
              <_OfSchema>$([System.Text.RegularExpressions.Regex]::IsMatch($(_Error), '^error (PBN|CS)'))</_OfSchema>
              <_Answer Condition="'$(_Exit)' == '0'">yes</_Answer>
              <_Answer Condition="'$(_Exit)' != '0' and $(_OfSchema)">its generator does not support this schema: $(_Error)</_Answer>
            </PropertyGroup>
            <Error Text="The contracts of protobuf-net cannot be built: $(_Error)%0A$(_Said)" Condition="'$(_Answer)' == ''" />
            <WriteLinesToFile File="$(ContractsAnswer)" Lines="$(_Answer)" Overwrite="true" />
            <Message Importance="high" Text="Left out: protobuf-net: $(_Answer)" Condition="'$(_Answer)' != 'yes'" />
          </Target>

          <Target Name="UseContracts" BeforeTargets="ResolveAssemblyReferences" DependsOnTargets="BuildContracts">
            <PropertyGroup>
              <_Answer>$([System.IO.File]::ReadAllText('$(ContractsAnswer)').Trim())</_Answer>
            </PropertyGroup>
            <ItemGroup Condition="'$(_Answer)' == 'yes'">
              <Reference Include="$(ContractsFolder)bin/*.dll" />
              <Compile Include="ProtobufNet/*.cs" />
            </ItemGroup>
            <ItemGroup Condition="'$(_Answer)' != 'yes'">
              <AssemblyMetadata Include="LeftOut" Value="protobuf-net: $(_Answer)" />
            </ItemGroup>
          </Target>
        </Project>

        """;
}

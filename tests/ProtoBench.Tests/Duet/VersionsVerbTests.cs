using System.Runtime.InteropServices;
using ProtoBench.DuetRunner;
using ProtoBench.Harness.Duet;
using ProtoBench.Results;

namespace ProtoBench.Tests;

/// <summary>What <c>versions</c> takes and prints. Building with several versions takes minutes: .ci/run does it.</summary>
public class VersionsVerbTests
{
    [Fact]
    public void The_newest_version_is_the_last_one() => Assert.Equal(
        ["3.9.2", "3.15.6", "3.36.0-rc.1", "3.36.0-rc.2", "3.36.0", "4.0"],
        PackageVersion.List("3.36.0, 3.15.6,3.36.0-rc.2,3.9.2,4.0,3.36.0-rc.1").Order().Select(version => version.Text));

    [Theory]
    [InlineData("is not a list of at least two different versions", "--versions", "3.25.1")]
    [InlineData("is not a list of at least two different versions", "--versions", "3.25.1,3.25.1")]
    [InlineData("is not a list of at least two different versions", "--versions", "3.25.1,latest")]
    [InlineData("does not choose the version of Spectre.Console by a property; it does for ", "--package", "Spectre.Console")]
    [InlineData("BenchmarkDotNetVersion is not the version of a measured package", "--package", "BenchmarkDotNet")]
    [InlineData("is not a whole number from 3 to 1000", "--processes", "2")]
    [InlineData("versions takes either --package with --versions, or --commits", "--commits", "HEAD")]
    [InlineData("versions takes either --package with --versions, or --commits", "--package", null)]
    [InlineData("versions takes either --package with --versions, or --commits", "--versions", null)]
    public void Anything_else_is_refused_with_the_reason(string reason, string option, string? value)
    {
        Dictionary<string, string?> arguments = new()
        {
            ["--filter"] = "*Request*",
            ["--package"] = "Google.Protobuf",
            ["--versions"] = "3.25.1,3.36.2",
            [option] = value,
        };
        var (exit, _, error) =
            Sandbox.Run(VersionsVerb.Create(BuildFacts.Program),
                [.. arguments.Where(one => one.Value is not null).SelectMany(one => new[] { one.Key, one.Value! })]);
        Assert.Equal(ExitCode.Usage, exit);
        Assert.Contains(reason, error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ExitCode.Usage, "'11.0' is not the version of a runtime, which has three numbers", "11.0,12.0.0")]
    [InlineData(ExitCode.Usage, "'10.0.12,99999999999.0.0' is not a list", "10.0.12,99999999999.0.0")]
    [InlineData(ExitCode.Usage, "and cannot run with .NET 9.0.0", "9.0.0,10.0.12")]
    [InlineData(ExitCode.Failed, "Microsoft.NETCore.App 98.0.0 cannot be had for this platform", "98.0.0,99.0.0")]
    public void A_runtime_that_cannot_be_had_is_refused_with_the_reason(int expected, string reason, string versions)
    {
        var (exit, _, error) = Sandbox.Run(VersionsVerb.Create(BuildFacts.Program),
            "--filter", "*RequestSlab_BW", "--package", "Microsoft.NETCore.App", "--versions", versions);
        Assert.Equal(expected, exit);
        Assert.Contains(reason, error, StringComparison.Ordinal);
    }

    // the version that is installed, so that a test does not depend on the newest one
    [Fact]
    public async Task Cells_run_with_a_runtime_of_packages()
    {
        var stop = TestContext.Current.CancellationToken;
        var installed = RuntimeInformation.FrameworkDescription[".NET ".Length..];
        var build = await new BaseBuild(BuildFacts.Program, TextWriter.Null).OfVersionAsync("Microsoft.NETCore.App", installed, stop);
        Assert.Equal("Microsoft.NETCore.App " + installed, build.Label);
        Assert.Contains($"Microsoft.NETCore.App={installed}", build.Runtime!.Dotnet, StringComparison.Ordinal);
        Assert.NotEmpty((await ListAsync(build, stop)).Cells);
    }

    [Fact]
    public async Task A_process_with_another_runtime_is_refused()
    {
        var build = BuildFacts.Program.Current with { Runtime = new("98.0.0", DotnetHost.Program) };
        var refused = await Assert.ThrowsAsync<RunException>(() => ListAsync(build, TestContext.Current.CancellationToken));
        Assert.Equal($"a process ran with {RuntimeInformation.FrameworkDescription} instead of .NET 98.0.0", refused.Message);
    }

    [Fact]
    public void A_created_project_chooses_the_version_of_Google_Protobuf()
    {
        var file = Path.GetTempFileName();
        try
        {
            File.WriteAllText(file, """<PackageReference Include="Google.Protobuf" Version="$(GoogleProtobufVersion)" />""");
            Assert.Equal("GoogleProtobufVersion", BaseBuild.PropertyOf("google.protobuf", file));
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public void A_commit_that_does_not_exist_is_refused()
    {
        var (exit, _, error) = Sandbox.Run(VersionsVerb.Create(BuildFacts.Program), "--filter", "*RequestSlab_BW", "--commits", "no-such-commit");
        Assert.Equal(ExitCode.Usage, exit);
        Assert.Contains("'no-such-commit' is neither a commit", error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_commit_whose_build_cannot_start_is_left_out()
    {
        var folder = Directory.CreateTempSubdirectory("protobench-broken-build-").FullName;
        try
        {
            File.WriteAllText(Path.Combine(folder, "ProtoBench.dll"), "not a program");
            var (exit, _, error) = Sandbox.Run(VersionsVerb.Create(BuildFacts.Program), "--filter", "*RequestSlab_BW", "--commits", folder);
            Assert.Equal(ExitCode.Failed, exit);
            Assert.Contains("left out: the process of " + folder, error, StringComparison.Ordinal);
            Assert.Contains("--commits: none of them can be measured", error, StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Theory]
    [InlineData("text", """
        Lib 3.0: the change of the time from each older version [95% interval], and the time with 3.0
        Cell                    from 1.0                    from 2.0     3.0
        A     +10.00% [+10.00%, +10.00%]  -50.00% [-50.00%, -50.00%]   50 ns
        B                              -  +20.00% [+20.00%, +20.00%]  120 ns
        C                              -    0.00% [-25.00%, +25.00%]  100 ns
        """)]
    [InlineData("md", """
        Lib 3.0: the change of the time from each older version [95% interval], and the time with 3.0

        | Cell | from 1.0 | from 2.0 | 3.0 |
        | --- | ---: | ---: | ---: |
        | A | +10.00% [+10.00%, +10.00%] | -50.00% [-50.00%, -50.00%] | 50 ns |
        | B | - | +20.00% [+20.00%, +20.00%] | 120 ns |
        | C | - | 0.00% [-25.00%, +25.00%] | 100 ns |
        """)]
    [InlineData("csv", """
        package,version,newest,cell,version ns/op,newest ns/op,ratio,low,high,version B/op,newest B/op
        Lib,1.0,3.0,N.T.A,100,110,1.1,1.1,1.1,0,0
        Lib,2.0,3.0,N.T.A,100,50,0.5,0.5,0.5,8,16
        Lib,2.0,3.0,N.T.B,100,120,1.2,1.2,1.2,0,0
        Lib,2.0,3.0,N.T.C,100,100,1,0.75,1.25,0,0
        """)]
    public void Each_cell_has_a_row_and_each_older_version_a_column(string format, string expected)
    {
        using var output = new StringWriter();
        VersionsTable.Write(format, Joined(), output);
        Assert.Equal(expected.ReplaceLineEndings(), output.ToString().TrimEnd());
    }

    [Fact]
    public void The_last_step_says_what_is_slower_and_what_is_faster() => Assert.Equal(
        """
        | Measured | Upgrade | Slower | Faster | Cannot say |
        | --- | --- | --- | --- | ---: |
        | hive | Lib 2.0 to 3.0 | B +20 % | A -50 % | 1 |

        """.ReplaceLineEndings("\n"),
        VersionsTable.Upgrades([ResultFile.Parse(DuetResultFile.ToJson(Joined()), "results/Versions-Lib-hive.json")]));

    [Fact]
    public void A_file_without_versions_is_named()
    {
        var file = ResultFile.Parse(DuetResultFile.ToJson(MadeDuet.Of([1, 1.1])), "no-versions.json");
        Assert.Contains("no-versions.json", Assert.Throws<InvalidDataException>(() => VersionsTable.Upgrades([file])).Message,
            StringComparison.Ordinal);
    }

    static Task<RunnerOutput> ListAsync(Build build, CancellationToken stop) =>
        RunnerProcess.RunAsync(build, new() { Assembly = build.Assembly }, TimeSpan.FromMinutes(1), stop);

    // 100 ns with each older version; C is the same in both
    static DuetResult Joined() => DuetVersions.Join("Lib", "3.0",
    [
        ("1.0", MadeDuet.Result(Pair("A", 1.1))),
        ("2.0", MadeDuet.Result(Pair("A", 0.5) with { Old = Side("A", 100, 8), New = Side("A", 50, 16) }, Pair("B", 1.2),
            MadeDuet.Pair("C", "C", [0.9, 1, 1.1]) with { Ratio = 1, Low = 0.75, High = 1.25, Old = Side("C", 100, 0), New = Side("C", 100, 0) })),
    ]);

    static DuetPair Pair(string cell, double ratio) =>
        MadeDuet.Pair(cell, cell, [ratio * 0.9999, ratio, ratio * 1.0001]) with
        {
            Ratio = ratio,
            Low = ratio,
            High = ratio,
            Old = Side(cell, 100, 0),
            New = Side(cell, 100 * ratio, 0),
        };

    static DuetSide Side(string cell, double nanoseconds, double bytes) =>
        MadeDuet.Pair(cell, cell, [1, 1]).Old with
        {
            NanosecondsPerOperation = Math.Round(nanoseconds, 6),
            AllocatedBytesPerOperation = bytes,
        };
}

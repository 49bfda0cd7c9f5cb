using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Tests.Runs;

/// <summary>A run with everything that a run can be asked for, made once and looked at from all sides.</summary>
public sealed class OneRun : IAsyncLifetime
{
    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("protobench-");

    public string Output { get; private set; } = "";

    public string Json { get; private set; } = "";

    public string ResultPath => Path.Combine(folder.FullName, "result.json");

    public string LogPath => Path.Combine(folder.FullName, "run.hlog");

    internal LoadResult Result => LoadResultFile.Parse(Json, ResultPath);

    public async ValueTask InitializeAsync()
    {
        var (exitCode, output, error) = await TheProgram.RunAsync(
            "run", "--codec", "google,slab", "--interleave", "--attribute", "--rounds", "4", "-n", "150", "--warmup", "0s", "--items",
                "200", "--out", ResultPath, "--hdr", LogPath);
        Verdict.AssertFollows(exitCode, output, error);
        (Output, Json) = (output, await File.ReadAllTextAsync(ResultPath));
    }

    public ValueTask DisposeAsync()
    {
        folder.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }
}

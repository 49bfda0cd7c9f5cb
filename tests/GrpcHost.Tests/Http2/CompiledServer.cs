namespace ProtoBench.GrpcHost.Tests;

/// <summary>The servers of tests/cpp and tests/go. Where the compiler or the library is absent a test is skipped and says so.</summary>
sealed class CompiledServer : IAsyncDisposable
{
    // a compiler on a busy machine
    static readonly TimeSpan limit = TimeSpan.FromMinutes(10);

    readonly string folder;

    CompiledServer(string folder, ScriptProcess process) => (this.folder, Process) = (folder, process);

    public ScriptProcess Process { get; }

    /// <summary>libgrpc++, as Debian has it.</summary>
    public static Task<CompiledServer> CppAsync() => StartAsync("pkg-config --exists grpc++ && command -v g++",
        "a C++ server needs g++, pkg-config and libgrpc++ (Debian: apt-get install g++ pkg-config libgrpc++-dev)",
        "g++ -std=c++17 -o \"$1/server\" cpp/echo_server.cc $(pkg-config --cflags --libs grpc++)");

    /// <summary>grpc-go, as Debian has it: sources without modules.</summary>
    public static Task<CompiledServer> GoAsync() => StartAsync("[ -d /usr/share/gocode/src/google.golang.org/grpc ] && command -v go",
        "a Go server needs Go and Debian's package of grpc-go (apt-get install golang-go golang-google-grpc-dev)",
        "GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=\"$1/cache\" go build -o \"$1/server\" go/echo_server.go");

    public async ValueTask DisposeAsync()
    {
        await Process.DisposeAsync();
        Directory.Delete(folder, recursive: true);
    }

    static async Task<CompiledServer> StartAsync(string exists, string needs, string build)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), needs);
        Assert.SkipUnless((await RunAsync(exists, "")).ExitCode == 0, needs);
        var folder = Directory.CreateTempSubdirectory("server-").FullName;
        var (exitCode, output) = await RunAsync($"cd \"$2\" && {build}", folder);
        Assert.True(exitCode == 0, output);
        return new(folder, new(Path.Combine(folder, "server")));
    }

    static async Task<(int ExitCode, string Output)> RunAsync(string command, string folder)
    {
        await using var shell = new ScriptProcess("/bin/sh", "-c", command, "sh", folder, Path.Combine(Golden.Root, "tests"));
        return await shell.EndAsync(limit);
    }
}

namespace ProtoBench.GrpcHost.Tests;

/// <summary>The servers of tests/cpp and tests/go, each compiled once. Where the compiler or the library is absent a test is skipped and
/// says so.</summary>
static class CompiledServer
{
    // a compiler on a busy machine
    static readonly TimeSpan limit = TimeSpan.FromMinutes(10);

    // libgrpc++, as Debian has it
    static readonly Lazy<Task<string>> cpp = new(() => BuildAsync("pkg-config --exists grpc++ protobuf && command -v g++",
        "a C++ server needs g++, pkg-config, libgrpc++ and libprotobuf (Debian: apt-get install g++ pkg-config libgrpc++-dev libprotobuf-dev)",
        "g++ -std=c++17 -o \"$1/server\" cpp/echo_server.cc $(pkg-config --cflags --libs grpc++) -lgrpc++_reflection -lprotobuf"));

    // grpc-go, as Debian has it: sources without modules
    static readonly Lazy<Task<string>> go = new(() => BuildAsync("[ -d /usr/share/gocode/src/google.golang.org/grpc ] && command -v go",
        "a Go server needs Go and Debian's package of grpc-go (apt-get install golang-go golang-google-grpc-dev)",
        "GO111MODULE=off GOPATH=/usr/share/gocode go build -o \"$1/server\" go/echo_server.go"));

    public static async Task<ScriptProcess> StartAsync(string language) =>
        new(Path.Combine(await (language == "Go" ? go : cpp).Value, "server"));

    static async Task<string> BuildAsync(string exists, string needs, string build)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), needs);
        Assert.SkipUnless((await RunAsync(exists, "")).ExitCode == 0, needs);
        var folder = Directory.CreateTempSubdirectory("server-").FullName;
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(folder, recursive: true);
        var (exitCode, output) = await RunAsync($"cd \"$2\" && {build}", folder);
        Assert.True(exitCode == 0, output);
        return folder;
    }

    static async Task<(int ExitCode, string Output)> RunAsync(string command, string folder)
    {
        await using var shell = new ScriptProcess("/bin/sh", "-c", command, "sh", folder, Path.Combine(Golden.Root, "tests"));
        return await shell.EndAsync(limit);
    }
}

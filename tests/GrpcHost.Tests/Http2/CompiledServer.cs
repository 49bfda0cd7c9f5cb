namespace ProtoBench.GrpcHost.Tests;

/// <summary>The servers of tests/cpp and tests/go, each compiled once in a checkout (eng/compiled). Where the compiler or the library is
/// absent a test is skipped and says so.</summary>
static class CompiledServer
{
    // a compiler on a busy machine
    static readonly TimeSpan limit = TimeSpan.FromMinutes(10);

    // libgrpc++, as Debian has it
    static readonly Lazy<Task<string>> cpp = new(() => BuildAsync("cpp", "pkg-config --exists grpc++ protobuf && command -v g++",
        "a C++ server needs g++, pkg-config, libgrpc++ and libprotobuf (Debian: apt-get install g++ pkg-config libgrpc++-dev libprotobuf-dev)",
        "g++ --version; pkg-config --modversion grpc++ protobuf",
        "g++ -std=c++17 -o \"$1/server\" tests/cpp/echo_server.cc $(pkg-config --cflags --libs grpc++) -lgrpc++_reflection -lprotobuf"));

    // grpc-go, as Debian has it: sources without modules
    static readonly Lazy<Task<string>> go = new(() => BuildAsync("go", "[ -d /usr/share/gocode/src/google.golang.org/grpc ] && command -v go",
        "a Go server needs Go and Debian's package of grpc-go (apt-get install golang-go golang-google-grpc-dev)",
        "go version; dpkg-query -W golang-google-grpc-dev",
        "GO111MODULE=off GOPATH=/usr/share/gocode go build -o \"$1/server\" tests/go/echo_server.go"));

    public static async Task<ScriptProcess> StartAsync(string language) =>
        new(Path.Combine(await (language == "Go" ? go : cpp).Value, "server"));

    static async Task<string> BuildAsync(string language, string exists, string needs, string versions, string build)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), needs);
        Assert.SkipUnless((await RunAsync("/bin/sh", "-c", exists)).ExitCode == 0, needs);
        var (exitCode, output) = await RunAsync(Path.Combine(Golden.Root, "eng", "compiled"), $"servers/{language}", build, versions,
            $"tests/{language}");
        Assert.True(exitCode == 0, output);
        return output.Split('\n')[0];
    }

    static async Task<(int ExitCode, string Output)> RunAsync(string program, params string[] arguments)
    {
        await using var script = new ScriptProcess(program, arguments);
        return await script.EndAsync(limit);
    }
}

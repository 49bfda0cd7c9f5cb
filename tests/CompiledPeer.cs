namespace ProtoBench.Testing;

/// <summary>The programs of tests/cpp and tests/go, compiled once in a checkout (eng/compiled). Where the compiler or the library is absent
/// a test is skipped and says so.</summary>
static class CompiledPeer
{
    // a compiler on a busy machine
    static readonly TimeSpan limit = TimeSpan.FromMinutes(10);

    // libgrpc++, as Debian has it
    static readonly Lazy<Task<string>> cpp = new(() => BuildAsync("cpp", "pkg-config --exists grpc++ protobuf && command -v g++",
        "a C++ peer needs g++, pkg-config, libgrpc++ and libprotobuf (Debian: apt-get install g++ pkg-config libgrpc++-dev libprotobuf-dev)",
        "g++ --version; pkg-config --modversion grpc++ protobuf",
        "g++ -std=c++17 -o \"$1/echo_server\" tests/cpp/echo_server.cc $(pkg-config --cflags --libs grpc++) -lgrpc++_reflection -lprotobuf"));

    // grpc-go, as Debian has it: sources without modules
    static readonly Lazy<Task<string>> go = new(() => BuildAsync("go", "[ -d /usr/share/gocode/src/google.golang.org/grpc ] && command -v go",
        "a Go peer needs Go and Debian's package of grpc-go (apt-get install golang-go golang-google-grpc-dev)",
        "go version; dpkg-query -W golang-google-grpc-dev",
        "export GO111MODULE=off GOPATH=/usr/share/gocode; for one in echo_server services_client; do go build -o \"$1/$one\" tests/go/$one.go || exit; done"));

    /// <param name="language">C++ or Go.</param>
    /// <param name="program">The name of the file without its extension.</param>
    /// <param name="arguments">The arguments of the program.</param>
    public static async Task<ScriptProcess> StartAsync(string language, string program, params string[] arguments) =>
        new(Path.Combine(await (language == "Go" ? go : cpp).Value, program), arguments);

    static async Task<string> BuildAsync(string language, string exists, string needs, string versions, string build)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), needs);
        Assert.SkipUnless((await RunAsync("/bin/sh", "-c", exists)).ExitCode == 0, needs);
        var (exitCode, output) = await RunAsync(Path.Combine(Golden.Root, "eng", "compiled"), $"peers/{language}", build, versions,
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

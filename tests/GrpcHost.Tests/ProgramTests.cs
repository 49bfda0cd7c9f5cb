using System.Net;
using System.Net.Sockets;

namespace ProtoBench.GrpcHost.Tests;

public class ProgramTests
{
    [Theory]
    [InlineData("frobnicate", "'frobnicate' is neither a command nor an option here: --help lists them")]
    [InlineData("run --frobnicate 5", "'--frobnicate' is neither a command nor an option here: --help lists them")]
    [InlineData("run --codec google,nope", "'nope' is no value of --codec in this build: google, ")]
    [InlineData("run --arrivals sometimes", "Argument 'sometimes' not recognized. Must be one of: 'constant' 'poisson'")]
    [InlineData("run --duration 10", "'10' is not a duration for --duration: 500ms, 30s, 2m")]
    [InlineData("run --warmup 1ys", "'1ys' is not a duration for --warmup: 500ms, 30s, 2m")]
    [InlineData("run --duration none", "'none' is not a duration for --duration: 500ms, 30s, 2m")]
    [InlineData("run --duration 0s", "--duration must be above 0")]
    [InlineData("run --requests 0", "'0' is not a whole number from 1 on for --requests")]
    [InlineData("run --rate fast", "'fast' is no value of --rate: 100; steps")]
    [InlineData("run --rate 5 --requests 5", "--requests is for the closed loop; with --rate a round ends by --duration")]
    [InlineData("run --percentiles 50,101", "'50,101' is not a list of percentiles from 0 to 100 for --percentiles: 50,90,99.9")]
    [InlineData("run --connections 5", "5 connections for 1 callers: each caller uses one")]
    [InlineData("sweep --rate 5", "sweep chooses the rates by itself: no --rate")]
    [InlineData("sweep --requests 5", "sweep runs one round of --duration for each load: no --requests and --rounds")]
    [InlineData("sweep --rounds 5", "sweep runs one round of --duration for each load: no --requests and --rounds")]
    [InlineData("sweep --hdr x.hlog", "--calls, --hdr, --interleave and --attribute are for run and load, not for sweep")]
    [InlineData("run --host-cores 0", "'0' is not a whole number from 1 to ")]
    [InlineData("settings --callers 1,x", "'1,x' is not a list of whole numbers from 1 for --callers")]
    [InlineData("settings --markdown no/such/folder/x.md", "the folder of no/such/folder/x.md does not exist")]
    [InlineData("run --root heap", "'heap' is no value of --root in this build: threadstatic, new, bag, objectpool")]
    [InlineData("run --codec google,raw --root new", "--root new: none of these codecs reuses its messages: google, raw; these do: slab")]
    [InlineData("run --otlp localhost:4318", "'localhost:4318' is not an address for --otlp: http://host:4318")]
    [InlineData("load --url http://127.0.0.1:1 -c 2 --connections 2 --processes 2 --otlp http://localhost:4318",
        "--otlp: the calls of --processes are not known before the end of a round")]
    [InlineData("run --out .", "'.' is not the name of a file to write")]
    [InlineData("run --out no/such/folder/x.json", "the folder of no/such/folder/x.json does not exist")]
    [InlineData("load --target localhost:1 --method a.B/C -d {} -m a={{.Number}}", "--metadata(1): {{.Number}} is none of {{.RequestNumber}}, ")]
    [InlineData("load --target localhost:1 --method a.B/C -d {} -m {\"a\":1}", "the metadata 'a' is not a text: 1")]
    [InlineData("load --target localhost:1 --method a.B/C -d {} -m {\"a\":", "--metadata(1): ")]
    [InlineData("load --target localhost:1 --method a.B/C -d {} -m {\"grpc-a\":\"b\"}", "'grpc-a=b' is not metadata: such keys belong to the protocol")]
    [InlineData("load --target localhost:1 --method a.B/C -d {} -m @none.json", "none.json: there is no such file")]
    [InlineData("load --proto {proto} --target localhost:5000 --method TestProxyPkg.TestProxy -d {}",
        "TestProxyPkg.TestProxy is a service; its methods are TestProxyPkg.TestProxy/Forward")]
    [InlineData("load --target localhost:1 --method a.B/C --payload x.json --datum {}", "'--datum' is not an option here")]
    [InlineData("host --codec google,slab", "a host runs one stack with one codec; 'run' starts a host for each")]
    [InlineData("host --port 70000", "'70000' is not a whole number from 0 on for --port")]
    [InlineData("host --port 0 --listen nowhere", "cannot listen on http://nowhere:0: 'nowhere' is not an IP address to bind")]
    [InlineData("load --url ftp://x", "'ftp://x' is not an address: http://host:port, https://host:port or unix:path")]
    [InlineData("load --url https://127.0.0.1:1", "https and --thumbprint go together: ")]
    [InlineData("load --url http://127.0.0.1:1 --codec google,slab", "2 variants need as many --url, not 1: a host runs one")]
    [InlineData("run --stack protobuf-net.Grpc --codec google,raw",
        "protobuf-net.Grpc with google, raw: that transport carries only pbn, pbn-runtime, pbn-slab, pbn-pool")]
    [InlineData("host --stack protobuf-net.Grpc",
        "protobuf-net.Grpc with google: that transport carries only pbn, pbn-runtime, pbn-slab, pbn-pool")]
    [InlineData("load --url http://127.0.0.1:1 --stack protobuf-net.Grpc",
        "protobuf-net.Grpc with google: that transport carries only pbn, pbn-runtime, pbn-slab, pbn-pool")]
    [InlineData("sweep --stack grpc-dotnet,protobuf-net.Grpc",
        "protobuf-net.Grpc with slab: that transport carries only pbn, pbn-runtime, pbn-slab, pbn-pool")]
    [InlineData("host --stack grpc-dotnet-defaults --max-streams 200", "--max-streams has no effect on the stack grpc-dotnet-defaults")]
    [InlineData("load --rate 5..", "'5..' is no value of --rate: 100; steps 100,200,400 or 100..2000:100; or a line 100..2000")]
    [InlineData("load --rate 5..9:0", "'5..9:0' is no value of --rate: ")]
    [InlineData("load -c 1..9", "'1..9' is no value of --concurrency: 100; steps 100,200,400 or 100..2000:100")]
    [InlineData("load -c 1.5", "'1.5' is no value of --concurrency: ")]
    [InlineData("run --rate 5,9", "--rate has several values: steps are for load")]
    [InlineData("load --url http://127.0.0.1:1 -c 1,2", "steps are rounds of --duration: no --requests and --hdr")]
    [InlineData("load --url http://127.0.0.1:1 --rate 1..2 --arrivals poisson",
        "--arrivals poisson: a line of rates has constant arrivals; ")]
    [InlineData("sweep --target 127.0.0.1:1 --codec slab --method a.B/C -d {}", "--codec: without effect on a load of --target")]
    [InlineData("run --codec raw --server-window 1KB", "--server-window is 1024 bytes; it can be 65535 to 2147483647")]
    [InlineData("run --codec raw --client-window 17MB", "--client-window is 17825792 bytes; it can be 65535 to 16777216")]
    [InlineData("run --codec raw --host-env nothing", "'nothing' is not an environment variable: NAME=VALUE")]
    [InlineData("run --codec raw --client-env =1", "'=1' is not an environment variable: NAME=VALUE")]
    [InlineData("run --codec raw --stack http2 --duplex", "--duplex has no effect on the stack http2")]
    [InlineData("run --codec raw --client event-loop --duplex", "--duplex has no effect on --client event-loop")]
    [InlineData("run --codec raw --retry-policy --duplex",
        "--retry-policy with --duplex: with grpc-dotnet 2.85 some calls with a stream of requests and a retry policy never end")]
    [InlineData("run --codec raw --stack http2 --compression gzip", "--compression has no effect on the stack http2")]
    [InlineData("run --codec raw --stack socket --server-window 1MB", "--server-window has no effect on the stack socket")]
    [InlineData("settings --setting none", "'none' is no value of --setting in this build: ")]
    [InlineData("settings --delay -1", "'-1' is not a list of milliseconds up to 60000 for --delay: 0,1,10")]
    [InlineData("settings --duration 1s --requests 5", "a load ends by --duration or by --requests, not by both")]
    [InlineData("settings --out no-such-folder/s.json", "the folder of no-such-folder/s.json does not exist")]
    [InlineData("load --target localhost:5000", "--method is missing: package.Service/Method; --list shows those of a --target")]
    [InlineData("load --method a.B/C --payload x.bin", "--target is missing: the server's host:port")]
    [InlineData("load --target http://localhost:5000 --method a.B/C --payload {proto}",
        "'http://localhost:5000' is not a target: host:port, unix:path, dns:///name:port or ipv4:address:port,address:port, without "
            + "http://")]
    [InlineData("load --target localhost:5000 --method a.B/C",
        "--data is missing: messages in JSON; or --payload: files or folders of captured requests")]
    [InlineData("load --target localhost:5000 --method a.B/C --payload x -d {}", "--data and --payload: one of them")]
    [InlineData("load --target localhost:5000 --method a.B/C -d @none.json", "none.json: there is no such file")]
    [InlineData("load --target localhost:5000 --method a.B/C -d {{.Number}}",
        "--data(1): {{.Number}} is none of {{.RequestNumber}}, {{.UUID}}, ")]
    [InlineData("load --proto {proto} --target localhost:5000 --method TestProxyPkg.TestProxy/Forward -d {\"item\":1}",
        "--data(1): TestProxyPkg.ForwardRequest has no field 'item'")]
    [InlineData("load --proto {proto} --target localhost:5000 --method TestProxyPkg.TestProxy/Forward -d []",
        "--data(1): there is no message")]
    [InlineData("load --proto {proto} --target localhost:5000 --method TestProxyPkg.TestProxy/Forward -d {} --messages 3",
        "--messages: TestProxyPkg.TestProxy/Forward has no stream")]
    [InlineData("load --target localhost:5000 --method a.B/C -c 2 --connections 2 --processes 2 -d -",
        "--data -: several --processes cannot read the standard input")]
    [InlineData("load --target localhost:5000 --method a.B/C --payload none.bin", "none.bin: there is no such file or folder")]
    [InlineData("load --target localhost:5000 --stream sometimes --method a.B/C --payload {proto}", "Argument 'sometimes' not recognized")]
    [InlineData("load --list", "--target is missing: the server's host:port")]
    [InlineData("load --target localhost:5000 --protoset {proto} --method a.B/C --payload x", "{proto} is not a FileDescriptorSet: ")]
    [InlineData("load --target localhost:5000 --protoset x --proto {proto}", "--proto and --protoset: one of them describes the service")]
    [InlineData("load --target localhost:5000 --proto {proto} --method a.B/C --payload x",
        "the schema has no method a.B/C; it has TestProxyPkg.TestProxy/Forward")]
    [InlineData("load --target localhost:5000 --method a.B/C --payload {proto} --metadata oops", "'oops' is not metadata: key=value, or JSON")]
    [InlineData("load --target localhost:5000 --method a.B/C --payload {proto} --cacert none.pem", "none.pem: ")]
    [InlineData("load --target localhost:5000 --method a.B/C --payload {proto} --stack http2 --codec slab --items 3",
        "--stack, --codec, --items: without effect on a load of --target")]
    [InlineData("load --target localhost:5000 --method a.B/C --payload {proto} --url http://localhost:5000 --attribute",
        "--url, --attribute: without effect on a load of --target")]
    [InlineData("load --url http://localhost:5000 --max-reply 5MB", "--max-reply: without effect on a load of --url")]
    [InlineData("load --target localhost:5000 --method a.B/C --payload {proto} --max-reply 2GB",
        "'2GB' is not a number of bytes below 2 GB for --max-reply: 4194304, 64KB, 16MB")]
    [InlineData("load", "what is to be loaded? --url names a host of this program, --target any gRPC server")]
    [InlineData("host --method a.B/C", "--reply is missing: files or folders of prepared replies")]
    [InlineData("host --method a.B/C --reply {proto} --delay often",
        "'often' is not a delay: 5ms, or exp:5ms for an exponential distribution with that mean")]
    public async Task Wrong_usage_is_one_line_and_exit_code_2(string arguments, string message)
    {
        AssertRefusal(2, Named(message), await TheProgram.RunAsync([.. arguments.Split(' ').Select(Named)]));

        static string Named(string text) =>
            text.Replace("{proto}", Path.Combine(Golden.Root, "protos", "test_proxy.proto"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("run --out /proc/none.json")]
    [InlineData("run --csv /proc/none.csv")]
    [InlineData("run --html /proc/none.html")]
    [InlineData("run --hdr /proc/none.hlog")]
    [InlineData("settings --markdown /proc/none.md")]
    [InlineData("settings --out /proc/none.json")]
    [InlineData("worker --hdr /proc/none.hlog")]
    public async Task A_file_that_cannot_be_written_is_refused_before_the_run(string arguments)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "/proc is a folder of Linux");
        var words = arguments.Split(' ');
        AssertRefusal(2, $"cannot write {words[^1]}: ", await TheProgram.RunAsync(words));
    }

    // from the help of the program, behind its heading
    static IEnumerable<string> Commands => TheProgram.RunAsync("--help").GetAwaiter().GetResult().Output.Split('\n')
        .SkipWhile(line => !line.StartsWith("Commands:", StringComparison.Ordinal)).Skip(1)
        .Where(line => line.Length > 2 && line[2] != ' ').Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[0]);

    public static TheoryData<string, string> Helps => new(
        from command in Commands
        from help in (string[])["--help", "-h", "-?"]
        select (command, help));

    // the run ends at the next argument, which is wrong
    [Theory]
    [InlineData("0")]
    [InlineData("none")]
    [InlineData("0s")]
    public async Task A_warm_up_can_be_left_out(string warmup) => AssertRefusal(2, "sweep chooses the rates by itself: no --rate",
        await TheProgram.RunAsync("sweep", "--warmup", warmup, "--rate", "5"));

    // also of commands with required options
    [Theory]
    [MemberData(nameof(Helps))]
    public async Task Every_command_has_help(string command, string help)
    {
        var (exit, output, error) = await TheProgram.RunAsync(command, help);
        Assert.Equal((0, ""), (exit, error));
        Assert.StartsWith("Description:", output, StringComparison.Ordinal);
        Assert.Contains($"{command} ", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("frobnicate", "'frobnicate' is neither a command nor an option here: --help lists them")]
    [InlineData("run --connections 5", "5 connections for 1 callers: each caller uses one")]
    public async Task The_process_says_it_on_standard_error(string arguments, string message) =>
        AssertRefusal(2, message, await TheProgram.RunProcessAsync(arguments.Split(' ')));

    [Fact]
    public async Task No_host_at_the_address_is_one_line_and_exit_code_1()
    {
        using var taken = Bound();
        var nobody = $"http://127.0.0.1:{((IPEndPoint)taken.LocalEndPoint!).Port}"; // bound and not listening: connections are refused
        AssertRefusal(1, $"grpc-dotnet-google: no host answers at {nobody}", await TheProgram.RunAsync("load", "--url", nobody));
        var socket = "unix:" + Path.Combine(Path.GetTempPath(), $"protobench-{Guid.NewGuid():N}.sock");
        AssertRefusal(1, $"grpc-dotnet-google: no host answers at {socket}", await TheProgram.RunAsync("load", "--url", socket));
    }

    [Fact]
    public async Task A_port_in_use_is_one_line_and_exit_code_1()
    {
        using var taken = Bound();
        taken.Listen();
        var port = ((IPEndPoint)taken.LocalEndPoint!).Port;
        AssertRefusal(1, $"cannot listen on http://127.0.0.1:{port}: ", await TheProgram.RunAsync("host", "--port", $"{port}"));
    }

    [Fact]
    public async Task A_socket_in_use_is_one_line_and_exit_code_1()
    {
        var socket = Path.Combine(Path.GetTempPath(), $"protobench-{Guid.NewGuid():N}.sock");
        await using var host = await ChildProcess.StartHostAsync(["--uds", socket]);
        AssertRefusal(1, $"cannot listen on unix:{socket}: {socket} exists", await TheProgram.RunAsync("host", "--uds", socket));
    }

    [Fact]
    public async Task A_host_binds_loopback_unless_told_otherwise()
    {
        await using var host = await ChildProcess.StartHostAsync(["--port", "0"]);
        Assert.Equal("127.0.0.1", host.Endpoint.Host);
    }

    [Fact]
    public async Task A_call_may_be_given_no_limit_of_time()
    {
        var (exitCode, output, error) =
            await TheProgram.RunAsync("run", "--timeout", "none", "--codec", "raw", "--items", "1", "-n", "5", "--rounds", "1", "--warmup",
                "0s");
        Verdict.AssertFollows(exitCode, output, error);
        Assert.Contains("successful rate 1 = 5/5", output, StringComparison.Ordinal);
        Assert.Contains("round 1 of 1: grpc-dotnet-raw, closed loop, 1 call at a time, 1 connection", output, StringComparison.Ordinal);
        Assert.Contains("note: no warmup: times include JIT compilation", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Help_lists_the_commands_and_the_exit_codes()
    {
        var (exitCode, output, error) = await TheProgram.RunAsync("--help");
        Assert.Equal((0, ""), (exitCode, error));
        foreach (var expected in (string[])["host", "load", "run", "sweep", "settings", "2 wrong usage", "3 INVALID"])
            Assert.Contains(expected, output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("sweep", "--rate", "--requests", "--rounds", "--interleave", "--hdr", "--attribute")]
    public async Task Help_lists_no_option_that_the_command_refuses(string command, params string[] refused)
    {
        var (exitCode, output, _) = await TheProgram.RunAsync(command, "--help");
        Assert.Equal(0, exitCode);
        Assert.All(refused, option => Assert.DoesNotMatch($@"(^|[ ,]){option}[ ,]", output));
        Assert.Contains("--duration", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Help_shows_defaults_as_they_are_typed()
    {
        var (_, output, _) = await TheProgram.RunAsync("run", "--help");
        foreach (var typed in (string[])["[default: 3s]", "[default: 60s]", "[default: 50,90,95,99,99.9]"])
            Assert.Contains(typed, output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("host", false)]
    [InlineData("run", true)]
    public async Task Only_what_takes_several_stacks_says_so(string command, bool several)
    {
        var (exitCode, output, _) = await TheProgram.RunAsync(command, "--help");
        Assert.Equal((0, several), (exitCode, output.Contains("several with commas", StringComparison.Ordinal)));
    }

    static Socket Bound()
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }

    static void AssertRefusal(int exitCode, string message, (int ExitCode, string Output, string Error) ended)
    {
        Assert.StartsWith(message, ended.Error, StringComparison.Ordinal);
        Assert.Equal((exitCode, "", 1), (ended.ExitCode, ended.Output, ended.Error.Count(letter => letter == '\n')));
    }
}

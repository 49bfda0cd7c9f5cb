using System.CommandLine;

namespace ProtoBench.GrpcHost.Tests;

public sealed class ConfigFileTests : IDisposable
{
    readonly string file = Path.GetTempFileName();

    public void Dispose() => File.Delete(file);

    // The first file is that of ghz's documentation (www/docs/example_config.md),
    [Theory]
    [InlineData("""
        {
            "proto": "/path/to/greeter.proto", "call": "helloworld.Greeter.SayHello", "total": 2000, "concurrency": 50,
            "data": {"name": "Joe"}, "metadata": {"foo": "bar", "request-id": "{{.RequestNumber}}"}, "import-paths": ["/path/to/protos", "b"], "max-duration": "10s",
            "host": "0.0.0.0:50051"
        }
        """, "",
        """
        --proto=/path/to/greeter.proto --method=helloworld.Greeter.SayHello --concurrency=50 --data={"name": "Joe"} --metadata={"foo": "bar", "request-id": "{{.RequestNumber}}"}
        --proto-path=/path/to/protos --proto-path=b --target=0.0.0.0:50051 --requests=2000 --duration=10s --tls
        """)]
    // what ghz has when an option is not set
    [InlineData("""
        {"proto": "", "insecure": false, "rps": 0, "duration": "0s", "keepalive": 0, "timeout": "0", "load-schedule": "const", "load-start": 0,
         "concurrency-start": 1, "import-paths": [], "tags": null, "skipTLS": false}
        """, "", "--timeout=none --tls")]
    [InlineData("""{"insecure": true, "duration": "10s", "total": 200}""", "", "--insecure --duration=10s")]
    [InlineData("""{"insecure": true, "rps": 500, "total": 200}""", "", "--insecure --rate=500 --duration=0.4s")]
    [InlineData("""{"insecure": true, "total": 200}""", "-r 100", "--insecure --duration=2s")]
    [InlineData("""{"insecure": true, "total": 200, "concurrency": 5}""", "-z 3s -c 7", "--insecure")]
    [InlineData("""{"insecure": true, "host": "a:1", "data-file": "x.json"}""", "--tls --payload y.bin --target b:2", "")]
    [InlineData("""{"cacert": "a", "cert": "b", "key": "c", "cname": "d", "authority": "e", "skipTLS": true, "enable-compression": true}""", "",
        "--cacert=a --cert=b --key=c --cname=d --authority=e --skip-tls-verify --compress --tls")]
    [InlineData("""{"stream-interval": "10ms", "stream-call-count": 3, "max-recv-message-size": "16MB", "binary-file": "m.bin"}""", "--insecure",
        "--interval=10ms --messages=3 --max-reply=16MB --payload=m.bin")]
    // the options in a report of ghz, and names of its first versions
    [InlineData("""{"timeout": 20000000000, "duration": 1500000000, "stream-interval": 2500000, "keepalive": 0, "dial-timeout": 10000000000}""",
        "--insecure", "--timeout=20s --interval=0.0025s --duration=1.5s")]
    [InlineData("""{"max-duration": 0, "timeout": 0, "qps": 500, "total": 200, "importPaths": ["/path/to/protos"]}""", "--insecure",
        "--timeout=none --proto-path=/path/to/protos --rate=500 --duration=0.4s")]
    [InlineData("""{"keepalive": "30s", "lb-strategy": "round_robin", "host": "dns:///orders:1"}""", "--insecure",
        "--keepalive=30s --lb-strategy=round_robin --target=dns:///orders:1")]
    [InlineData("""{"keepalive": 1500000000, "lb-strategy": ""}""", "--insecure", "--keepalive=1.5s")]
    // the file of a pipeline
    [InlineData("""{"output": "r.json", "format": "json"}""", "--insecure", "--calls=r.json --calls-format=json")]
    [InlineData("""{"format": "pretty", "output": "r"}""", "--insecure", "--calls=r --calls-format=json")]
    [InlineData("""{"output": "r", "format": "csv"}""", "--insecure", "--calls=r --calls-format=csv")]
    [InlineData("""{"output": "r.htm", "format": "html"}""", "--insecure", "--html=r.htm")]
    [InlineData("""{"format": "summary", "output": ""}""", "--insecure", "")]
    // the examples of ghz's documentation (www/docs/load.md): 50 calls per second more every 5 s, and every second; and of concurrency
    [InlineData("""{"load-schedule": "step", "load-start": 50, "load-end": 150, "load-step": 10, "load-step-duration": "5s", "total": 10000, "rps": 7}""",
        "--insecure", "--rate=50..150:10 --duration=5s")]
    [InlineData("""{"load-schedule": "step", "load-start": 5, "load-step": 10, "load-step-duration": 2000000000, "load-max-duration": "6s"}""",
        "--insecure", "--rate=5..25:10 --duration=2s")]
    [InlineData("""{"load-schedule": "line", "load-start": 200, "load-end": 50, "load-step": -2}""", "--insecure", "--rate=200..50 --duration=75s")]
    [InlineData("""{"load-schedule": "line", "load-start": 5, "load-step": 5, "load-max-duration": "10s"}""", "--insecure", "--rate=5..50 --duration=9s")]
    [InlineData("""
        {"concurrency-schedule": "step", "concurrency-start": 5, "concurrency-end": 50, "concurrency-step": 5, "concurrency-step-duration": "5s"}
        """, "--insecure", "--concurrency=5..50:5 --duration=5s")]
    [InlineData("""{"concurrency-schedule": "line", "concurrency-start": 20, "concurrency-end": 10, "concurrency-step": -1, "concurrency": 9}""",
        "--insecure", "--concurrency=20..10:1 --duration=1s")]
    [InlineData("""{"metadata-file": "m.json", "metadata": {"id-bin": "abc"}, "expect": "OK,NOT_FOUND", "warmup": 0}""", "--insecure",
        "--metadata=@m.json --metadata={\"id-bin\": \"abc\"} --expect=OK,NOT_FOUND --warmup=0")]
    public void Names_of_ghz_are_options(string json, string commandLine, string options)
    {
        File.WriteAllText(file, json);
        var given = Parse(commandLine);
        Assert.Equal(options.ReplaceLineEndings(" ").Trim(), string.Join(' ', ConfigFile.Read(given, TextWriter.Null)));
    }

    [Theory]
    [InlineData("{\n  \"total\": 5,\n  \"totall\": 5}", "{file}(3,3): 'totall' is not an option of load, or its value has another form")]
    [InlineData("{\"totall\": 0}", "{file}(1,2): 'totall' is not an option of load")]
    [InlineData("{\"config\": \"x\"}", "{file}(1,2): 'config' is not an option of load")]
    [InlineData("{\"client-process\": true}", "{file}(1,2): 'client-process' is not an option of load")]
    [InlineData("{\"host\": {}}", "{file}(1,2): 'host' is not an option of load")]
    [InlineData("{\"load-schedule\": \"step\"}",
        "{file}: the load-schedule 'step' of ghz needs load-start and load-step above 0, and load-step-duration")]
    [InlineData("{\"concurrency-schedule\": \"sine\", \"concurrency-start\": 1, \"concurrency-step\": 1}",
        "{file}: the concurrency-schedule 'sine' of ghz needs concurrency-start and concurrency-step above 0; schedules are step, line and const")]
    [InlineData("{\"load-schedule\": \"line\", \"load-start\": 1, \"load-step\": 1}",
        "{file}: the load-schedule never ends: it needs load-end, or load-max-duration")]
    [InlineData("{\"load-schedule\": \"line\", \"load-start\": 5, \"load-step\": 1, \"load-end\": 2}",
        "{file}: the load-schedule never ends: it needs load-end, or load-max-duration")]
    [InlineData("{\"output\": \"x\", \"format\": \"prometheus\"}",
        "{file}(1,17): 'output' is written with the 'format' json, pretty, csv or html, and not 'prometheus'")]
    [InlineData("{\"output\": \"x\"}",
        "{file}(1,2): 'output' is written with the 'format' json, pretty, csv or html, and not 'summary'")]
    [InlineData("{ \"async\": true}", "{file}(1,3): 'async' of ghz is not here: --rate sends calls independent of the replies")]
    [InlineData("{\"total\": 5,}", "{file}(1,13): ")]
    [InlineData("{\"total\": 5}\n}", "{file}(2,1): ")]
    [InlineData("[]", "{file} is not a JSON object with options")]
    [InlineData("{\"timeout\": \"soon\"}", "'soon' is not a duration for --timeout: 500ms, 30s, 2m")]
    public async Task What_is_wrong_in_a_file_is_one_line_and_exit_code_2(string json, string message)
    {
        await File.WriteAllTextAsync(file, json, TestContext.Current.CancellationToken);
        var (exit, _, error) = await TheProgram.RunAsync("load", "--config", file);
        Assert.Equal(2, exit);
        Assert.StartsWith(message.Replace("{file}", file, StringComparison.Ordinal), error, StringComparison.Ordinal);
        Assert.Single(error.TrimEnd().Split('\n'));
    }

    [Fact]
    public async Task All_faults_of_a_file_are_said_at_once()
    {
        await File.WriteAllTextAsync(file, """
            {"totall": 5, "total": 5, "async": true,
             "ratee": 3}
            """, TestContext.Current.CancellationToken);
        var (exit, _, error) = await TheProgram.RunAsync("load", "--config", file);
        Assert.Equal(2, exit);
        Assert.Equal([$"{file}(1,2): 'totall'", $"{file}(1,27): 'async'", $"{file}(2,2): 'ratee'"],
            error.TrimEnd().Split(Environment.NewLine).Select(line => string.Join('\'', line.Split('\'')[..2]) + "'"));
    }

    [Fact]
    public async Task A_file_that_is_missing_or_in_vain_is_said()
    {
        Assert.Equal((2, "", "none.json: there is no such file" + Environment.NewLine), await TheProgram.RunAsync("load", "--config", "none.json"));
        await File.WriteAllTextAsync(file, "{\"insecure\": true}", TestContext.Current.CancellationToken);
        var (exit, _, error) = await TheProgram.RunAsync("load", "--config", file, "--url", "http://localhost:1");
        Assert.Equal((2, "--insecure, --config: without effect on a load of --url"), (exit, error.Trim()));
    }

    [Fact]
    public void A_name_without_effect_is_noted()
    {
        File.WriteAllText(file, "{\"tags\": {\"env\": \"a\"}, \"insecure\": true, \"format\": \"csv\"}");
        using var notes = new StringWriter();
        ConfigFile.Read(Parse(""), notes);
        Assert.Equal($"note: {file}(1,2): 'tags' has no effect here{Environment.NewLine}note: {file}(1,42): 'format' has no effect without 'output': the terminal has the figures of this program{Environment.NewLine}",
            notes.ToString());
    }

    ParseResult Parse(string commandLine) => new RootCommand { LoadCommand.Create() }
        .Parse(["load", "--config", file, .. commandLine.Split(' ', StringSplitOptions.RemoveEmptyEntries)]);
}

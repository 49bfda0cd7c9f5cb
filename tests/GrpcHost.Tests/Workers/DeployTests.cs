using System.CommandLine;
using System.Globalization;
using YamlDotNet.Serialization;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>The files of deploy/. No cluster has run them, so their fields are compared with those that their programs document.</summary>
public class DeployTests
{
    // config/crd/bases/e2etest.grpc.io_loadtests.yaml of grpc/test-infra at 2b7585de (2026-08-06); both files were also valid by the whole
    // schema
    static readonly HashSet<string> component = ["build", "clone", "language", "metricsPort", "name", "pool", "run"];
    static readonly HashSet<string> spec = ["clients", "driver", "results", "scenariosJSON", "servers", "timeoutSeconds", "ttlSeconds"];
    static readonly HashSet<string> container = ["args", "command", "env", "image", "name", "resources", "volumeMounts"];

    // src/Microsoft.Crank.Models/Job.cs and Source.cs of dotnet/crank at e5f71f49 (2026-06-22)
    static readonly HashSet<string> job =
        ["arguments", "framework", "project", "readyStateText", "sources", "variables", "waitForExit"];

    [Theory]
    [InlineData("loadtest.yaml")]
    [InlineData("loadtest-mixed.yaml")]
    public void A_load_test_has_the_fields_of_the_operator(string file)
    {
        var test = Read(file);
        Assert.Equal(["apiVersion", "kind", "metadata", "spec"], test.Keys.Order());
        Assert.Equal(("e2etest.grpc.io/v1", "LoadTest"), ((string)test["apiVersion"], (string)test["kind"]));
        var given = Map(test["spec"]);
        Assert.Subset(spec, given.Keys.ToHashSet());
        Assert.All(Maps(given["servers"]).Concat(Maps(given["clients"])), one =>
        {
            Assert.Subset(component, one.Keys.ToHashSet());
            var run = Assert.Single(Maps(one["run"]));
            Assert.Subset(container, run.Keys.ToHashSet());
            Assert.Equal("main", run["name"]);
            if (one["language"] is "dotnet")
                AssertParses([.. Texts(run["args"])]);
        });

        var scenarios = Path.GetTempFileName();
        try
        {
            File.WriteAllText(scenarios, (string)given["scenariosJSON"]);
            Assert.All(Drive.Read(scenarios), scenario => Assert.Equal(
                (Maps(given["servers"]).Count(), Maps(given["clients"]).Count()), (scenario.NumServers, scenario.NumClients)));
        }
        finally
        {
            File.Delete(scenarios);
        }
    }

    [Fact]
    public void The_jobs_of_crank_have_its_fields_and_our_options()
    {
        var jobs = Map(Read("crank.yml")["jobs"]).Values.Select(Map).ToList();
        Assert.All(jobs, one =>
        {
            Assert.Subset(job, one.Keys.ToHashSet());
            var (source, folder) = Assert.Single(Map(one["sources"]));
            Assert.Equal("..", Map(folder)["localFolder"]);
            Assert.True(File.Exists(Path.Combine(Golden.Root, ((string)one["project"])[(source.Length + 1)..])));
            var line = (string)one["arguments"];
            foreach (var (name, value) in Map(one["variables"]))
                line = line.Replace($"{{{{{name}}}}}", Convert.ToString(value, CultureInfo.InvariantCulture) is { Length: > 0 } text ? text : "a:1",
                    StringComparison.Ordinal);
            AssertParses(line.Split(' '));
        });
    }

    [Fact]
    public void The_image_starts_a_worker()
    {
        var lines = File.ReadAllLines(Path.Combine(Golden.Root, "deploy", "Dockerfile"));
        AssertParses(new DeserializerBuilder().Build()
            .Deserialize<string[]>(Assert.Single(lines, line => line.StartsWith("CMD ", StringComparison.Ordinal))[4..]));
    }

    static void AssertParses(string[] arguments) =>
        Assert.Empty(new RootCommand { WorkerCommand.Create(), DriveCommand.Create() }.Parse(arguments).Errors
            .Select(error => error.Message));

    static Dictionary<string, object> Read(string file) =>
        new DeserializerBuilder().Build().Deserialize<Dictionary<string, object>>(
            File.ReadAllText(Path.Combine(Golden.Root, "deploy", file)));

    static Dictionary<string, object> Map(object value) =>
        ((Dictionary<object, object>)value).ToDictionary(one => (string)one.Key, one => one.Value);

    static IEnumerable<Dictionary<string, object>> Maps(object list) => ((List<object>)list).Select(Map);

    static IEnumerable<string> Texts(object list) => ((List<object>)list).Cast<string>();
}

using System.Text.Json;
using BenchmarkDotNet.Characteristics;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using ProtoBench.Benchmarks;
using ProtoBench.Harness.Toolchains;

namespace ProtoBench.Tests;

public class PrebuiltToolchainTests
{
    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void The_measured_process_has_the_collector_of_its_job(bool server, bool concurrent)
    {
        var partition = Partition(Job.Dry.WithGcServer(server).WithGcConcurrent(concurrent).WithToolchain(new PrebuiltToolchain()));
        var generated = new PrebuiltGenerator().GenerateProject(partition, NullLogger.Instance, Path.GetTempPath());
        try
        {
            Assert.True(generated.IsGenerateSuccess, generated.GenerateException?.ToString());
            using var settings =
                JsonDocument.Parse(File.ReadAllText(Path.ChangeExtension(generated.ArtifactsPaths.ExecutablePath, ".runtimeconfig.json")));
            var properties = settings.RootElement.GetProperty("runtimeOptions").GetProperty("configProperties");
            Assert.Equal((server, concurrent),
                (properties.GetProperty("System.GC.Server").GetBoolean(), properties.GetProperty("System.GC.Concurrent").GetBoolean()));
            Assert.True(properties.GetProperty("System.Globalization.Invariant").GetBoolean());
        }
        finally
        {
            Directory.Delete(generated.ArtifactsPaths.BuildArtifactsDirectoryPath, recursive: true);
        }
    }

    [Fact]
    public void What_the_compiler_refuses_is_said()
    {
        var partition = Partition(Job.Dry.WithToolchain(new PrebuiltToolchain()));
        var generated = new PrebuiltGenerator().GenerateProject(partition, NullLogger.Instance, Path.GetTempPath());
        try
        {
            File.WriteAllText(generated.ArtifactsPaths.ProgramCodePath, "class C { static void Main() => Nothing(); }");
            var built = new PrebuiltBuilder().Build(generated, partition, NullLogger.Instance);
            Assert.False(built.IsBuildSuccess);
            Assert.Contains("error CS0103", built.ErrorMessage, StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(generated.ArtifactsPaths.BuildArtifactsDirectoryPath, recursive: true);
        }
    }

    /// <summary>No slow machine reaches the limit.</summary>
    [Fact]
    public void A_build_by_BenchmarkDotNet_has_an_hour_and_no_analyzers()
    {
        var config = ImmutableConfigBuilder.Create(Config.Create(new OwnOptions(), prebuilt: false));
        Assert.Equal(TimeSpan.FromHours(1), config.BuildTimeout);
        var job = Assert.Single(config.GetJobs());
        Assert.Contains("/p:RunAnalyzers=false", job.Infrastructure.Arguments.Select(argument => argument.TextRepresentation));
        Assert.False(job.Infrastructure.TryGetToolchain(out _));
    }

    internal static BuildPartition Partition(Job job)
    {
        var run = BenchmarkConverter.TypeToBenchmarks(typeof(MeterBenchmarks), ManualConfig.CreateEmpty().AddJob(job));
        return Assert.Single(
            BenchmarkPartitioner.CreateForBuild([run],
                new CompositeResolver(EnvironmentResolver.Instance, InfrastructureResolver.Instance)));
    }
}

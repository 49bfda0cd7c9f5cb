using ProtoBench.Harness.Duet;

namespace ProtoBench.Tests;

/// <summary>Building with a version of a package takes minutes, so .ci/run does it, not a test.</summary>
public class BaseBuildTests
{
    static readonly string packages = File.ReadAllText(Path.Combine(Checkout.Root!, "Directory.Packages.props"));

    [Theory]
    [InlineData("GoogleProtobufVersion=3.21.9")]
    [InlineData("ProtobufNetVersion=3.2.30")]
    [InlineData("MessagePackVersion=3.0.0-rc.1")]
    [InlineData("OrleansSerializationVersion=10.4.1")]
    public void A_version_of_a_measured_package_is_taken(string given) => Assert.Equal(given, Read(given));

    [Theory]
    [InlineData("GoogleProtobufVersion=", "'' is not a version such as 3.21.9")]
    [InlineData("GoogleProtobufVersion=latest", "'latest' is not a version")]
    [InlineData("GoogleProtobufVersion=3.*", "'3.*' is not a version")]
    [InlineData("GoogleProtobufVersion=3.21.9;Foo=1", "is not a version")]
    [InlineData("googleprotobufversion=3.21.9", "googleprotobufversion is not the version of a measured package; those are "
        + "MemoryPackVersion, MessagePackVersion, NerdbankMessagePackVersion, OrleansSerializationVersion, ProtobufNetVersion,")]
    [InlineData("Google.Protobuf=3.21.9", "Google.Protobuf is not the version of a measured package")]
    [InlineData("BenchmarkDotNetVersion=0.13.0", "BenchmarkDotNetVersion is not the version of a measured package")]
    [InlineData("ProtobufNet=none", "ProtobufNet is not the version of a measured package")]
    public void Anything_else_is_refused_with_the_reason(string given, string reason) =>
        Assert.Contains(reason, Assert.Throws<UsageException>(() => Read(given)).Message,
            StringComparison.Ordinal);

    [Theory]
    [InlineData("NoSuchPackageVersion=1.2.3", "is not the version of a measured package")]
    [InlineData("no-such-commit", "is neither a commit")]
    public async Task Nothing_is_built_for_a_base_that_is_refused(string name, string reason)
    {
        using var progress = new StringWriter();
        Assert.Contains(reason,
            (await Assert.ThrowsAsync<UsageException>(() =>
                new BaseBuild(BuildFacts.Program, progress).MakeAsync(name, TestContext.Current.CancellationToken))).Message,
            StringComparison.Ordinal);
        Assert.Empty(progress.ToString());
    }

    static string Read(string given) => BaseBuild.PackageVersion(packages, BuildFacts.Program.Packages, given);
}

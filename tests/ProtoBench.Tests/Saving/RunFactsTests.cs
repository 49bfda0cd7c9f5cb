namespace ProtoBench.Tests;

public class RunFactsTests
{
    static readonly RunFacts facts = new(
        1, 5, "2026-05-04", new Dictionary<string, string> { ["protobuf-net"] = "3.4.40", ["Google.Protobuf"] = "3.25.1" }, [],
        ".NET 10.0.12", "Workstation concurrent", "A processor", "L1 48K", null, "abc", true, "my note", "");

    [Fact]
    public void A_table_begins_with_day_commit_machine_versions_and_note()
    {
        Assert.Equal(
            [
                "2026-05-04, commit abc", "A processor (L1 48K), .NET 10.0.12, Workstation concurrent GC",
                "Google.Protobuf 3.25.1, protobuf-net 3.4.40", "my note",
            ], facts.Lines);
        Assert.Equal(
            [
                "2026-05-04, commit abc, with changes that are not committed",
                "A processor (L1 48K), .NET 10.0.12, Workstation concurrent GC, Tls13", "Google.Protobuf 3.25.1, protobuf-net 3.4.40",
            ], (facts with { Clean = false, Tls = "Tls13", Note = null }).Lines);
    }

    [Fact]
    public void Every_measured_package_of_the_build_has_its_version()
    {
        var versions = BuildFacts.Program.Current.PackageVersions();
        string[] packages =
        [
            "CommunityToolkit.HighPerformance", "Google.FlatBuffers", "Google.Protobuf", "Grpc.AspNetCore.Server", "Grpc.Net.Client", "MemoryPack", "MessagePack",
            "Microsoft.Extensions.ObjectPool", "Microsoft.IO.RecyclableMemoryStream", "Microsoft.Orleans.Serialization",
            "Nerdbank.MessagePack", "protobuf-net", "protobuf-net.Grpc", "ProtoBench.Codec", "System.Formats.Cbor", "ZstdSharp.Port",
        ];
        Assert.All(packages, package => Assert.Matches(@"^\d+\.\d+", versions[package]));
        Assert.Equal(packages.Length, versions.Count);
    }
}

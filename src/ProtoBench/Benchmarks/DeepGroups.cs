#if EDITIONS
using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using ProtoBench.Codec;
using ProtoBench.Payloads;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Benchmarks;

/// <summary>The deep message with groups in place of lengths. Its schema needs editions, so these rows are not in a build with the protoc
/// of an old Google.Protobuf.</summary>
public partial class DeepBenchmarks
{
    Message<GroupedAnimal> lastOfGroups;

    [Benchmark] public Gpb.GroupedAnimal ReadDeepGoogle_Group() => Gpb.GroupedAnimal.Parser.ParseFrom(groups.AsSpan());
    [Benchmark] public Message<GroupedAnimal> ReadDeepSlab_Group() => SlabMessages.Read(ref lastOfGroups, groups);
    [Benchmark]
    public long WriteDeepGoogle_Group() { var to = Sink.BW; GroupsOfGoogle.ByDepth[Depth].WriteTo(to); return to.WrittenCount; }
    [Benchmark]
    public long WriteDeepSlab_Group() { var to = Sink.BW; GroupsOfSlab.ByDepth[Depth].WriteTo(to); return to.WrittenCount; }

    static class GroupsOfGoogle
    {
        public static readonly Gpb.GroupedAnimal[] ByDepth =
            [.. Enumerable.Range(0, 100).Select(depth => Gpb.GroupedAnimal.Parser.ParseFrom(Deep.Message(depth, groups: true)))];
    }

    static class GroupsOfSlab
    {
        public static readonly Message<GroupedAnimal>[] ByDepth =
            [.. Enumerable.Range(0, 100).Select(depth => SlabMessages.Parsed<GroupedAnimal>(Deep.Message(depth, groups: true)))];
    }
}
#endif

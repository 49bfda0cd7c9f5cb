using ProtoBench.Gpb;
using ProtoBench.Payloads;

namespace ProtoBench.DataSets;

/// <summary>The request of the hive: 3,500 sub-items, each with a small byte buffer.</summary>
public readonly partial struct HiveSet : IDataSet<ForwardRequest, SlabProtobuf.ForwardRequest, PlainForwardRequest>
{
    /// <summary>Always the same: the content of the hive's tables.</summary>
    public static ForwardRequest Generate(Random random) => ForwardRequest.Parser.ParseFrom(Hive.Request());
}

using ProtoBench.Gpb;
using ProtoBench.Payloads;

namespace ProtoBench.DataSets;

/// <summary>Three numbers.</summary>
public readonly partial struct SmallSet : IDataSet<Small, SlabProtobuf.Small, PlainSmall>
{
    /// <summary>Always the same: the message of the tables of small messages.</summary>
    public static Small Generate(Random random) => Small.Parser.ParseFrom(Wide.Small());
}

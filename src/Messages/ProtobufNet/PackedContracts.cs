using ProtoBuf;

namespace ProtoBench.Pbn;

// The messages of packed.proto with one list, with ordinary types of protobuf-net.

[ProtoContract]
public sealed class PackedFloats
{
    /// <summary>The elements.</summary>
    [ProtoMember(1, IsPacked = true)]
    public List<float> Values { get; } = [];
}

[ProtoContract]
public sealed class PackedDoubles
{
    /// <summary>The elements.</summary>
    [ProtoMember(1, IsPacked = true)]
    public List<double> Values { get; } = [];
}

/// <summary>Values of the type int32.</summary>
[ProtoContract]
public sealed class PackedInt32s
{
    /// <summary>The elements.</summary>
    [ProtoMember(1, IsPacked = true)]
    public List<int> Values { get; } = [];
}

/// <summary>Values of the type sint64.</summary>
[ProtoContract]
public sealed class PackedSInt64s
{
    /// <summary>The elements.</summary>
    [ProtoMember(1, IsPacked = true, DataFormat = DataFormat.ZigZag)]
    public List<long> Values { get; } = [];
}

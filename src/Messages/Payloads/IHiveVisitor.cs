namespace ProtoBench.Payloads;

/// <summary>Is told by <see cref="HiveWalk"/> where each field of a hive message lies.
/// Implemented by structs, so that the calls are inlined into the walk.</summary>
/// <remarks>Every (offset, length) is inside the walked bytes.</remarks>
public interface IHiveVisitor
{
    /// <summary>A leaf of the root: traceId (field 1 of a request) or requestContextInfo (field 3).</summary>
    void RootLeaf(int field, int offset, int length);

    /// <summary>A number of the root: routeLatencyInUs (field 2 of a response) or routeStartTimeInTicks (field 3).</summary>
    void RootNumber(int field, long value);

    /// <summary>One sub-item: a request's itemId and itemContext. An absent leaf has the length 0.</summary>
    void RequestItem(int offset, int length, int idOffset, int idLength, int contextOffset, int contextLength);

    /// <summary>One sub-item: a response's result and extraResult. An absent leaf has the length 0.</summary>
    void ResponseItem(int offset, int length, float result, int extraOffset, int extraLength);
}

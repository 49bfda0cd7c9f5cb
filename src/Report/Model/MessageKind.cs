namespace ProtoBench.Report.Model;

/// <param name="DataSet">The data set whose messages are like it.</param>
/// <param name="Bytes">The mean size of a message.</param>
public sealed record MessageKind(string Name, string DataSet, int Bytes)
{
    /// <summary>Gets what each library takes for a message, Google.Protobuf first; empty if not all of it was measured.</summary>
    public IReadOnlyList<MessageCost> Costs { get; init; } = [];
}

/// <param name="Read">The nanoseconds to read every field of a message.</param>
/// <param name="Make">The nanoseconds to make a message and to write it.</param>
public sealed record MessageCost(string Library, double Read, double Make);

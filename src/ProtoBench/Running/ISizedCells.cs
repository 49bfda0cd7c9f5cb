namespace ProtoBench;

/// <summary>Called once for each cell, in the parent process, on an instance with its parameters set.</summary>
public interface ISizedCells
{
    long WireBytes(string cell);
}

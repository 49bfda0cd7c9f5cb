namespace ProtoBench.Running;

/// <summary>A class of cells that says how many bytes an operation moves, for the columns of sizes and
/// rates. Asked once a cell, in the parent process, on an instance with its parameters set.</summary>
public interface ISizedCells
{
    /// <summary>Bytes on the wire of one operation.</summary>
    /// <param name="cell">The method's name.</param>
    long WireBytes(string cell);
}

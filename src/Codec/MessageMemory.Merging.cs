namespace ProtoBench.Codec;

// A message is merged into a part of this one, while there may be views of any part.
public sealed partial class MessageMemory
{
    /// <summary>Whether a list that has to move while it grows by reading must be found by the views of its elements.</summary>
    internal bool IsMerging;

    /// <summary>For message types: begins to read more content into a message that there are views of.</summary>
    /// <returns>What <see cref="EndMerge"/> takes.</returns>
    public int BeginMerge()
    {
        IsMerging = true;
        return Root.Stamp;
    }

    /// <summary>For message types: ends what <see cref="BeginMerge"/> began, if it has not ended with its content.</summary>
    /// <param name="merge">What <see cref="BeginMerge"/> gave.</param>
    /// <param name="isComplete">Whether everything was read. If not, lists may have elements behind their ends.</param>
    public void EndMerge(int merge, bool isComplete)
    {
        if (!Root.HasContentOf(merge)) return;
        IsMerging = false;
        EndReading();
        if (!isComplete) DistrustRooms();
    }
}

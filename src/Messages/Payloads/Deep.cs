namespace ProtoBench.Payloads;

/// <summary>Messages of zoo.proto that are nested deep, as wire bytes.</summary>
public static class Deep
{
    /// <summary>An animal with so many generations of mothers, each with a name.</summary>
    /// <param name="depth">0 for an animal without a mother; up to 100, the limit of protobuf's libraries.</param>
    public static byte[] Message(int depth)
    {
        var animal = new WireBytes().Text(1, "Io");
        for (var level = 0; level < depth; level++) animal = new WireBytes().Text(1, "Io").Message(2, animal);
        return animal.ToArray();
    }
}

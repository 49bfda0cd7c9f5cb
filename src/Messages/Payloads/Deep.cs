namespace ProtoBench.Payloads;

/// <summary>Creates deeply nested messages of zoo.proto as wire bytes.</summary>
public static class Deep
{
    /// <summary>Returns an animal with this number of generations of mothers, each with a name.</summary>
    /// <param name="depth">The depth from 0, an animal without a mother, to 100, the limit of protobuf's libraries.</param>
    public static byte[] Message(int depth)
    {
        var animal = new WireBytes().Text(1, "Io");
        for (var level = 0; level < depth; level++) animal = new WireBytes().Text(1, "Io").Message(2, animal);
        return animal.ToArray();
    }
}

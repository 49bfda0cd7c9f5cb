namespace ProtoBench.Libraries;

public static partial class HiveLibraries
{
    static HiveLibrary Floor { get; } = new()
    {
        Cell = "Floor",
        Label = "lower bound",
        Order = 100,
        Colour = 0,
        Buffers = ["Copy", "Walk"],
    };
}

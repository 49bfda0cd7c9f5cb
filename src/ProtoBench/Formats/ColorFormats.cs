namespace ProtoBench.Formats;

/// <summary>The formats of this build. An optional one fills in its part where the build has it.</summary>
public static partial class ColorFormats
{
    /// <summary>All of them.</summary>
    public static IReadOnlyList<ColorFormat> All { get; } = List();

    /// <summary>The format of a cell, by the cell's name: <c>UnmarshalByGoogle_Reuse</c> is Google's.</summary>
    public static ColorFormat Of(string cell) =>
        All.Single(format => cell[(cell.IndexOf("By", StringComparison.Ordinal) + 2)..].Split('_')[0] == format.Name);

    static List<ColorFormat> List()
    {
        List<ColorFormat> all = [GoogleColors.Format, SlabColors.Format, SystemTextJsonColors.Format, SchemaColors.Format];
        AddProtobufNet(all);
        AddMessagePack(all);
        AddMemoryPack(all);
        return all;
    }

    static partial void AddProtobufNet(List<ColorFormat> all);

    static partial void AddMessagePack(List<ColorFormat> all);

    static partial void AddMemoryPack(List<ColorFormat> all);
}

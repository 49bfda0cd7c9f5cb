using System.Buffers;

namespace ProtoBench.Schema;

/// <summary>Many groups: a varint count, and the groups.</summary>
public sealed class ColorGroups
{
    // id, the name's length and the number of colors
    const int leastGroup = sizeof(int) + 1 + 1;

    /// <summary>The groups.</summary>
    public List<ColorGroup> Groups { get; } = [];

    /// <inheritdoc cref="ColorGroup.Parse"/>
    public static ColorGroups Parse(ReadOnlySpan<byte> input)
    {
        var reader = new SchemaReader(input);
        var count = reader.ReadCount(leastGroup);
        var all = new ColorGroups();
        all.Groups.EnsureCapacity(count);
        for (var i = 0; i < count; i++)
        {
            var group = new ColorGroup();
            group.Read(ref reader);
            all.Groups.Add(group);
        }

        reader.ExpectEnd();
        return all;
    }

    /// <inheritdoc cref="ColorGroup.Write(IBufferWriter{byte})"/>
    public int Write(IBufferWriter<byte> output)
    {
        var head = new SchemaWriter(output.GetSpan(SchemaWriter.MaxVarint));
        head.WriteCount(Groups.Count);
        output.Advance(head.Written);
        var written = head.Written;
        foreach (var group in Groups)
            written += group.Write(output);
        return written;
    }
}

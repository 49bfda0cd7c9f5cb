using System.Buffers;

namespace ProtoBench.Positional;

/// <summary>A format without names and tags: a reader needs the writer's schema. id is four bytes, little-endian. Strings are a varint
/// length and UTF-8. Colors are a varint count and the strings. A compiler of such a schema would generate this code.</summary>
public sealed class ColorGroup
{
    public int Id { get; set; }

    public string Name { get; set; } = "";

    public List<string> Colors { get; } = [];

    /// <exception cref="InvalidDataException">Thrown when the input is damaged, with the position and the reason.</exception>
    public static ColorGroup Parse(ReadOnlySpan<byte> input)
    {
        var group = new ColorGroup();
        group.Read(input);
        return group;
    }

    /// <summary>Keeps the memory of its list. After an exception its content is undefined.</summary>
    public void Read(ReadOnlySpan<byte> input)
    {
        var reader = new PositionalReader(input);
        Read(ref reader);
        reader.ExpectEnd();
    }

    public int Write(IBufferWriter<byte> output)
    {
        var writer = new PositionalWriter(output.GetSpan(MaxSize()));
        Write(ref writer);
        output.Advance(writer.Written);
        return writer.Written;
    }

    public byte[] ToArray()
    {
        var most = MaxSize();
        var rented = ArrayPool<byte>.Shared.Rent(most);
        var writer = new PositionalWriter(rented);
        Write(ref writer);
        var array = rented.AsSpan(0, writer.Written).ToArray();
        ArrayPool<byte>.Shared.Return(rented);
        return array;
    }

    internal int MaxSize()
    {
        var size = sizeof(int) + PositionalWriter.MaxString(Name) + PositionalWriter.MaxVarint;
        foreach (var color in Colors)
            size = checked(size + PositionalWriter.MaxString(color));
        return size;
    }

    internal void Read(ref PositionalReader reader)
    {
        Id = reader.ReadInt32();
        Name = reader.ReadString();
        var count = reader.ReadCount(1);
        Colors.Clear();
        Colors.EnsureCapacity(count);
        for (var i = 0; i < count; i++)
            Colors.Add(reader.ReadString());
    }

    internal void Write(ref PositionalWriter writer)
    {
        writer.WriteInt32(Id);
        writer.WriteString(Name);
        writer.WriteCount(Colors.Count);
        foreach (var color in Colors)
            writer.WriteString(color);
    }
}

/// <summary>A varint count, and the groups.</summary>
public sealed class ColorGroups
{
    // id, the name's length and the number of colors
    const int leastGroup = sizeof(int) + 1 + 1;

    public List<ColorGroup> Groups { get; } = [];

    public static ColorGroups Parse(ReadOnlySpan<byte> input)
    {
        var reader = new PositionalReader(input);
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

    public int Write(IBufferWriter<byte> output)
    {
        var head = new PositionalWriter(output.GetSpan(PositionalWriter.MaxVarint));
        head.WriteCount(Groups.Count);
        output.Advance(head.Written);
        var written = head.Written;
        foreach (var group in Groups)
            written += group.Write(output);
        return written;
    }
}

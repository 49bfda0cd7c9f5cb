using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec.WellKnownTypes;

/// <summary>Represents copies of the paths of masks in rented arrays.</summary>
struct MaskPaths : IDisposable
{
    RentedStack<byte> text;
    RentedStack<Path> paths;

    public void Add(FieldMask mask)
    {
        foreach (var path in mask.Paths)
        {
            var utf8 = path.Span;
            paths.Push(new Path(text.Count, utf8.Length));
            text.Push(utf8);
        }

        // it throws if the message was released while its paths were copied
        _ = mask.Paths;
    }

    public void Dispose()
    {
        text.Dispose();
        paths.Dispose();
    }

    /// <summary>Sorts the paths by the names in them, and removes those that another path covers.</summary>
    public void Normalize()
    {
        // In this order the paths that one covers follow it.
        var all = text.Items;
        paths.From(0).Sort((one, other) => Compare(one.In(all), other.In(all)));
        var kept = 0;
        foreach (var path in paths.From(0))
        {
            if (kept == 0 || !Covers(paths.Items[kept - 1].In(all), path.In(all))) paths.Items[kept++] = path;
        }

        paths.Count = kept;
    }

    /// <summary>Adds the paths that two masks in normal form have both to a mask.</summary>
    public readonly void Intersect(in MaskPaths other, FieldMask result)
    {
        for (var (i, j) = (0, 0); i < paths.Count && j < other.paths.Count;)
        {
            var mine = paths.Items[i].In(text.Items);
            var its = other.paths.Items[j].In(other.text.Items);
            if (Covers(mine, its))
            {
                result.AddPaths(its);
                j++;
            }
            else if (Covers(its, mine))
            {
                result.AddPaths(mine);
                i++;
            }
            else if (Compare(mine, its) < 0)
            {
                i++;
            }
            else
            {
                j++;
            }
        }
    }

    /// <summary>Replaces the content of a mask by the paths.</summary>
    public readonly void CopyTo(FieldMask mask)
    {
        using var result = FieldMask.Rent();
        foreach (var path in paths.From(0)) result.Value.AddPaths(path.In(text.Items));
        mask.CopyFrom(result.Value);
    }

    static bool Covers(ReadOnlySpan<byte> path, ReadOnlySpan<byte> other) =>
        other.StartsWith(path) && (other.Length == path.Length || other[path.Length] == '.');

    static int Compare(ReadOnlySpan<byte> one, ReadOnlySpan<byte> other)
    {
        var same = one.CommonPrefixLength(other);
        if (same == one.Length || same == other.Length) return one.Length.CompareTo(other.Length);
        return Rank(one[same]).CompareTo(Rank(other[same]));
    }

    // A dot ends a name, so it comes before the characters that a longer name has.
    static int Rank(byte letter) => letter == '.' ? -1 : letter;

    readonly record struct Path(int Start, int Length)
    {
        public ReadOnlySpan<byte> In(byte[] text) => text.AsSpan(Start, Length);
    }
}

using System.ComponentModel;

namespace ProtoBench.Codec.Generated;

/// <summary>For message types: what happens to a message that lacks a required field.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class RequiredField
{
    /// <summary>Refuses input in which a required field is missing.</summary>
    /// <param name="missing">The full name of the field; null if none is missing.</param>
    /// <exception cref="WireFormatException">A field is missing.</exception>
    public static void ThrowIfMissingInInput(string? missing)
    {
        if (missing is not null) throw new WireFormatException(missing);
    }

    /// <summary>Whether a group, which is kept as an unknown field, is there. What is in it is not looked at.</summary>
    /// <param name="ranges">The storage of the message's unknown fields.</param>
    /// <param name="unknown">The unknown fields.</param>
    /// <param name="number">The number of the group.</param>
    /// <exception cref="ArgumentNullException"><paramref name="ranges"/> is null.</exception>
    public static bool HasGroup(Storage<ByteRange> ranges, ElementRange unknown, int number)
    {
        ArgumentNullException.ThrowIfNull(ranges);
        var wanted = ((uint)number << 3) | 3;
        foreach (var range in ranges.Slice(unknown))
        {
            var tag = 0u;
            var shift = 0;
            foreach (var part in ranges.Memory.Span(range))
            {
                tag |= (part & 0x7Fu) << shift;
                shift += 7;
                if (part < 0x80) break;
            }

            if (tag == wanted) return true;
        }

        return false;
    }

    /// <summary>Refuses to write a message in which a required field is missing.</summary>
    /// <param name="missing">The full name of the field; null if none is missing.</param>
    /// <exception cref="InvalidOperationException">A field is missing.</exception>
    public static void ThrowIfMissing(string? missing)
    {
        if (missing is not null) throw new InvalidOperationException($"The required field {missing} is not set.");
    }
}

using System.ComponentModel;

namespace ProtoBench.Codec.Generated;

/// <summary>Checks for required fields that are missing. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class RequiredField
{
    /// <summary>Throws if a required field is missing in the input.</summary>
    /// <param name="missing">The full name of the field; null if none is missing.</param>
    /// <exception cref="WireFormatException">A field is missing.</exception>
    public static void ThrowIfMissingInInput(string? missing)
    {
        if (missing is not null) throw new WireFormatException(missing);
    }

    /// <summary>Determines whether the unknown fields of a message contain a group. The content of the group is not checked.</summary>
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

    /// <summary>Throws if a required field is missing in a message that is to be written.</summary>
    /// <param name="missing">The full name of the field; null if none is missing.</param>
    /// <exception cref="InvalidOperationException">A field is missing.</exception>
    public static void ThrowIfMissing(string? missing)
    {
        if (missing is not null) throw new InvalidOperationException($"The required field {missing} is not set.");
    }
}

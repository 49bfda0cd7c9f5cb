using System.Text;

namespace ProtoBench.Codec.WellKnownTypes;

/// <summary>Finds entries by the type URL of an Any, which ends with a slash and the full name of a type.</summary>
/// <remarks>Thread safety: any number of threads may use the instance while nothing is added.</remarks>
sealed class TypeUrlTable<TEntry>
    where TEntry : class
{
    const int longestOnStack = 256;

    readonly Dictionary<string, TEntry> entries = [];
    int longest;

    public Dictionary<string, TEntry>.ValueCollection Entries => entries.Values;

    /// <summary>Sets the entry of a type.</summary>
    public void Set(string fullName, TEntry entry)
    {
        entries[fullName] = entry;
        longest = Math.Max(longest, fullName.Length);
    }

    /// <summary>Adds the entry of a type, if there is none.</summary>
    /// <returns>Whether there was none.</returns>
    public bool TryAdd(string fullName, TEntry entry)
    {
        longest = Math.Max(longest, fullName.Length);
        return entries.TryAdd(fullName, entry);
    }

    /// <summary>Gets the entry of a type; null if there is none.</summary>
    public TEntry? Get(string fullName) => entries.GetValueOrDefault(fullName);

    /// <summary>Gets the entry of a type URL; null if there is none. Allocates nothing, unless a name that was added is long.</summary>
    public TEntry? Find(ReadOnlySpan<byte> typeUrl)
    {
        var slash = typeUrl.LastIndexOf((byte)'/');
        if (slash < 0) return null;
        var utf8 = typeUrl[(slash + 1)..];
        if (utf8.Length > longest) return null;

        // Names are ASCII, so other characters need not be decoded right.
        var room = utf8.Length <= longestOnStack ? stackalloc char[longestOnStack] : new char[utf8.Length];
        var name = room[..Encoding.Latin1.GetChars(utf8, room)];
        return entries.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(name, out var entry) ? entry : null;
    }
}

namespace ProtoBench.Results;

/// <summary>Compares names with numbers by value: 2 before 10. Other parts are compared ordinally.</summary>
sealed class NaturalOrder : IComparer<string>
{
    public static NaturalOrder Instance { get; } = new();

    public int Compare(string? x, string? y)
    {
        var a = x.AsSpan();
        var b = y.AsSpan();
        while (a.Length > 0 && b.Length > 0)
        {
            var (digitsA, digitsB) = (Digits(a), Digits(b));
            var order = digitsA > 0 && digitsB > 0 ? Number(a[..digitsA], b[..digitsB]) : a[0].CompareTo(b[0]);
            if (order != 0)
                return order;
            a = a[Math.Max(1, digitsA)..];
            b = b[Math.Max(1, digitsB)..];
        }

        var lengths = a.Length.CompareTo(b.Length);
        return lengths != 0 ? lengths : string.CompareOrdinal(x, y);
    }

    static int Digits(ReadOnlySpan<char> text)
    {
        var end = text.IndexOfAnyExceptInRange('0', '9');
        return end < 0 ? text.Length : end;
    }

    static int Number(ReadOnlySpan<char> a, ReadOnlySpan<char> b)
    {
        a = a.TrimStart('0');
        b = b.TrimStart('0');
        return a.Length != b.Length ? a.Length.CompareTo(b.Length) : a.SequenceCompareTo(b);
    }
}

using System.Globalization;
using Google.Protobuf;

namespace ProtoBench.Harness;

/// <summary>The payloads of a benchmark project, and the size classes that
/// they are measured in. Immutable: any thread may read it.</summary>
public sealed class PayloadSet
{
    /// <summary>The class of all payloads, in the order of their files.</summary>
    public const string Mix = "mix";

    // Fewer payloads than this, or sizes that differ less than this, give classes that say nothing.
    const int fewestForClasses = 20;
    const int spreadForClasses = 4;

    /// <summary>A set of payloads.</summary>
    /// <param name="payloads">At least one.</param>
    /// <exception cref="ArgumentException">There is none.</exception>
    public PayloadSet(IEnumerable<NamedPayload> payloads)
    {
        All = [.. payloads];
        if (All.Count == 0)
            throw new ArgumentException("There is no payload.", nameof(payloads));
        sizes = [.. All.Select(payload => payload.Bytes.Length).Order()];
        Classes = sizes.Length >= fewestForClasses && sizes[^1] > spreadForClasses * Math.Max(1, Percentile(50))
            ? [Mix, "small", "medium", "large"] : [Mix];
    }

    readonly int[] sizes;

    /// <summary>Every payload.</summary>
    public IReadOnlyList<NamedPayload> All { get; }

    /// <summary>The size classes: the mix, and where there are enough payloads of different
    /// sizes: small up to the median, medium up to the 95th percentile, large.</summary>
    public IReadOnlyList<string> Classes { get; }

    /// <summary>How many payloads there are, and their sizes in bytes: one line.</summary>
    public string Distribution => string.Create(CultureInfo.InvariantCulture,
        $"{All.Count:N0} payload{(All.Count == 1 ? "" : "s")}, {sizes.Sum(size => (long)size):N0} bytes: p50 {Percentile(50):N0}, p95 "
            + $"{Percentile(95):N0}, max {sizes[^1]:N0}");

    /// <summary>Reads the folder of this name beside the program, or above it:
    /// a measured process runs in a folder below the program's.</summary>
    /// <inheritdoc cref="Load" path="/exception"/>
    public static PayloadSet Find(string name)
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (folder is not null && !Directory.Exists(Path.Combine(folder.FullName, name)))
            folder = folder.Parent;
        return Load(Path.Combine(folder?.FullName ?? AppContext.BaseDirectory, name));
    }

    /// <summary>Reads the files of a folder: each <c>.bin</c> is a message,
    /// each <c>.delimited</c> is messages behind their lengths.</summary>
    /// <exception cref="InvalidDataException">There is no payload, or a file is damaged; the message names it.</exception>
    public static PayloadSet Load(string folder)
    {
        string[] files = Directory.Exists(folder) ? [.. Directory.EnumerateFiles(folder).Order(StringComparer.Ordinal)] : [];
        NamedPayload[] payloads = [.. files.SelectMany(Read)];
        return payloads.Length > 0
            ? new(payloads) : throw new InvalidDataException($"{folder} has no payloads: files named *.bin or *.delimited");
    }

    /// <summary>The bytes of a class, to be measured one after the other.</summary>
    /// <param name="name">One of <see cref="Classes"/>.</param>
    public IReadOnlyList<byte[]> Of(string name)
    {
        var (p50, p95) = (Percentile(50), Percentile(95));
        return [.. All.Where(payload => IsOf(payload.Bytes.Length)).Select(payload => payload.Bytes.ToArray())];

        bool IsOf(int size) => name switch
        {
            Mix => true,
            "small" => size <= p50,
            "medium" => size > p50 && size <= p95,
            "large" => size > p95,
            _ => throw new ArgumentException($"There is no class {name}.", nameof(name)),
        };
    }

    // Nearest rank: the smallest size that so many percent of the payloads do not exceed.
    int Percentile(int percent) => sizes[Math.Max(0, (int)Math.Ceiling(sizes.Length * percent / 100.0) - 1)];

    static IEnumerable<NamedPayload> Read(string file)
    {
        var bytes = File.ReadAllBytes(file);
        return Path.GetExtension(file) switch
        {
            ".bin" => [new(Path.GetFileName(file), bytes)],
            ".delimited" => Split(Path.GetFileName(file), bytes),
            _ => [],
        };
    }

    static List<NamedPayload> Split(string file, byte[] bytes)
    {
        var messages = new List<NamedPayload>();
        using var input = new CodedInputStream(bytes);
        try
        {
            while (!input.IsAtEnd)
                messages.Add(new($"{file}#{messages.Count}", input.ReadBytes().ToByteArray()));
        }
        catch (InvalidProtocolBufferException e)
        {
            throw new InvalidDataException($"{file}: message {messages.Count} is cut off", e);
        }

        return messages;
    }
}

/// <summary>One message on the wire.</summary>
/// <param name="Name">The file, and the number of the message where the file has several.</param>
/// <param name="Bytes">The message. It must not be changed.</param>
public sealed record NamedPayload(string Name, ReadOnlyMemory<byte> Bytes);

/// <summary>Gives the values of a list one after the other, again and again. Not thread-safe.</summary>
/// <param name="values">At least one value.</param>
public sealed class Cycle<T>(IReadOnlyList<T> values)
{
    readonly T[] values = values.Count > 0 ? [.. values] : throw new ArgumentException("There is no value.", nameof(values));
    int next;

    /// <summary>The next value. A compare and an add: well below a nanosecond.</summary>
    public T Next
    {
        get
        {
            var index = next;
            next = index + 1 < values.Length ? index + 1 : 0;
            return values[index];
        }
    }
}

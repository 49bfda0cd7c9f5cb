using Google.Protobuf;

namespace ProtoBench.Harness;

/// <summary>Represents the payloads of a benchmark project, and their size classes. Immutable and thread-safe.</summary>
public sealed class PayloadSet
{
    /// <summary>The class of all payloads, in the order of their files.</summary>
    public const string Mix = "mix";

    // fewer payloads, or sizes that differ less, are not worth several classes
    const int fewestForClasses = 20;
    const int spreadForClasses = 4;

    /// <summary>Creates a set of payloads.</summary>
    /// <param name="payloads">The payloads, at least one.</param>
    /// <exception cref="ArgumentException">Thrown when there is no payload.</exception>
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

    /// <summary>Gets all payloads.</summary>
    public IReadOnlyList<NamedPayload> All { get; }

    /// <summary>Gets the size classes: the mix and, if there are enough payloads of different sizes, small up to the median, medium up to
    /// the 95th percentile, and large.</summary>
    public IReadOnlyList<string> Classes { get; }

    /// <summary>Gets a line with the number of payloads and their sizes in bytes.</summary>
    public string Distribution => string.Create(CultureInfo.InvariantCulture,
        $"{All.Count:N0} payload{(All.Count == 1 ? "" : "s")}, {sizes.Sum(size => (long)size):N0} bytes: p50 {Percentile(50):N0}, p95 "
            + $"{Percentile(95):N0}, max {sizes[^1]:N0}");

    /// <summary>Reads the folder of this name in the folder of the program or above it. A measured process runs in a folder below the
    /// program's.</summary>
    /// <inheritdoc cref="Load" path="/param[@name='extension']"/>
    /// <inheritdoc cref="Load" path="/exception"/>
    public static PayloadSet Find(string name, string extension = ".bin")
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (folder is not null && !Directory.Exists(Path.Combine(folder.FullName, name)))
            folder = folder.Parent;
        return Load(Path.Combine(folder?.FullName ?? AppContext.BaseDirectory, name), extension);
    }

    /// <summary>Reads the files of a folder. Each <c>.delimited</c> file has messages after their lengths.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="extension">The extension of files that are one message each.</param>
    /// <exception cref="InvalidDataException">Thrown when there is no payload, or a file is damaged. The message has the file.</exception>
    public static PayloadSet Load(string folder, string extension = ".bin")
    {
        string[] files = Directory.Exists(folder) ? [.. Directory.EnumerateFiles(folder).Order(StringComparer.Ordinal)] : [];
        NamedPayload[] payloads = [.. files.SelectMany(file => Read(file, extension))];
        return payloads.Length > 0
            ? new(payloads) : throw new InvalidDataException($"{folder} has no payloads: files named *{extension} or *.delimited");
    }

    /// <summary>Returns the payloads of a class, which are measured one after the other.</summary>
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

    // Nearest rank: the smallest size that this percentage of the payloads does not exceed.
    int Percentile(int percent) => sizes[Math.Max(0, (int)Math.Ceiling(sizes.Length * percent / 100.0) - 1)];

    static List<NamedPayload> Read(string file, string extension)
    {
        var (name, found) = (Path.GetFileName(file), Path.GetExtension(file));
        return found == extension ? [new(name, File.ReadAllBytes(file))]
            : found == ".delimited" ? Split(name, File.ReadAllBytes(file)) : [];
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

/// <summary>Represents the wire bytes of one message.</summary>
/// <param name="Name">The file, and the number of the message if the file has several.</param>
/// <param name="Bytes">The message. It must not be changed.</param>
public sealed record NamedPayload(string Name, ReadOnlyMemory<byte> Bytes);

/// <summary>Returns the values of a list one after the other, repeatedly. Not thread-safe.</summary>
/// <param name="values">The values, at least one.</param>
public sealed class Cycle<T>(IReadOnlyList<T> values)
{
    readonly T[] values = values.Count > 0 ? [.. values] : throw new ArgumentException("There is no value.", nameof(values));
    int next;

    /// <summary>Gets the next value with a compare and an add, which take much less than a nanosecond.</summary>
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

using System.Collections.ObjectModel;

namespace ProtoBench.Codec.Reflection;

/// <summary>Contains the files of one load, and their types by name.</summary>
sealed class DescriptorPool
{
    readonly Dictionary<string, FileDescriptor> byName = [];
    readonly Dictionary<string, object> types = [];

    public List<FileDescriptor> Files { get; } = [];

    /// <summary>Makes the descriptor of generated code, whose imports exist.</summary>
    /// <exception cref="ArgumentException">The descriptor is not valid.</exception>
    public static FileDescriptor OfGenerated(ReadOnlyMemory<byte> file, FileDescriptor[] dependencies)
    {
        var source = new FileSource();
        try
        {
            source.Read(file.Span);
            return new(source, file, Array.AsReadOnly(dependencies), new ImportedTypes(dependencies).Find);
        }
        catch (FormatException fault)
        {
            throw Fault(source, 0, fault);
        }
    }

    /// <summary>Adds a file. The index is for errors of a file without a name.</summary>
    /// <exception cref="ArgumentException">The descriptor is not valid, or a file or type that it uses is missing.</exception>
    public void Add(ReadOnlySpan<byte> file, int index)
    {
        var source = new FileSource();
        try
        {
            // a copy, because the caller can change the bytes
            var bytes = FileSource.WithoutSourceInfo(file);
            source.Read(bytes);
            if (byName.TryGetValue(source.Name, out var same) && same.SerializedData.Span.SequenceEqual(bytes)) return;
            if (same is not null) throw new FormatException("A file of this name was loaded before, with other content.");
            var made = new FileDescriptor(source, bytes, Imports(source.Dependencies), types.GetValueOrDefault);
            byName.Add(made.Name, made);
            foreach (var (name, type) in made.Types)
            {
                if (!types.TryAdd(name, type)) throw new FormatException($"{name} is defined twice.");
            }

            Files.Add(made);
        }
        catch (FormatException fault)
        {
            throw Fault(source, index, fault);
        }
    }

    ReadOnlyCollection<FileDescriptor> Imports(List<string> names)
    {
        if (names.Distinct().Count() < names.Count) throw new FormatException("A file is imported twice.");
        return Array.AsReadOnly<FileDescriptor>([.. names.Select(name => byName.GetValueOrDefault(name)
            ?? throw new FormatException($"The imported file {name} is missing."))]);
    }

    static ArgumentException Fault(FileSource source, int index, FormatException fault) =>
        new($"{(source.Name.Length > 0 ? source.Name : $"The descriptor with index {index}")}: {fault.Message}", fault);
}

/// <summary>Finds types in imported files, and in the files that these import.</summary>
sealed class ImportedTypes(FileDescriptor[] imports)
{
    // in the order of a search: direct imports are first
    readonly List<FileDescriptor> files = [.. imports];
    readonly HashSet<FileDescriptor> seen = [.. imports];
    int searched;

    public object? Find(string fullName)
    {
        for (var i = 0; i < files.Count; i++)
        {
            if (files[i].Types.TryGetValue(fullName, out var type)) return type;
            if (i < searched) continue;
            files.AddRange(files[i].Dependencies.Where(seen.Add));
            searched++;
        }

        return null;
    }
}

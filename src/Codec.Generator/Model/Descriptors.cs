using ProtoBench.Codec.Generator.Build;
using ProtoBench.Codec.Generator.Naming;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>Decides which class has the descriptor of each file, and how generated code refers to it.</summary>
static class Descriptors
{
    /// <param name="files">All files; each follows its imports.</param>
    /// <param name="arguments">The files of this run.</param>
    public static void Assign(IReadOnlyList<ProtoFile> files, Arguments arguments)
    {
        NameClasses(files);
        var byName = new Dictionary<string, ProtoFile>();
        var imports = new Dictionary<ProtoFile, IReadOnlyList<ProtoFile>>();
        var written = files.Where(file => file.IsGenerated && arguments.Files.Contains(file.Item)).ToHashSet();

        // imports without code, such as google/api/annotations.proto: the first file that needs one has its descriptor for all
        var shared = new Dictionary<ProtoFile, string>();
        foreach (var file in files)
        {
            imports[file] = [.. file.Descriptor.Dependency.Select(name => byName.GetValueOrDefault(name)).OfType<ProtoFile>()];
            if (written.Contains(file)) Assign(file);
            byName.TryAdd(file.Descriptor.Name, file);
        }

        void Assign(ProtoFile file)
        {
            // a file that is no part of the project is compiled somewhere else, perhaps alone
            var owned = file.Item!.IsCompiled ? shared : [];
            var embedded = new List<EmbeddedDescriptor>();
            file.ImportedDescriptors = [.. imports[file].Select(Reference)];
            file.EmbeddedDescriptors = embedded;

            string Reference(ProtoFile import)
            {
                if (written.Contains(import)) return $"{import.Qualifier}{import.ReflectionClass}.Descriptor";
                if (HasVisibleCode(import)) return OfOtherProject(import);
                if (owned.TryGetValue(import, out var known)) return known;
                IReadOnlyList<string> inner = [.. imports[import].Select(Reference)];
                var name = $"Import{embedded.Count}";
                embedded.Add(new(import, name, inner));
                return owned[import] = $"{file.Qualifier}{file.ReflectionClass}.{name}";
            }
        }
    }

    static bool HasVisibleCode(ProtoFile file) =>
        file.IsInRuntime || file.Item is { IsGenerated: true } or { IsInternal: false };

    /// <summary>Refers to the descriptor of a file by a message, because the name of its class may depend on files of the other
    /// project.</summary>
    static string OfOtherProject(ProtoFile file) => file.Messages.Count == 0 ? $"{file.Qualifier}{file.ReflectionClass}.Descriptor"
        : $"{file.Messages[0].TypeName}.{file.Messages[0].Names.Descriptor}.File";

    // The name of Google's class. If it is the name of a type or of a part of a namespace, or that of another file in another folder, the
    // class has the name of the whole path.
    static void NameClasses(IReadOnlyList<ProtoFile> files)
    {
        var namespaces = files.Select(file => file.Namespace).Distinct().ToList();
        var scopes = files.GroupBy(file => file.Namespace).ToDictionary(group => group.Key, group =>
            new NameScope(group.SelectMany(TypeNames).Concat(namespaces.SelectMany(name => Inside(group.Key, name)))));
        foreach (var file in files)
        {
            var scope = scopes[file.Namespace];
            var path = Path.ChangeExtension(file.Descriptor.Name, null);
            var name = CSharpCase.Pascal(Path.GetFileName(path)) + "Reflection";
            file.ReflectionClass = scope.TryTake(name) ? name : scope.Take(CSharpCase.Pascal(path) + "Reflection");
        }
    }

    static IEnumerable<string> TypeNames(ProtoFile file) =>
    [
        .. file.Messages.Select(one => one.Descriptor.Name), .. file.Enums.Select(one => one.Descriptor.Name),
        .. file.Descriptor.Service.Select(one => one.Name),
    ];

    /// <summary>Gets the part of a namespace that is directly inside of an outer one.</summary>
    static IEnumerable<string> Inside(string outer, string name)
    {
        var prefix = outer.Length == 0 ? "" : outer + ".";
        if (name.Length > prefix.Length && name.StartsWith(prefix, StringComparison.Ordinal))
            yield return name[prefix.Length..].Split('.')[0];
    }
}

/// <summary>Represents the descriptor of an import without code, which is in the class of a file that needs it.</summary>
/// <param name="File">The import.</param>
/// <param name="Name">The member of the class.</param>
/// <param name="ImportedDescriptors">The descriptors of its own imports, as C# expressions.</param>
sealed record EmbeddedDescriptor(ProtoFile File, string Name, IReadOnlyList<string> ImportedDescriptors);

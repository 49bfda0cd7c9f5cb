using Google.Protobuf.Collections;
using Google.Protobuf.Reflection;

namespace ProtoBench.Schemas;

/// <summary>Files that lack types, or have a type twice, as servers describe them. What can be used is kept.</summary>
sealed class IncompleteFiles
{
    readonly HashSet<string> names = [];
    readonly Dictionary<string, List<string>> usersOf = [];

    /// <summary>Changes the files: a type that an earlier file has is removed.</summary>
    public IncompleteFiles(IEnumerable<FileDescriptorProto> files)
    {
        Files = [.. files];
        foreach (var file in Files)
        {
            var prefix = file.Package.Length == 0 ? "" : file.Package + ".";
            RemoveWhere(file.EnumType, type => !names.Add(prefix + type.Name));
            RemoveWhere(file.MessageType, type => !Add(prefix + type.Name, null, type));
        }
    }

    public IReadOnlyList<FileDescriptorProto> Files { get; }

    /// <summary>The types that messages and methods use, and no file has.</summary>
    public IEnumerable<string> Missing => usersOf.Keys.Concat(Methods.SelectMany(method => new[] { method.InputType, method.OutputType }))
        .Select(name => name.TrimStart('.')).Where(name => !names.Contains(name)).Distinct();

    public bool Has(string type) => names.Contains(type);

    IEnumerable<MethodDescriptorProto> Methods => Files.SelectMany(file => file.Service).SelectMany(service => service.Method);

    /// <summary>Removes the messages that cannot be used, because they or messages in them use a type that no file has.</summary>
    /// <returns>For each removed message, the type that is missing.</returns>
    public IReadOnlyDictionary<string, string> Remove()
    {
        var lacking = new Dictionary<string, string>();
        var next = new Queue<(string User, string Type)>();
        foreach (var type in Missing.Where(usersOf.ContainsKey).ToList()) Spread(type, type);
        while (next.TryDequeue(out var one))
        {
            if (lacking.TryAdd(one.User, one.Type)) Spread(one.User, one.Type);
        }

        foreach (var file in Files)
        {
            var prefix = file.Package.Length == 0 ? "" : file.Package + ".";
            RemoveFrom(prefix, file.MessageType);
            RemoveWhere(file.Extension, IsLacking);
        }

        return lacking;

        void Spread(string type, string missing)
        {
            foreach (var user in usersOf.GetValueOrDefault(type) ?? []) next.Enqueue((user, missing));
        }

        void RemoveFrom(string prefix, RepeatedField<DescriptorProto> messages)
        {
            RemoveWhere(messages, type => lacking.ContainsKey(prefix + type.Name));
            foreach (var type in messages)
            {
                RemoveFrom($"{prefix}{type.Name}.", type.NestedType);
                RemoveWhere(type.Extension, IsLacking);
            }
        }

        bool IsLacking(FieldDescriptorProto extension) => new[] { extension.TypeName, extension.Extendee }
            .Any(name => name.Length > 0 && (lacking.ContainsKey(name.TrimStart('.')) || !names.Contains(name.TrimStart('.'))));
    }

    bool Add(string name, string? owner, DescriptorProto type)
    {
        if (!names.Add(name)) return false;

        // a type inside a removed message is removed with it
        if (owner is not null) Use(owner, name);
        foreach (var field in type.Field.Where(field => field.TypeName.Length > 0)) Use(field.TypeName.TrimStart('.'), name);
        foreach (var inner in type.EnumType)
        {
            if (names.Add($"{name}.{inner.Name}")) Use(name, $"{name}.{inner.Name}");
        }

        RemoveWhere(type.NestedType, inner => !Add($"{name}.{inner.Name}", name, inner));
        return true;
    }

    void Use(string type, string user)
    {
        if (!usersOf.TryGetValue(type, out var users)) usersOf[type] = users = [];
        users.Add(user);
    }

    static void RemoveWhere<T>(RepeatedField<T> list, Predicate<T> condition)
    {
        // one after the other would take quadratic time
        T[] kept = [.. list.Where(item => !condition(item))];
        if (kept.Length == list.Count) return;
        list.Clear();
        list.AddRange(kept);
    }
}

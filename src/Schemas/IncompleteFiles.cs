using Google.Protobuf.Collections;
using Google.Protobuf.Reflection;

namespace ProtoBench.Schemas;

/// <summary>Files that lack types, or have a type twice, as servers describe them. What can be used is kept.</summary>
sealed class IncompleteFiles
{
    readonly HashSet<string> names = [];
    readonly HashSet<string> mapEntries = [];
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

        // a name can be that of a type in any file
        foreach (var (field, scope, user) in Fields())
        {
            if (user is not null && field.TypeName.Length > 0) Use(TypeOf(field, scope), user);
        }
    }

    public IReadOnlyList<FileDescriptorProto> Files { get; }

    /// <summary>The types that messages and methods use, and no file has.</summary>
    public IEnumerable<string> Missing => usersOf.Keys.Concat(TypesOfMethods).Where(name => !names.Contains(name)).Distinct();

    public bool Has(string type) => names.Contains(type);

    IEnumerable<string> TypesOfMethods =>
        Methods.SelectMany(one => new[] { Full(one.Method.InputType, one.Scope), Full(one.Method.OutputType, one.Scope) });

    IEnumerable<(MethodDescriptorProto Method, string Scope)> Methods => Files.SelectMany(file =>
        file.Service.SelectMany(service => service.Method).Select(method => (method, file.Package)));

    /// <summary>Makes all names full, and removes the messages that cannot be used, because they or messages in them use a type that no
    /// file has.</summary>
    /// <returns>For each removed message, the type that is missing.</returns>
    public IReadOnlyDictionary<string, string> Remove()
    {
        foreach (var (field, scope, _) in Fields())
        {
            if (field.TypeName.Length > 0) field.TypeName = "." + TypeOf(field, scope);
            if (field.Extendee.Length > 0) field.Extendee = "." + Full(field.Extendee, scope);
        }

        foreach (var (method, scope) in Methods)
            (method.InputType, method.OutputType) = ("." + Full(method.InputType, scope), "." + Full(method.OutputType, scope));

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
        if (type.Options?.MapEntry == true) mapEntries.Add(name);

        // protobuf.js also describes an extension as a field with its full name, and those in a message as fields of this message
        RemoveWhere(type.Field, field => field.Name.StartsWith('.'));
        type.Extension.AddRange(type.Field.Where(field => field.Extendee.Length > 0));
        RemoveWhere(type.Field, field => field.Extendee.Length > 0);
        foreach (var inner in type.EnumType)
        {
            if (names.Add($"{name}.{inner.Name}")) Use(name, $"{name}.{inner.Name}");
        }

        RemoveWhere(type.NestedType, inner => !Add($"{name}.{inner.Name}", name, inner));
        return true;
    }

    /// <summary>The fields of messages, with their message, and extensions without one.</summary>
    IEnumerable<(FieldDescriptorProto Field, string Scope, string? User)> Fields()
    {
        foreach (var file in Files)
        {
            foreach (var extension in file.Extension) yield return (extension, file.Package, null);
            var prefix = file.Package.Length == 0 ? "" : file.Package + ".";
            var next = new Stack<(DescriptorProto Type, string Name)>(file.MessageType.Select(type => (type, prefix + type.Name)));
            while (next.TryPop(out var one))
            {
                foreach (var field in one.Type.Field) yield return (field, one.Name, one.Name);
                foreach (var extension in one.Type.Extension) yield return (extension, one.Name, null);
                foreach (var inner in one.Type.NestedType) next.Push((inner, $"{one.Name}.{inner.Name}"));
            }
        }
    }

    string TypeOf(FieldDescriptorProto field, string scope) => Full(field.TypeName, scope, field);

    /// <summary>Names of protoc's descriptors begin with a dot and are full. Those of protobuf.js are relative, as in a .proto file.
    /// </summary>
    string Full(string name, string scope, FieldDescriptorProto? field = null)
    {
        if (name.StartsWith('.')) return name[1..];
        for (; scope.Length > 0; scope = scope[..Math.Max(scope.LastIndexOf('.'), 0)])
        {
            var full = $"{scope}.{name}";
            if (names.Contains(full) && (!mapEntries.Contains(full) || IsMap())) return full;
        }

        return name;

        // protobuf.js gives the entry of a map the name of the field, and this can be the name of a message, too
        bool IsMap()
        {
            if (field is not { Label: FieldDescriptorProto.Types.Label.Repeated }) return false;
            var (entry, own) = (WithoutUnderscores(name), WithoutUnderscores(field.Name));
            return entry.Equals(own, StringComparison.OrdinalIgnoreCase)
                || entry.Equals(own + "Entry", StringComparison.OrdinalIgnoreCase);
        }

        static string WithoutUnderscores(string text) => text.Replace("_", "", StringComparison.Ordinal);
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

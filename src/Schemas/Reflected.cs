using System.Collections;
using Google.Protobuf;
using Google.Protobuf.Collections;
using Google.Protobuf.Reflection;
using ProtoBench.Codec;
using FileDescriptor = ProtoBench.Codec.Reflection.FileDescriptor;
using MessageDescriptor = ProtoBench.Codec.Reflection.MessageDescriptor;

namespace ProtoBench.Schemas;

/// <summary>The files of a schema as the codec describes them, which reads JSON by these descriptions.</summary>
sealed class Reflected
{
    // of each type
    readonly Dictionary<string, FileDescriptorProto> files = [];

    /// <exception cref="SchemaException">Thrown when the codec refuses a file.</exception>
    public Reflected(FileDescriptorSet set)
    {
        foreach (var file in set.File)
        {
            var prefix = file.Package.Length == 0 ? "." : $".{file.Package}.";
            foreach (var type in file.EnumType) files[prefix + type.Name] = file;
            foreach (var type in file.MessageType) AddNames(prefix, type, file);
        }

        var types = new ProtoJsonTypes();
        try
        {
            var simplified = InOrder(set.File).Select(file => (ReadOnlyMemory<byte>)Simplified(file).ToByteArray());
            foreach (var file in FileDescriptor.Load(simplified))
            {
                types.Add(file);
                foreach (var type in file.MessageTypes) Add(type);
            }
        }
        catch (ArgumentException e)
        {
            throw new SchemaException(e.Message, e);
        }

        Strict = new() { Types = types };
        AllowingUnknown = new() { Types = types, IgnoreUnknownFields = true };
    }

    public Dictionary<string, MessageDescriptor> Types { get; } = [];

    public ProtoJsonOptions Strict { get; }

    public ProtoJsonOptions AllowingUnknown { get; }

    void AddNames(string prefix, DescriptorProto type, FileDescriptorProto file)
    {
        var name = prefix + type.Name;
        files[name] = file;
        foreach (var inner in type.EnumType) files[$"{name}.{inner.Name}"] = file;
        foreach (var inner in type.NestedType) AddNames(name + ".", inner, file);
    }

    void Add(MessageDescriptor type)
    {
        Types.Add(type.FullName, type);
        foreach (var inner in type.NestedTypes) Add(inner);
    }

    /// <summary>Sorts the files, so that each follows those whose types it uses. A server sends them in any order, and can have them under
    /// other names than their imports. protobuf.js makes one file of all that have a package, so files can use each other.</summary>
    List<FileDescriptorProto> InOrder(IReadOnlyList<FileDescriptorProto> all)
    {
        var sorted = UsedFirst(all, Used, []);
        var before = new HashSet<FileDescriptorProto>();
        return sorted.TrueForAll(file => before.Add(file) && Used(file).All(before.Contains)) ? sorted : Divided(sorted);
    }

    /// <summary>Makes a file for each message, or for those that use each other.</summary>
    static List<FileDescriptorProto> Divided(IReadOnlyList<FileDescriptorProto> all)
    {
        var messages = new Dictionary<string, (FileDescriptorProto File, DescriptorProto Type)>();
        var outermost = new Dictionary<string, string>();
        var divided = new List<FileDescriptorProto>();
        var empty = new Dictionary<FileDescriptorProto, FileDescriptorProto>(ReferenceEqualityComparer.Instance);
        foreach (var file in all)
        {
            empty[file] = Empty(file);
            var prefix = file.Package.Length == 0 ? "." : $".{file.Package}.";
            foreach (var type in file.MessageType)
            {
                messages[prefix + type.Name] = (file, type);
                AddOutermost(prefix + type.Name, type, prefix + type.Name);
            }

            Part(file).EnumType.Add(file.EnumType);
        }

        var uses = messages.ToDictionary(one => one.Key,
            one => NamesIn(one.Value.Type).Where(outermost.ContainsKey).Select(name => outermost[name]).Distinct().ToList());
        var users = uses.SelectMany(one => one.Value, (one, used) => (User: one.Key, Used: used))
            .ToLookup(one => one.Used, one => one.User);
        // Kosaraju's algorithm
        var seen = new HashSet<string>();
        foreach (var one in Enumerable.Reverse(UsedFirst(messages.Keys, name => users[name], [])))
        {
            if (UsedFirst([one], name => uses[name], seen) is { Count: > 0 } together)
                Part(messages[one].File).MessageType.Add(together.Select(name => messages[name].Type));
        }

        foreach (var file in all) Part(file).Extension.Add(file.Extension);
        return divided;

        FileDescriptorProto Part(FileDescriptorProto of)
        {
            var part = empty[of].Clone();
            part.Name = $"{of.Name}/{divided.Count}";
            divided.Add(part);
            return part;
        }

        // what the older Google.Protobuf of a measured build has no member for, such as the edition, is kept too
        static FileDescriptorProto Empty(FileDescriptorProto of)
        {
            var part = of.Clone();
            part.SourceCodeInfo = null;
            IList[] members =
            [
                part.Dependency, part.PublicDependency, part.WeakDependency, part.MessageType, part.EnumType, part.Service, part.Extension,
            ];
            foreach (var member in members) member.Clear();
            return part;
        }

        void AddOutermost(string name, DescriptorProto type, string outer)
        {
            outermost[name] = outer;
            foreach (var inner in type.EnumType) outermost[$"{name}.{inner.Name}"] = outer;
            foreach (var inner in type.NestedType) AddOutermost($"{name}.{inner.Name}", inner, outer);
        }
    }

    /// <summary>Returns items that were not seen, and those that they use. Each follows what it uses, except in a circle.</summary>
    static List<T> UsedFirst<T>(IEnumerable<T> all, Func<T, IEnumerable<T>> used, HashSet<T> seen)
    {
        var (sorted, done) = (new List<T>(), new HashSet<T>());
        foreach (var one in all.Where(one => !seen.Contains(one)))
        {
            // no recursion: a server can send a long chain of files
            var open = new Stack<T>([one]);
            while (open.TryPeek(out var next))
            {
                if (seen.Add(next))
                {
                    foreach (var other in used(next).Where(other => !seen.Contains(other))) open.Push(other);
                    continue;
                }

                open.Pop();
                if (done.Add(next)) sorted.Add(next);
            }
        }

        return sorted;
    }

    IEnumerable<FileDescriptorProto> Used(FileDescriptorProto file) =>
        file.MessageType.SelectMany(NamesIn).Concat(NamesIn(file.Extension)).Select(name => files.GetValueOrDefault(name))
            .OfType<FileDescriptorProto>().Where(other => other != file).Distinct();

    static IEnumerable<string> NamesIn(DescriptorProto message) =>
        NamesIn(message.Field).Concat(NamesIn(message.Extension)).Concat(message.NestedType.SelectMany(NamesIn));

    static IEnumerable<string> NamesIn(IEnumerable<FieldDescriptorProto> fields) =>
        fields.SelectMany(field => new[] { field.TypeName, field.Extendee }).Where(name => name.Length > 0);

    /// <summary>Removes what reading JSON does not need and what a server may leave out: the files of options, and extensions of their
    /// messages. That the types of fields are there was checked before.</summary>
    FileDescriptorProto Simplified(FileDescriptorProto file)
    {
        var copy = file.Clone();
        copy.Dependency.Clear();
        copy.PublicDependency.Clear();
        copy.WeakDependency.Clear();
        copy.Service.Clear();
        Simplify(copy.Extension);
        foreach (var type in copy.MessageType) Simplify(type);
        return copy;
    }

    void Simplify(DescriptorProto type)
    {
        Simplify(type.Extension);
        foreach (var inner in type.NestedType) Simplify(inner);
    }

    void Simplify(RepeatedField<FieldDescriptorProto> extensions)
    {
        for (var i = extensions.Count - 1; i >= 0; i--)
        {
            if (!NamesIn([extensions[i]]).All(files.ContainsKey)) extensions.RemoveAt(i);
        }
    }
}

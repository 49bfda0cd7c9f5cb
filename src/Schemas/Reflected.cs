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
    /// other names than their imports.</summary>
    IEnumerable<FileDescriptorProto> InOrder(IEnumerable<FileDescriptorProto> all)
    {
        var (seen, done) = (new HashSet<FileDescriptorProto>(), new HashSet<FileDescriptorProto>());
        foreach (var file in all)
        {
            // no recursion: a server can send a long chain of files
            var open = new Stack<FileDescriptorProto>([file]);
            while (open.TryPeek(out var next))
            {
                if (seen.Add(next))
                {
                    foreach (var used in Used(next).Where(used => !seen.Contains(used))) open.Push(used);
                    continue;
                }

                open.Pop();
                if (done.Add(next)) yield return next;
            }
        }
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

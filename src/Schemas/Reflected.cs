using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec;
using FileDescriptor = ProtoBench.Codec.Reflection.FileDescriptor;
using MessageDescriptor = ProtoBench.Codec.Reflection.MessageDescriptor;

namespace ProtoBench.Schemas;

/// <summary>The files of a schema as the codec describes them, which reads JSON by these descriptions.</summary>
sealed class Reflected
{
    /// <exception cref="SchemaException">Thrown when the codec refuses a file.</exception>
    public Reflected(FileDescriptorSet set)
    {
        var types = new ProtoJsonTypes();
        try
        {
            foreach (var file in FileDescriptor.Load(set.File.Select(file => (ReadOnlyMemory<byte>)WithoutImports(file).ToByteArray())))
            {
                types.Add(file);
                foreach (var type in file.MessageTypes) Add(type);
            }
        }
        catch (ArgumentException e)
        {
            throw new SchemaException(e.Message, e);
        }

        Options = new() { Types = types };
    }

    public Dictionary<string, MessageDescriptor> Types { get; } = [];

    public ProtoJsonOptions Options { get; }

    void Add(MessageDescriptor type)
    {
        Types.Add(type.FullName, type);
        foreach (var inner in type.NestedTypes) Add(inner);
    }

    // a server may leave out the files of options; that the types are there was checked before
    static FileDescriptorProto WithoutImports(FileDescriptorProto file)
    {
        var copy = file.Clone();
        copy.Dependency.Clear();
        copy.PublicDependency.Clear();
        copy.WeakDependency.Clear();
        return copy;
    }
}

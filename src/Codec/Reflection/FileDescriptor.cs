using System.Buffers;
using System.Buffers.Text;
using System.ComponentModel;
using System.Diagnostics;
using System.Text;

namespace ProtoBench.Codec.Reflection;

/// <summary>Describes a .proto file. Immutable and thread-safe.</summary>
/// <remarks>The generated code has one for each file: <c>OrdersReflection.Descriptor</c> for orders.proto. <see cref="Load"/> makes them
/// of serialized descriptors.</remarks>
[DebuggerDisplay("{Name}")]
public sealed class FileDescriptor
{
    // all messages: each before those that are nested in it
    readonly MessageDescriptor[] all;
    readonly Dictionary<string, object> types;

    // made at the first use
    ExtensionNames? extensions;

    internal FileDescriptor(FileSource source, ReadOnlyMemory<byte> serializedData, IReadOnlyList<FileDescriptor> dependencies,
        Func<string, object?> findImported)
    {
        (Name, Package, Syntax, Edition) = (source.Name, source.Package, source.Syntax, source.Edition);
        (SerializedData, Dependencies) = (serializedData, dependencies);
        var linker = new FileLinker(this, source, findImported);
        types = linker.Types;
        MessageTypes = Array.AsReadOnly(linker.DeclareMessages());
        EnumTypes = Array.AsReadOnly(linker.DeclareEnums());
        all = [.. linker.AllMessages];
        linker.LinkMessages();
        Extensions = Array.AsReadOnly(linker.LinkExtensions());
        Services = Array.AsReadOnly(linker.LinkServices());
    }

    /// <summary>Gets the name with its path, as imports have it: <c>shop/orders.proto</c>.</summary>
    public string Name { get; }

    /// <summary>Gets the package; empty for none.</summary>
    public string Package { get; }

    /// <summary>Gets the syntax: <c>proto2</c>, <c>proto3</c> or <c>editions</c>.</summary>
    public string Syntax { get; }

    /// <summary>Gets the edition, with the number of descriptor.proto: 998 for proto2, 999 for proto3, 1000 for 2023 and 1001 for
    /// 2024.</summary>
    public int Edition { get; }

    /// <summary>Gets the FileDescriptorProto, without positions and comments.</summary>
    public ReadOnlyMemory<byte> SerializedData { get; }

    /// <summary>Gets the imported files.</summary>
    public IReadOnlyList<FileDescriptor> Dependencies { get; }

    /// <summary>Gets the messages that are not nested in another one.</summary>
    public IReadOnlyList<MessageDescriptor> MessageTypes { get; }

    /// <summary>Gets the enums that are not nested in a message.</summary>
    public IReadOnlyList<EnumDescriptor> EnumTypes { get; }

    /// <summary>Gets the services.</summary>
    public IReadOnlyList<ServiceDescriptor> Services { get; }

    /// <summary>Gets the extensions that are declared outside of messages.</summary>
    public IReadOnlyList<FieldDescriptor> Extensions { get; }

    internal IReadOnlyDictionary<string, object> Types => types;

    internal IEnumerable<MessageDescriptor> AllMessages => all;

    /// <summary>Finds an extension of the file, also one that is declared in a message, by its full name.</summary>
    internal FieldDescriptor? FindExtension(ReadOnlySpan<byte> fullName) => (extensions ??= new(this)).Find(fullName);

    /// <summary>Finds a message, an enum or a service of the file; null if there is none.</summary>
    /// <param name="name">The name without the package, as in <c>Order</c>. A nested type is found by <c>Order.Line</c>.</param>
    /// <typeparam name="T"><see cref="MessageDescriptor"/>, <see cref="EnumDescriptor"/> or <see cref="ServiceDescriptor"/>.</typeparam>
    public T? FindTypeByName<T>(string name)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(name);
        return types.GetValueOrDefault(Package.Length == 0 ? name : $"{Package}.{name}") as T;
    }

    /// <summary>Loads files from their descriptors: FileDescriptorProto messages, which protoc writes and servers with gRPC reflection
    /// send. Well-known types are files like all others.</summary>
    /// <param name="files">The serialized descriptors. Each file comes after those that it imports.</param>
    /// <returns>The files in the same order. A file that occurs twice with the same bytes is returned once.</returns>
    /// <exception cref="ArgumentException">A descriptor is not valid, or a file or type that it uses is missing. Nothing was
    /// loaded.</exception>
    public static IReadOnlyList<FileDescriptor> Load(IEnumerable<ReadOnlyMemory<byte>> files)
    {
        ArgumentNullException.ThrowIfNull(files);
        var pool = new DescriptorPool();
        foreach (var (index, file) in files.Index()) pool.Add(file.Span, index);
        return pool.Files.AsReadOnly();
    }

    /// <summary>Makes the descriptor of a file. For generated code.</summary>
    /// <param name="base64">The FileDescriptorProto in Base64; white space is ignored.</param>
    /// <param name="dependencies">The imported files, in the order of the imports.</param>
    /// <exception cref="ArgumentException">The descriptor is not valid.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public static FileDescriptor FromGenerated(ReadOnlySpan<byte> base64, params ReadOnlySpan<FileDescriptor> dependencies)
    {
        var bytes = new byte[Base64.GetMaxDecodedFromUtf8Length(base64.Length)];
        if (Base64.DecodeFromUtf8(base64, bytes, out _, out var length) != OperationStatus.Done)
            throw new ArgumentException("The text is not Base64.", nameof(base64));
        return DescriptorPool.OfGenerated(bytes.AsMemory(0, length), dependencies.ToArray());
    }

    /// <summary>Gets a message by its index among all messages, each of which comes before those that are nested in it. For generated
    /// code.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public MessageDescriptor At(int index) => all[index];
}

/// <summary>Finds the extensions of a file by name.</summary>
sealed class ExtensionNames
{
    readonly FieldDescriptor[] extensions;
    readonly NameTable names;

    public ExtensionNames(FileDescriptor file)
    {
        extensions = [.. file.Extensions, .. file.AllMessages.SelectMany(message => message.Extensions)];
        names = new([.. extensions.Select((extension, i) => (Encoding.UTF8.GetBytes(extension.FullName), i))]);
    }

    public FieldDescriptor? Find(ReadOnlySpan<byte> fullName) => names.Find(fullName) is var i and >= 0 ? extensions[i] : null;
}

using System.Buffers;
using System.Text;
using ProtoBench.Codec.Reflection;
using ProtoBench.Codec.Runtime;
using ProtoBench.Codec.WellKnownTypes;

namespace ProtoBench.Codec;

/// <summary>Contains message types by name. An Any can be read from JSON, and written in JSON, if the type of its message is
/// known.</summary>
/// <remarks>Thread safety: any number of threads may use the instance while no type is added.</remarks>
public sealed class ProtoJsonTypes
{
    readonly TypeUrlTable<ContentPrinter> printers = new();
    readonly Dictionary<string, MessageDescriptor> descriptors = [];
    readonly List<FileDescriptor> files = [];

    /// <summary>Adds a message type. A type that is already there is replaced.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>This instance.</returns>
    public ProtoJsonTypes Add<T>()
        where T : struct, ISlabMessage<T>
    {
        printers.Set(T.FullName, new ContentPrinter<T>());
        return this;
    }

    /// <summary>Adds all types of a file, and its extensions, for texts that are read. An Any of such a type cannot be written.</summary>
    /// <param name="file">The file. Its imports are not added.</param>
    /// <returns>This instance.</returns>
    public ProtoJsonTypes Add(FileDescriptor file)
    {
        ArgumentNullException.ThrowIfNull(file);
        files.Add(file);
        foreach (var type in file.AllMessages) descriptors[type.FullName] = type;
        return this;
    }

    /// <summary>Finds the type of an Any for a text that is read.</summary>
    internal static MessageDescriptor? FindDescriptor(ProtoJsonTypes? types, ReadOnlySpan<byte> typeUrl)
    {
        if (Find(types, typeUrl) is { } printer) return printer.Descriptor;
        var slash = typeUrl.LastIndexOf((byte)'/');
        return slash < 0 || types is null ? null : types.descriptors.GetValueOrDefault(Encoding.UTF8.GetString(typeUrl[(slash + 1)..]));
    }

    /// <summary>Gets the package's own descriptor of a well-known type.</summary>
    internal static MessageDescriptor WellKnownDescriptor(string name) => WellKnown.Types.printers.Get(name)!.Descriptor;

    internal FieldDescriptor? FindExtension(ReadOnlySpan<byte> name)
    {
        foreach (var file in files)
        {
            if (file.FindExtension(name) is { } found) return found;
        }

        foreach (var printer in printers.Entries)
        {
            if (printer.Descriptor.File.FindExtension(name) is { } found) return found;
        }

        return null;
    }

    /// <summary>Finds the type of an Any: a type that was added, or else a well-known type.</summary>
    internal static ContentPrinter? Find(ProtoJsonTypes? types, ReadOnlySpan<byte> typeUrl) =>
        types?.printers.Find(typeUrl) ?? WellKnown.Types.printers.Find(typeUrl);

    // In a class of its own, so that the types are loaded for the first Any.
    static class WellKnown
    {
        public static readonly ProtoJsonTypes Types = new ProtoJsonTypes()
            .Add<Any>().Add<Api>().Add<BoolValue>().Add<BytesValue>().Add<DoubleValue>().Add<Duration>().Add<Empty>()
            .Add<WellKnownTypes.Enum>().Add<EnumValue>().Add<Field>().Add<FieldMask>().Add<FloatValue>().Add<Int32Value>()
            .Add<Int64Value>().Add<ListValue>().Add<Method>().Add<Mixin>().Add<Option>().Add<SourceContext>().Add<StringValue>()
            .Add<Struct>().Add<Timestamp>().Add<WellKnownTypes.Type>().Add<UInt32Value>().Add<UInt64Value>().Add<Value>();
    }
}

/// <summary>Prints the message that an Any contains.</summary>
abstract class ContentPrinter
{
    /// <summary>Gets a value that indicates whether the JSON of the type is not an object of its fields. An Any then has it as its
    /// "value".</summary>
    public abstract bool HasOwnForm { get; }

    public abstract MessageDescriptor Descriptor { get; }

    public abstract void Print(ref JsonPrinter printer, ReadOnlySpan<byte> value);

    /// <summary>Determines whether a type URL, as JSON has it, is that of a type with a form of its own.</summary>
    public static bool HasOwnFormIn(in ReadOnlySequence<byte> typeUrl)
    {
        var text = Encoding.UTF8.GetString(typeUrl);
        return IsOwnForm(text[(text.LastIndexOf('/') + 1)..]);
    }

    // The JSON of Empty is an object, but the parsers of Google's C# and of Go require it as a "value".
    protected static bool IsOwnForm(string name) => name is "google.protobuf.Any" or "google.protobuf.BoolValue" or "google.protobuf.BytesValue"
        or "google.protobuf.DoubleValue" or "google.protobuf.Duration" or "google.protobuf.Empty" or "google.protobuf.FieldMask"
        or "google.protobuf.FloatValue" or "google.protobuf.Int32Value" or "google.protobuf.Int64Value" or "google.protobuf.ListValue"
        or "google.protobuf.StringValue" or "google.protobuf.Struct" or "google.protobuf.Timestamp" or "google.protobuf.UInt32Value"
        or "google.protobuf.UInt64Value" or "google.protobuf.Value";
}

/// <inheritdoc/>
sealed class ContentPrinter<T> : ContentPrinter
    where T : struct, ISlabMessage<T>
{
    public override bool HasOwnForm { get; } = IsOwnForm(T.FullName);

    public override MessageDescriptor Descriptor => T.Descriptor;

    public override void Print(ref JsonPrinter printer, ReadOnlySpan<byte> value)
    {
        using var message = Message<T>.Rent();
        T.Print(ref printer, message.Parse(value));
    }
}

using System.Collections;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <summary>A wrapper of a oneof that has no value. Merged into the same wrapper with a value, it replaces the value in Google's C# code.
/// In protobuf a merge of two messages keeps it, and so do the slab codec and Google's own code outside of a oneof.</summary>
static class EmptyWrapper
{
    public static bool IsInOneof(IMessage message) => message.Descriptor.Fields.InDeclarationOrder().Any(field =>
        IsEmptyWrapper(field, message) || MessagesOf(field.Accessor.GetValue(message)).Any(IsInOneof));

    static bool IsEmptyWrapper(FieldDescriptor field, IMessage message) =>
        field is { ContainingOneof: not null, FieldType: FieldType.Message } && field.MessageType.File.Name == "google/protobuf/wrappers.proto"
        && field.Accessor.GetValue(message) is "" or false or 0 or 0u or 0L or 0ul or 0f or 0d or ByteString { Length: 0 };

    static IEnumerable<IMessage> MessagesOf(object? value) => value switch
    {
        IMessage one => [one],
        IDictionary map => map.Values.OfType<IMessage>(),
        IList list => list.OfType<IMessage>(),
        _ => [],
    };
}

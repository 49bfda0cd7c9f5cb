using System.Collections.Concurrent;
using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <summary>Copies messages of one type between our view and Google's class, field by field, through the public members of both.</summary>
/// <remarks>Members are looked up once for each type; a copy calls delegates. Thread-safe.</remarks>
sealed class MessageCopier
{
    static readonly ConcurrentDictionary<Type, MessageCopier> copiers = new();

    readonly Lazy<FieldCopier[]> fields;

    // A type may contain itself, so its fields are looked up at the first copy.
    MessageCopier(Type view, MessageDescriptor descriptor) =>
        fields = new(() => [.. descriptor.Fields.InDeclarationOrder().Where(field => field.FieldType != FieldType.Group)
            .Select(field => FieldCopier.Of(view, field))]);

    public static MessageCopier Of(Type view, MessageDescriptor descriptor) =>
        copiers.GetOrAdd(view, static (view, descriptor) => new(view, descriptor), descriptor);

    public void Read(object view, IMessage target)
    {
        foreach (var field in fields.Value) field.Read(view, target);
    }

    public void Build(object view, IMessage source)
    {
        foreach (var field in fields.Value) field.Build(view, source);
    }
}

/// <summary>Copies one field.</summary>
abstract class FieldCopier(FieldDescriptor field)
{
    protected FieldDescriptor Field { get; } = field;

    public static FieldCopier Of(Type view, FieldDescriptor field) =>
        field.IsMap ? new MapCopier(view, field)
            : field.IsRepeated ? new ListCopier(view, field)
            : new SingularCopier(view, field);

    public abstract void Read(object view, IMessage target);

    public abstract void Build(object view, IMessage source);

    /// <summary>The name of a field's property in Google's class: that of the constant with its number, without its ending.</summary>
    protected static string PropertyName(FieldDescriptor field)
    {
        const string ending = "FieldNumber";
        if (field.ContainingType.ClrType is not { } type) return field.FieldNumber == 1 ? "Key" : "Value";
        return type.GetFields(BindingFlags.Public | BindingFlags.Static)
            .Single(one => one.IsLiteral && one.FieldType == typeof(int) && one.Name.EndsWith(ending, StringComparison.Ordinal)
            && (int)one.GetRawConstantValue()! == field.FieldNumber)
            .Name[..^ending.Length];
    }

    protected static bool IsWrapper(MessageDescriptor type) => type.File.Name == "google/protobuf/wrappers.proto";

    protected static FieldDescriptor Wrapped(FieldDescriptor field) => field.MessageType.FindFieldByNumber(1);

    /// <summary>How a value of ours becomes Google's.</summary>
    protected static Func<object, object> ToGoogle(Type type, FieldDescriptor field)
    {
        switch (field.FieldType)
        {
            case FieldType.String:
                return value => value.ToString()!;
            case FieldType.Bytes:
                return value => ByteString.CopyFrom(((Bytes)value).Span);
            case FieldType.Enum:
                return ViewMembers.EnumOf(type, field.EnumType.ClrType);
            case FieldType.Message when IsWrapper(field.MessageType) && type.GetProperty("Value") is null:
                return ToGoogle(type, Wrapped(field));
            case FieldType.Message:
                var copier = MessageCopier.Of(type, field.MessageType);
                var wrapped = IsWrapper(field.MessageType) ? Wrapped(field) : null;
                return value =>
                {
                    var message = Empty(field);
                    copier.Read(value, message);
                    return wrapped is null ? message : wrapped.Accessor.GetValue(message);
                };
            default:
                return value => value;
        }
    }

    protected static IMessage Empty(FieldDescriptor field) => field.MessageType.Parser.ParseFrom([]);

    protected static bool IsDefault(object value) => value switch
    {
        string text => text.Length == 0,
        ByteString bytes => bytes.IsEmpty,
        double number => BitConverter.DoubleToInt64Bits(number) == 0,
        float number => BitConverter.SingleToInt32Bits(number) == 0,
        bool flag => !flag,
        int number => number == 0,
        uint number => number == 0,
        long number => number == 0,
        ulong number => number == 0,
        Enum => (int)value == 0,
        IMessage => false,
        _ => throw new NotSupportedException($"{value.GetType()} is no type of a field."),
    };
}

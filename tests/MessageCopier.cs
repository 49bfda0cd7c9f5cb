using System.Collections;
using System.Collections.Concurrent;
using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec;

namespace ProtoBench.Testing;

/// <summary>Copies messages of one type between our view and Google's class, field by field, through the public members of both.</summary>
/// <remarks>Members are looked up once for each type; a copy calls delegates. Thread-safe.</remarks>
sealed class MessageCopier
{
    static readonly ConcurrentDictionary<Type, MessageCopier> copiers = new();

    readonly Lazy<FieldCopier[]> fields;

    // A type may contain itself, so its fields are looked up at the first copy.
    MessageCopier(Type view, MessageDescriptor descriptor) =>
        fields = new(() => [.. descriptor.Fields.InDeclarationOrder().Select(field => FieldCopier.Of(view, field))]);

    public static MessageCopier Of(Type view, MessageDescriptor descriptor) =>
        copiers.GetOrAdd(view, static (view, descriptor) => new(view, descriptor), descriptor);

    public static TGoogle ToGoogle<TGoogle>(object view)
        where TGoogle : IMessage, new()
    {
        var target = new TGoogle();
        Of(view.GetType(), target.Descriptor).Read(view, target);
        return target;
    }

    public void Read(object view, IMessage target)
    {
        foreach (var field in fields.Value) field.Read(view, target);
    }

    public void Build(object view, IMessage source)
    {
        foreach (var field in fields.Value) field.Build(view, source);
    }
}

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
            case FieldType.Message or FieldType.Group:
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

sealed class SingularCopier : FieldCopier
{
    readonly Func<object, object?> get;
    readonly Func<object, object> toGoogle;
    readonly Func<object, object?>? has;
    readonly Action<object, object>? set;
    readonly Func<object, object>? mutable;
    readonly MessageCopier? inner;

    public SingularCopier(Type view, FieldDescriptor field)
        : base(field)
    {
        var name = PropertyName(field);
        get = ViewMembers.Getter(view, name, out var type);
        type = Nullable.GetUnderlyingType(type) ?? type;
        toGoogle = ToGoogle(type, field);
        var isWrapper = field.FieldType == FieldType.Message && IsWrapper(field.MessageType);
        if (field.HasPresence && !isWrapper) has = ViewMembers.Getter(view, "Has" + name, out _);
        if (field.FieldType is not (FieldType.Message or FieldType.Group))
        {
            set = ViewMembers.Setter(view, "Set" + name, field);
        }
        else if (isWrapper)
        {
            set = ViewMembers.Setter(view, "Set" + name, Wrapped(field));
        }
        else
        {
            mutable = ViewMembers.Maker(view, "Mutable" + name, out var made);
            inner = MessageCopier.Of(made, field.MessageType);
        }
    }

    public override void Read(object view, IMessage target)
    {
        // A wrapper that is not set is null; a number without presence is copied in any case.
        if (has is not null && !(bool)has(view)!) return;
        if (get(view) is { } value) Field.Accessor.SetValue(target, toGoogle(value));
    }

    public override void Build(object view, IMessage source)
    {
        var value = Field.Accessor.GetValue(source);
        if (Field.HasPresence ? !Field.Accessor.HasValue(source) : IsDefault(value)) return;
        if (inner is not null) inner.Build(mutable!(view), (IMessage)value);
        else set!(view, value);
    }
}

sealed class ListCopier : FieldCopier
{
    readonly Func<object, object[]> elements;
    readonly Func<object, object> toGoogle;
    readonly Action<object, object>? add;
    readonly Func<object, object>? addMessage;
    readonly MessageCopier? inner;
    readonly Action<object, object>? setWrapped;

    public ListCopier(Type view, FieldDescriptor field)
        : base(field)
    {
        var name = PropertyName(field);
        elements = ViewMembers.Elements(view, name, out var type);
        toGoogle = ToGoogle(type, field);
        if (field.FieldType is not (FieldType.Message or FieldType.Group))
        {
            add = ViewMembers.Setter(view, "Add" + name, field);
            return;
        }

        addMessage = ViewMembers.Maker(view, "Add" + name, out var made);
        if (IsWrapper(field.MessageType)) setWrapped = ViewMembers.Setter(made, "SetValue", Wrapped(field));
        else inner = MessageCopier.Of(made, field.MessageType);
    }

    public override void Read(object view, IMessage target)
    {
        var list = (IList)Field.Accessor.GetValue(target);
        foreach (var element in elements(view)) list.Add(toGoogle(element));
    }

    public override void Build(object view, IMessage source)
    {
        foreach (var element in (IList)Field.Accessor.GetValue(source))
        {
            if (add is not null)
            {
                add(view, element!);
                continue;
            }

            var message = addMessage!(view);
            if (inner is not null) inner.Build(message, (IMessage)element!);
            else if (!IsDefault(element!)) setWrapped!(message, element!);
        }
    }
}

sealed class MapCopier : FieldCopier
{
    readonly FieldDescriptor valueField;
    readonly Func<object, object[]> entries;
    readonly Func<object, object?> getKey;
    readonly Func<object, object> keyToGoogle;
    readonly Func<object, object?> getValue;
    readonly Func<object, object> valueToGoogle;
    readonly Action<object, object, object>? set;
    readonly Func<object, object, object>? mutable;
    readonly MessageCopier? inner;

    public MapCopier(Type view, FieldDescriptor field)
        : base(field)
    {
        var name = PropertyName(field);
        var keyField = field.MessageType.FindFieldByNumber(1);
        valueField = field.MessageType.FindFieldByNumber(2);
        if (valueField.FieldType == FieldType.Message && IsWrapper(valueField.MessageType))
            throw new NotSupportedException("wrapper types in maps");
        entries = ViewMembers.Elements(view, name, out var entry);
        getKey = ViewMembers.Getter(entry, PropertyName(keyField), out var key);
        keyToGoogle = ToGoogle(key, keyField);
        getValue = ViewMembers.Getter(entry, PropertyName(valueField), out var value);
        valueToGoogle = ToGoogle(value, valueField);
        if (valueField.FieldType != FieldType.Message)
        {
            set = ViewMembers.EntrySetter(view, "Set" + name, keyField, valueField);
            return;
        }

        mutable = ViewMembers.EntryMaker(view, "Mutable" + name, keyField, out var made);
        inner = MessageCopier.Of(made, valueField.MessageType);
    }

    public override void Read(object view, IMessage target)
    {
        var map = (IDictionary)Field.Accessor.GetValue(target);
        foreach (var entry in entries(view)) map.Add(keyToGoogle(getKey(entry)!), valueToGoogle(getValue(entry)!));
    }

    public override void Build(object view, IMessage source)
    {
        foreach (DictionaryEntry entry in (IDictionary)Field.Accessor.GetValue(source))
        {
            if (inner is null) set!(view, entry.Key, entry.Value!);
            else inner.Build(mutable!(view, entry.Key), (IMessage)entry.Value!);
        }
    }
}

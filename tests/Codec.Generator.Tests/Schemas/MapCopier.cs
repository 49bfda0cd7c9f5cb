using System.Collections;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <inheritdoc/>
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
        valueToGoogle = ToGoogle(Nullable.GetUnderlyingType(value) ?? value, valueField);
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
        foreach (var entry in entries(view))
            map.Add(keyToGoogle(getKey(entry)!), getValue(entry) is { } value ? valueToGoogle(value) : Empty(valueField));
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

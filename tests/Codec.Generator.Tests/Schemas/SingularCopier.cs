using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <inheritdoc/>
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
        if (field.FieldType != FieldType.Message)
        {
            if (field.HasPresence) has = ViewMembers.Getter(view, "Has" + name, out _);
            set = ViewMembers.Setter(view, "Set" + name, field);
        }
        else if (IsWrapper(field.MessageType))
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
        // A message that is not set is null; a number without presence is copied in any case.
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

using System.Collections;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <inheritdoc/>
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
        if (field.FieldType != FieldType.Message)
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

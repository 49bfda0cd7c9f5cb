using Google.Protobuf.Reflection;
using Label = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Label;
using Type = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>Finds the fields of a message, in the order of their numbers, which is the order in which they are written.</summary>
sealed class FieldCollector(ProtoMessage message, Dictionary<string, ProtoMessage> messages, Dictionary<string, ProtoEnum> enums)
{
    public void Collect()
    {
        var descriptor = message.Descriptor;
        var oneofs = descriptor.OneofDecl.Select((oneof, i) =>
            new ProtoOneof(oneof, [.. message.Path, DescriptorProto.OneofDeclFieldNumber, i])).ToList();
        var inOrder =
            descriptor.Field.Select((field, i) => (Field: field, Path: (int[])[.. message.Path, DescriptorProto.FieldFieldNumber, i]));
        foreach (var (field, path) in inOrder.OrderBy(one => one.Field.Number))
        {
            // A group has no accessors: it is kept as an unknown field. So is an extension, which is in no message's list.
            if (IsGroup(field))
            {
                if (IsRequired(field)) message.RequiredGroups.Add(field);
                continue;
            }

            Add(field, path, oneofs);
        }

        message.Oneofs.AddRange(oneofs.Where(oneof => oneof.Fields.Count > 0));
        var bit = 0;
        foreach (var field in message.Fields.Where(field => message.IsWide || field.Presence == Presence.Bit)) field.Bit = bit++;
    }

    /// <summary>Whether the field is between tags instead of behind a length. Maps and what is in their entries never are.</summary>
    public bool IsGroup(FieldDescriptorProto field) =>
        field.Type == Type.Group
        || (field.Type == Type.Message && !IsMapEntry(field) && !message.IsMapEntry
            && message.Features.With(field.Options?.Features).IsDelimited);

    bool IsRequired(FieldDescriptorProto field) =>
        field.Label == Label.Required || message.Features.With(field.Options?.Features).IsRequired;

    bool IsMapEntry(FieldDescriptorProto field) => messages[field.TypeName].IsMapEntry;

    void Add(FieldDescriptorProto descriptor, int[] path, List<ProtoOneof> oneofs)
    {
        var features = message.Features.With(descriptor.Options?.Features);
        var field = new ProtoField(message, descriptor, path)
        {
            Features = features,
            Message = descriptor.Type == Type.Message ? messages[descriptor.TypeName] : null,
            Enum = descriptor.Type == Type.Enum ? enums[descriptor.TypeName] : null,
            IsRequired = IsRequired(descriptor),
        };
        field.IsPacked = descriptor.Options?.HasPacked == true ? descriptor.Options.Packed : features.IsPacked;
        if (field.IsBytes || field.Message is not null) field.IsPacked = false;
        if (descriptor.Label == Label.Repeated)
        {
            field.Presence = Presence.Repeated;
        }
        else if (descriptor.HasOneofIndex && !descriptor.Proto3Optional)
        {
            field.Presence = Presence.Oneof;
            field.Oneof = oneofs[descriptor.OneofIndex];
            field.Oneof.Fields.Add(field);
        }
        else if (field.Message is not null)
        {
            field.Presence = Presence.Message;
        }
        else
        {
            field.Presence = (features.IsImplicit && !descriptor.Proto3Optional) || message.IsMapEntry ? Presence.Implicit : Presence.Bit;
        }

        message.Fields.Add(field);
    }
}

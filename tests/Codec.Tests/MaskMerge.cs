using System.Collections;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Tests;

/// <summary>Merges and trims Google's messages by a mask, by the rules of Google's C++ library
/// (src/google/protobuf/util/field_mask_util.cc), which clears a field that is not set in the source. As in Google's Java and C#, no empty
/// message is made where neither message has one; as in C#, wrappers are values.</summary>
sealed class MaskMerge
{
    readonly Dictionary<string, MaskMerge> children = [];

    public MaskMerge(IEnumerable<string> paths)
    {
        foreach (var path in paths) Add(path.Split('.'));
    }

    MaskMerge()
    {
    }

    public bool ReplacesMessages { get; init; }

    public bool ReplacesRepeated { get; init; }

    public void Merge(IMessage source, IMessage destination) => Merge(this, source, destination);

    /// <summary>Determines whether Google's C# does the same: it does not merge maps and groups as other fields, sets a field to its
    /// default value, keeps what is in a message that the source does not have, and clears another field of a oneof.</summary>
    public bool IsSameInGooglesCSharp(IMessage source, IMessage destination)
    {
        foreach (var (name, child) in children)
        {
            if (source.Descriptor.FindFieldByName(name) is not { } field) continue;
            if (field.IsMap || field.FieldType == FieldType.Group) return false;
            if (child.children.Count == 0)
            {
                if (field.FieldType == FieldType.Message && field.ContainingOneof is not null && field.Accessor.GetValue(source) is null)
                    return false;
                if (!field.IsRepeated && field.FieldType != FieldType.Message && field.HasPresence && !field.Accessor.HasValue(source))
                    return false;
                continue;
            }

            if (field.IsRepeated || field.FieldType != FieldType.Message) continue;
            var (from, to) = (field.Accessor.GetValue(source) as IMessage, field.Accessor.GetValue(destination) as IMessage);
            if (from is null && to is null) continue;
            if (from is null || !child.IsSameInGooglesCSharp(from, to ?? from)) return false;
        }

        return true;
    }

    /// <summary>Determines whether no required field is missing. Google's own method fails for some maps of messages.</summary>
    public static bool IsComplete(IMessage message)
    {
        foreach (var field in message.Descriptor.Fields.InDeclarationOrder())
        {
            if (field.IsRequired && !field.Accessor.HasValue(message)) return false;
            IEnumerable values = field.Accessor.GetValue(message) switch
            {
                IMessage one => new[] { one },
                IDictionary map => map.Values,
                IList list => list,
                _ => Array.Empty<object>(),
            };
            if (!values.OfType<IMessage>().All(IsComplete)) return false;
        }

        return true;
    }

    void Add(ReadOnlySpan<string> names)
    {
        var node = this;
        for (var i = 0; i < names.Length; i++)
        {
            if (node != this && node.children.Count == 0 && !node.isNew) return;
            if (!node.children.TryGetValue(names[i], out var child)) node.children[names[i]] = child = new() { isNew = true };
            node.isNew = false;
            node = child;
        }

        node.isNew = false;
        node.children.Clear();
    }

    // while the path that made the node is added
    bool isNew;

    void Merge(MaskMerge node, IMessage? source, IMessage destination)
    {
        foreach (var (name, child) in node.children)
        {
            if (destination.Descriptor.FindFieldByName(name) is not { } field) continue;
            var access = field.Accessor;
            var isMessage = field.FieldType is FieldType.Message or FieldType.Group;
            var from = source is null ? null : access.GetValue(source);
            var to = access.GetValue(destination);
            if (child.children.Count > 0)
            {
                if (field.IsRepeated || !isMessage || (from is null && to is null)) continue;
                if (to is null) access.SetValue(destination, to = field.MessageType.Parser.ParseFrom([]));
                Merge(child, (IMessage?)from, (IMessage)to);
            }
            else if (field.IsMap)
            {
                if (ReplacesRepeated) ((IDictionary)to!).Clear();
                if (from is null) continue;
                foreach (DictionaryEntry entry in (IDictionary)from) ((IDictionary)to!)[entry.Key] = entry.Value;
            }
            else if (field.IsRepeated)
            {
                if (ReplacesRepeated) ((IList)to!).Clear();
                if (from is null) continue;
                foreach (var element in (IList)from) ((IList)to!).Add(element);
            }
            else if (!isMessage)
            {
                if (source is not null && (!field.HasPresence || access.HasValue(source))) access.SetValue(destination, from!);
                else access.Clear(destination);
            }
            else if (from is not null && to is IMessage target && !ReplacesMessages)
            {
                target.MergeFrom(((IMessage)from).ToByteString());
            }
            else if (from is not null)
            {
                access.SetValue(destination, from is IMessage content ? field.MessageType.Parser.ParseFrom(content.ToByteString()) : from);
            }
            else if (ReplacesMessages && to is not null)
            {
                access.Clear(destination);
            }
        }
    }
}

using ProtoBench.Codec.Generator.Naming;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>Chooses the names of a message's members. Google's names of properties have priority and are not changed. All other names are
/// changed if they conflict.</summary>
static class MemberNames
{
    // protoc's C# generator appends an underscore to these names, so the property here has it too
    static readonly HashSet<string> googleReserved =
        ["Types", "Descriptor", "Equals", "ToString", "GetHashCode", "WriteTo", "Clone", "CalculateSize", "StoreSize", "MergeFrom", "OnConstruction",
            "Parser"];

    // members that every struct has
    static readonly string[] inherited = ["Equals", "GetHashCode", "GetType", "ToString", "MemberwiseClone", "ReferenceEquals", "Finalize"];

    // members of Storage<T> and of its base
    static readonly string[] storageMembers =
    [
        "Memory", "Item", "Add", "Mutable", "Slice", "Append", "Open", "Of", "Reset", "Release", "AddRoot", "Ranges", "Parse",
            "CalculateSize", "Write", "WriteScalars", "TryReadShape", "WriteSlow", "AreEqual", "Hash", "Print", "Replace", "RemoveAt", "Doubles", "Floats", "Int32s", "Int64s",
                "UInt32s", "UInt64s", "Bools", "Find", "Content", "IsCurrent", "Stamp", "Locate", "Register", "Forward", "Count",
    ];

    static readonly string[] parameters =
    [
        "reader", "writer", "storage", "index", "depth", "tag", "fields", "packed", "item", "value", "size", "memory", "stamp", "message",
            "source", "other", "target", "output", "at", "child", "next", "missing", "items", "others", "otherStorage", "values", "key",
                "stored", "probe", "i", "current", "entry", "hash", "isComplete", "from", "copy", "mark", "scratch",
    ];

    public static void Assign(ProtoMessage message)
    {
        var types = message.Name == "Types" ? "Types_" : "Types";
        var scope = new NameScope([message.Descriptor.Name, message.Name, types, .. inherited]);
        var inFields = new NameScope(["Size", "Unknown", "HasSameKey", "HashKey", .. inherited]);
        for (var word = 0; word <= message.Fields.Count / 32; word++) inFields.TryTake("Presence" + word);
        var inStorage = new NameScope([.. storageMembers, .. inherited]);
        var locals = new NameScope(parameters);
        for (var word = 0; word <= message.Fields.Count / 32; word++) locals.TryTake("presence" + word);

        var properties = message.Fields.Select(field => scope.Take(Property(message, field))).ToList();
        foreach (var oneof in message.Oneofs)
        {
            var name = CSharpCase.Pascal(oneof.Descriptor.Name);
            oneof.CaseProperty = scope.Take(name + "Case");
            oneof.CaseEnum = scope.Take(name + "OneofCase");
            oneof.ClearMethod = scope.Take("Clear" + name);
            oneof.Storage = inFields.Take(name + "Case");
        }

        foreach (var (field, property) in message.Fields.Zip(properties))
        {
            var local = CSharpCase.Camel(property);
            field.Names = new(
                property,
                Has: scope.Take("Has" + property),
                Set: field.IsRepeated && !field.IsMap && field.Message is not null ? "" : scope.Take("Set" + property),
                Mutable: (field.IsMap ? field.Message!.Fields[1].Message : field.IsRepeated ? null : field.Message) is not null
                ? scope.Take("Mutable" + property) : "",
                Add: field.IsRepeated && !field.IsMap ? scope.Take("Add" + property) : "",
                Clear: scope.Take("Clear" + property),
                RemoveAt: field.IsRepeated && !field.IsMap ? scope.Take("Remove" + property + "At") : "",
                TryGet: field.IsMap ? scope.Take("TryGet" + property) : "",
                Remove: field.IsMap ? scope.Take("Remove" + property) : "",
                Number: scope.Take(property + "FieldNumber"),
                Storage: Take(property, inFields, inStorage),
                Local: locals.Take(Identifier.Escape(local)[0] == '@' ? local + "_" : local));
        }

        foreach (var oneof in message.Oneofs)
        {
            var cases = new NameScope(ProtoOneof.NoneName);
            foreach (var field in oneof.Fields) oneof.CaseNames[field] = cases.Take(field.Names.Property);
        }

        message.Names = new(
            Types: types,
            Rent: scope.Take("Rent"),
            Descriptor: scope.Take("Descriptor"),
            Fields: Take("Fields", scope, inFields, inStorage),
            Storage: Take("FieldStorage", scope, inFields, inStorage),
            Mutable: scope.Take("Mutable"),
            Content: scope.Take("Content"),
            IsSet: scope.Take("IsSet"),
            CopyFrom: scope.Take("CopyFrom"),
            MergeFrom: scope.Take("MergeFrom"),
            Clear: scope.Take("Clear"),
            ToByteArray: scope.Take("ToByteArray"),
            DebuggerDisplay: scope.Take("DebuggerDisplay"),
            Extensions: message.Extensions.Count > 0 ? scope.Take("Extensions") : "");
    }

    static string Property(ProtoMessage message, ProtoField field)
    {
        var name = field.PascalName;
        return googleReserved.Contains(name) || name == message.Descriptor.Name ? name + "_" : name;
    }

    /// <summary>Takes a name that is free in several scopes.</summary>
    static string Take(string name, params ReadOnlySpan<NameScope> scopes)
    {
        foreach (var scope in scopes)
        {
            if (!scope.TryTake(name)) return Take(name + "_", scopes);
        }

        return name;
    }
}

/// <summary>The names of a message's members that do not belong to a field. If such a name conflicts with the property of a field, the
/// property keeps its name.</summary>
sealed record MessageNames(string Types, string Rent, string Descriptor, string Fields, string Storage, string Mutable, string Content,
    string IsSet, string CopyFrom, string MergeFrom, string Clear, string ToByteArray, string DebuggerDisplay, string Extensions);

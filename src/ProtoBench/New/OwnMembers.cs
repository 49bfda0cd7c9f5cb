using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ProtoBench.Codec.Generator.Naming;
using ProtoBuf;
using ProtoBuf.Meta;

namespace ProtoBench;

/// <summary>A property or a field of a class of the user.</summary>
/// <param name="IsRequired">Whether each initializer has to set it.</param>
sealed record OwnMember(string Name, Type Type, bool CanGet, bool CanSet, bool IsRequired);

/// <summary>Which members of a class are content, and how types are named in code.</summary>
static class OwnMembers
{
    static readonly JsonSerializerOptions json = new() { IncludeFields = true, TypeInfoResolver = new DefaultJsonTypeInfoResolver() };

    /// <summary>Returns the members that protobuf-net reads and writes, in the order of their fields in the .proto file.</summary>
    static IReadOnlyList<OwnMember> OfProtobuf(Type type) =>
        RuntimeTypeModel.Default.CanSerialize(type) && IsOwn(type)
            ? [.. RuntimeTypeModel.Default[type].GetFields().OrderBy(field => field.FieldNumber).Select(field => Of(field.Member))] : [];

    /// <summary>Adds a class without [ProtoContract], and such classes in it, to the model of protobuf-net: with Google's types for times,
    /// and the public members in their order as fields 1, 2 and so on.</summary>
    /// <returns>The members of each class that was added.</returns>
    public static IReadOnlyDictionary<Type, IReadOnlyList<OwnMember>> Number(Type root)
    {
        var added = new Dictionary<Type, IReadOnlyList<OwnMember>>();
        if (RuntimeTypeModel.Default.CanSerialize(root))
            return added;
        foreach (var type in Reachable(root, isProtobuf: false).Where(type => IsOwn(type) && !RuntimeTypeModel.Default.CanSerialize(type)))
        {
            var members = OfJson(type);
            var contract = RuntimeTypeModel.Default.Add(type, applyDefaultBehaviour: false, CompatibilityLevel.Level300);
            contract.Add([.. members.Select(member => member.Name)]);
            foreach (var number in Maps(members)) contract[number].IsMap = true;
            added.Add(type, members);
        }

        return added;
    }

    /// <summary>Returns the fields that are maps, of members that are fields 1, 2 and so on.</summary>
    public static IEnumerable<int> Maps(IReadOnlyList<OwnMember> members) =>
        members.Index().Where(one => Collection(one.Item.Type) is ({ }, _)).Select(one => one.Index + 1);

    /// <summary>Returns the members that System.Text.Json reads and writes: what can be set, and lists, which can be filled.</summary>
    static IReadOnlyList<OwnMember> OfJson(Type type) => json.GetTypeInfo(type) is not { Kind: JsonTypeInfoKind.Object } known ? []
        : [.. from property in known.Properties
              where property.AttributeProvider is MemberInfo && (property.Set is not null || Collection(property.PropertyType) is not null)
              select Of((MemberInfo)property.AttributeProvider!)];

    /// <summary>Returns the classes that protobuf-net writes as this one ([ProtoInclude]), without those that derive from them.</summary>
    public static IReadOnlyList<Type> DerivedFrom(Type type) =>
        RuntimeTypeModel.Default.CanSerialize(type) && IsOwn(type)
            ? [.. RuntimeTypeModel.Default[type].GetSubtypes().Select(derived => derived.DerivedType.Type)] : [];

    /// <summary>Returns the class as which protobuf-net writes this one: the first of its base classes with a contract for it.</summary>
    public static Type WrittenAs(Type type) =>
        RuntimeTypeModel.Default.CanSerialize(type) && IsOwn(type) && RuntimeTypeModel.Default[type].BaseType is { } known
            ? WrittenAs(known.Type) : type;

    /// <summary>Returns the classes whose members are content of a class, with the class itself, and those that derive from them.
    /// Collections that are elements of others are among them.</summary>
    /// <param name="root">The class.</param>
    /// <param name="isProtobuf">Whether its content is what protobuf-net writes, or what System.Text.Json writes.</param>
    public static IReadOnlyList<Type> Reachable(Type root, bool isProtobuf)
    {
        List<Type> found = [Written(root)];
        for (var i = 0; i < found.Count; i++)
        {
            var types = Collection(found[i]) is null ? Of(found[i], isProtobuf).Select(member => member.Type) : [found[i]];
            found.AddRange(types.SelectMany(Parts).Where(part => IsOwn(part) || Collection(part) is not null).Select(Written)
                .Concat(isProtobuf ? DerivedFrom(found[i]) : []).Distinct().Except(found).ToArray());
        }

        return found;

        Type Written(Type type) => isProtobuf ? WrittenAs(type) : type;
    }

    /// <summary>Returns the members that are content, as protobuf-net or as System.Text.Json writes them.</summary>
    public static IReadOnlyList<OwnMember> Of(Type type, bool isProtobuf) => isProtobuf ? OfProtobuf(type) : OfJson(type);

    /// <summary>Whether a type has members of its own, as classes of the user and of other packages do.</summary>
    public static bool IsOwn(Type type) => type is { IsEnum: false, IsPrimitive: false, IsArray: false, IsPointer: false }
        && type.Namespace?.Split('.')[0] != nameof(System);

    /// <summary>Returns the type of the elements, or the types of the keys and the values.</summary>
    public static (Type? Key, Type Item)? Collection(Type type)
    {
        if (type == typeof(string) || type == typeof(byte[]))
            return null;
        if (type.IsArray)
            return type.GetArrayRank() == 1 ? (null, type.GetElementType()!) : null;
        Type[] all = [.. type.GetInterfaces().Append(type).Where(one => one.IsGenericType)];
        return Of(typeof(IDictionary<,>)) is { } map ? (map[0], map[1]) : Of(typeof(IEnumerable<>)) is { } list ? (null, list[0]) : null;

        Type[]? Of(Type definition) =>
            Array.Find(all, one => one.GetGenericTypeDefinition() == definition)?.GetGenericArguments();
    }

    /// <summary>Returns the full name as users write it: <c>Acme.Order.Line</c>.</summary>
    public static string NameOf(Type type) => (type.FullName ?? type.Name).Replace('+', '.');

    /// <summary>Returns the qualified name in code.</summary>
    public static string CodeOf(Type type)
    {
        if (type.IsArray)
            return CodeOf(type.GetElementType()!) + "[]";
        if (Nullable.GetUnderlyingType(type) is { } value)
            return CodeOf(value) + "?";
        var name = NameOf(type.IsGenericType ? type.GetGenericTypeDefinition() : type);
        return type.IsGenericType
            ? $"global::{Identifier.EscapeParts(name[..name.IndexOf('`', StringComparison.Ordinal)])}<{string.Join(", ", type.GetGenericArguments().Select(CodeOf))}>"
            : "global::" + Identifier.EscapeParts(name);
    }

    static IEnumerable<Type> Parts(Type type) => Nullable.GetUnderlyingType(type) is { } value ? [value]
        : Collection(type) is not var (key, item) ? [type] : key is null ? [item] : [key, item];

    static OwnMember Of(MemberInfo member) => member switch
    {
        PropertyInfo property => new(property.Name, property.PropertyType, property.GetMethod is { IsPublic: true },
            property.SetMethod is { IsPublic: true }, property.IsDefined(typeof(RequiredMemberAttribute))),
        // protobuf-net sets the field of a property that has no setter
        FieldInfo { Name: ['<', .. var name] } field =>
            Of(field.DeclaringType!.GetProperty(name[..name.IndexOf('>', StringComparison.Ordinal)])!),
        FieldInfo field => new(field.Name, field.FieldType, field.IsPublic, field.IsPublic && !field.IsInitOnly,
            field.IsDefined(typeof(RequiredMemberAttribute))),
        _ => throw new ArgumentException(member.Name, nameof(member)),
    };
}

using System.Globalization;
using Google.Protobuf;
using ProtoBench.Codec.Generator;
using ProtoBench.Codec.Generator.Naming;
using ProtoBench.Codec.Generator.Plain;
using ProtoBuf.Meta;

namespace ProtoBench;

/// <summary>Generates the functions of the benchmarks for a class of the user, as <see cref="ReadAllCode"/> and <see cref="MakeCode"/> do
/// for the classes of a .proto file: functions that read every field, or every third one, and that make an object as the author of a
/// service would.</summary>
sealed class OwnCode
{
    readonly Type root;
    readonly IReadOnlyList<Type> types;

    public OwnCode(Type type)
    {
        root = type;
        types = OwnMembers.Reachable(type, OwnMembers.OfProtobuf);
        WhyNotMade = types.Select(WhyNot).FirstOrDefault(why => why is not null);
        WhyNoReply = WhyNotMade ?? types.Where(one => one.IsClass).Select(WrittenUnset).FirstOrDefault(why => why is not null);
    }

    /// <summary>Why the class cannot be made by setting its members; null if it can.</summary>
    public string? WhyNotMade { get; }

    /// <summary>Gets the rows that the class cannot have, with the reason.</summary>
    public IReadOnlyList<(string Rows, string Why)> LeftOut =>
        WhyNotMade is { } why ? [("Make, MakeNew and Serve", why)] : WhyNoReply is { } whyNot ? [("Serve", whyNot)] : [];

    /// <summary>Why a reply with a third of the members is not that of the other libraries; null if it is. protobuf-net writes a date that
    /// was not set, for example.</summary>
    public string? WhyNoReply { get; }

    public string Write()
    {
        var code = new CodeWriter();
        code.Indent();
        foreach (var type in types)
        {
            Touch(code, type, "Touch", 1);
            Touch(code, type, "TouchThird", ReadAllCode.Third);
            if (WhyNotMade is not null)
                continue;
            Make(code, type, "MakePlain", newStrings: false);
            Make(code, type, "MakePlainNew", newStrings: true);
            Reply(code, type);
        }

        // the cells that call them are left out
        foreach (var name in WhyNotMade is null ? [] : (string[])["MakePlain", "MakePlainNew", "Reply"])
        {
            var type = OwnMembers.CodeOf(root);
            code.Member($"public static {type} {name}({type} source) => throw new global::System.NotSupportedException();");
        }

        code.TrimEmptyLine();
        return code.ToString();
    }

    // A value of zero and an empty text are the same as none in a .proto file.
    static string? WrittenUnset(Type type)
    {
        var fields = RuntimeTypeModel.Default[type].GetFields().ToDictionary(field => field.FieldNumber);
        using var input = new CodedInputStream(OwnContent.ToProtobuf(Activator.CreateInstance(type)!));
        while (input.ReadTag() is not 0 and var tag)
        {
            var field = fields[WireFormat.GetTagFieldNumber(tag)];
            var isContent = WireFormat.GetTagWireType(tag) switch
            {
                WireFormat.WireType.Varint => input.ReadUInt64() != 0,
                WireFormat.WireType.Fixed32 => input.ReadFixed32() != 0,
                WireFormat.WireType.Fixed64 => input.ReadFixed64() != 0,
                WireFormat.WireType.LengthDelimited => input.ReadBytes().Length > 0 || OwnMembers.IsOwn(field.MemberType),
                _ => true,
            };
            if (isContent)
                return $"protobuf-net writes {type.Name}.{field.Name} even if it was not set";
        }

        return null;
    }

    static bool IsInHierarchy(Type type) => OwnMembers.DerivedFrom(type).Count > 0 || OwnMembers.WrittenAs(type) != type;

    // numbers, enums and bool: what a .proto file has as a value that is absent if it is zero
    static bool IsNumber(Type type) => type.IsEnum || (type.IsPrimitive && type != typeof(nint) && type != typeof(nuint));

    string? WhyNot(Type type) =>
        !type.IsVisible ? $"{OwnMembers.NameOf(type)} is not public"
        : IsInHierarchy(type) ? $"{OwnMembers.NameOf(type)} is a base class or a derived class ([ProtoInclude])"
        : type.IsAbstract || (type.IsClass && type.GetConstructor(Type.EmptyTypes) is null)
            ? $"{OwnMembers.NameOf(type)} has no public constructor without parameters"
        : OwnMembers.OfProtobuf(type).FirstOrDefault(member => !member.CanSet && !IsFilled(type, member)) is { } member
            ? $"{OwnMembers.NameOf(type)}.{member.Name} cannot be set" : null;

    void Touch(CodeWriter code, Type type, string name, int every)
    {
        // a function of a hierarchy begins with the members of its base class, and goes on with those of the derived ones
        var function = name;
        if (IsInHierarchy(type))
        {
            function += "Members";
            code.Member($"public static long {name}({OwnMembers.CodeOf(type)} message) => "
                + $"{function}(({OwnMembers.CodeOf(OwnMembers.WrittenAs(type))})message);");
        }

        code.Open($"public static long {function}({OwnMembers.CodeOf(type)} message)");
        code.Line("var sum = 0L;");
        foreach (var (i, member) in OwnMembers.OfProtobuf(type).Index().Where(one => one.Index % every == 0))
        {
            var (value, local) = ("message." + Identifier.Escape(member.Name), Local(i));
            if (OwnMembers.Collection(member.Type) is not var (key, item))
            {
                code.Line($"sum += {Read(member.Type, value, local)};");
                continue;
            }

            // the enumerator of an interface is an object
            code.Line($"if ({value} is {{ }} {local})");
            code.Indent();
            code.Line(IsIndexed(member.Type) ? $"for (var i = 0; i < {local}.Count; i++) sum += {Read(item, local + "[i]", "one")};"
                : $"foreach (var item in {local}) sum += {(key is null ? Read(item, "item", "one")
                    : $"{Read(key, "item.Key", "key")} + {Read(item, "item.Value", "one")}")};");
            code.Unindent();
        }

        foreach (var (i, derived) in OwnMembers.DerivedFrom(type).Index())
        {
            var local = "derived" + i.ToString(CultureInfo.InvariantCulture);
            code.Line($"if (message is {OwnMembers.CodeOf(derived)} {local}) sum += {function}({local});");
        }

        code.Line("return sum;");
        code.Close();
        code.Line();

        string Read(Type type, string value, string local) => Nullable.GetUnderlyingType(type) is { } inner
            ? Read(inner, value + ".GetValueOrDefault()", local)
            : type == typeof(string) || type == typeof(byte[]) ? $"Leaf({value})"
            : type == typeof(bool) ? $"({value} ? 1 : 0)"
            : IsNumber(type) ? $"(long){value}"
            : types.Contains(type) ? type.IsValueType ? $"{name}({value})" : $"({value} is {{ }} {local} ? {name}({local}) : 0)"
            : type.IsValueType ? $"{value}.GetHashCode()" : $"({value}?.GetHashCode() ?? 0)";
    }

    void Make(CodeWriter code, Type type, string name, bool newStrings)
    {
        code.Open($"public static {OwnMembers.CodeOf(type)} {name}({OwnMembers.CodeOf(type)} source)");
        List<(string Member, string Value)> set = [];
        var filled = new CodeWriter();
        foreach (var (i, member) in OwnMembers.OfProtobuf(type).Index())
        {
            var (property, source, local) = (Identifier.Escape(member.Name), "source." + Identifier.Escape(member.Name), Local(i));
            var (list, kind) = (OwnMembers.Collection(member.Type), KindOf(type, member));
            if (list is not var (key, item) || kind == Kind.Value || (kind == Kind.Array && !IsMade(item)))
            {
                set.Add((property, list is null ? Value(member.Type, source, local) : source));
                continue;
            }

            var made = kind == Kind.Filled ? "made." + property : Local(i).Replace("field", "made", StringComparison.Ordinal);
            if (kind != Kind.Filled)
            {
                var empty = kind == Kind.Array ? $"new {OwnMembers.CodeOf(item)}[{source}.Length]" : $"new {Concrete(member.Type, key, item)}()";
                code.Line($"var {made} = {source} is null ? null : {empty};");
                set.Add((property, made));
            }

            var to = kind == Kind.Filled ? filled : code;
            to.Line($"if ({source} is {{ }} {local})");
            to.OpenBlock();
            if (kind == Kind.Array)
                to.Line($"for (var i = 0; i < {local}.Length; i++) {made}[i] = {Value(item, local + "[i]", "one")};");
            else
            {
                if (HasCapacity(member.Type, kind))
                    to.Line($"{made}.EnsureCapacity({local}.Count);");
                to.Line($"foreach (var item in {local}) {made}.Add({(key is null ? Value(item, "item", "one")
                    : $"{Value(key, "item.Key", "key")}, {Value(item, "item.Value", "one")}")});");
            }

            to.Close();
        }

        Return(code, type, set, filled);

        bool IsMade(Type type) => types.Contains(type) || (newStrings && type == typeof(string));

        string Value(Type type, string value, string local) =>
            types.Contains(type) && !type.IsValueType ? $"{value} is {{ }} {local} ? {name}({local}) : null"
            : newStrings && type == typeof(string) ? $"{value} is {{ }} {local} ? New({local}) : null" : value;
    }

    void Reply(CodeWriter code, Type type)
    {
        code.Open($"public static {OwnMembers.CodeOf(type)} Reply({OwnMembers.CodeOf(type)} source)");
        List<(string Member, string Value)> set = [];
        var filled = new CodeWriter();
        foreach (var (i, member) in OwnMembers.OfProtobuf(type).Index().Where(one => one.Index % ReadAllCode.Third == 0))
        {
            var (property, source, local) = (Identifier.Escape(member.Name), "source." + Identifier.Escape(member.Name), Local(i));
            var kind = KindOf(type, member);
            if (OwnMembers.Collection(member.Type) is not var (key, item) || kind == Kind.Value)
            {
                set.Add((property, Value(member.Type, source, local)));
                continue;
            }

            if (kind == Kind.Array)
            {
                set.Add((property, $"{source} is [var {local}, ..] ? [{Value(item, local, local + "Made")}] : null"));
                continue;
            }

            var made = kind == Kind.Filled ? "made." + property : Local(i).Replace("field", "made", StringComparison.Ordinal);
            if (kind == Kind.New)
            {
                code.Line($"var {made} = {source} is null ? null : new {Concrete(member.Type, key, item)}();");
                set.Add((property, made));
            }

            var to = kind == Kind.Filled ? filled : code;
            to.Line($"if ({source} is {{ }} {local})");
            to.OpenBlock();
            to.Open($"foreach (var item in {local})");
            to.Line($"{made}.Add({(key is null ? Value(item, "item", "one") : $"item.Key, {Value(item, "item.Value", "one")}")});");
            to.Line("break;");
            to.Close();
            to.Close();
        }

        Return(code, type, set, filled);

        string Value(Type type, string value, string local) =>
            types.Contains(type) && !type.IsValueType ? $"{value} is {{ }} {local} ? Reply({local}) : null" : value;
    }

    // An initializer can set members that nothing else can.
    static void Return(CodeWriter code, Type type, List<(string Member, string Value)> set, CodeWriter filled)
    {
        code.Open($"var made = new {OwnMembers.CodeOf(type)}");
        foreach (var (member, value) in set)
            code.Line($"{member} = {value},");
        code.Close(";");
        code.Lines(filled.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries));
        code.Line("return made;");
        code.Close();
        code.Line();
    }

    static string Local(int index) => "field" + index.ToString(CultureInfo.InvariantCulture);

    // A list that the constructor made is filled: the member may have no setter.
    static Kind KindOf(Type type, OwnMember member) =>
        member.Type.IsArray ? Kind.Array : IsFilled(type, member) ? Kind.Filled
        : OwnMembers.Collection(member.Type) is var (key, item) && Concrete(member.Type, key, item) is not null ? Kind.New : Kind.Value;

    static bool IsFilled(Type type, OwnMember member) => !type.IsAbstract && !member.Type.IsArray
        && OwnMembers.Collection(member.Type) is not null && CanAdd(member.Type)
        && Activator.CreateInstance(type) is { } made
        && (type.GetProperty(member.Name)?.GetValue(made) ?? type.GetField(member.Name)?.GetValue(made)) is not null;

    static bool IsIndexed(Type type) => type.IsInterface && type.IsGenericType
        && (type.GetGenericTypeDefinition() == typeof(IList<>) || type.GetGenericTypeDefinition() == typeof(IReadOnlyList<>));

    static bool CanAdd(Type type) => type.GetInterfaces().Append(type).Any(one =>
        one.IsGenericType && one.GetGenericTypeDefinition() == typeof(ICollection<>))
        && (type.IsInterface || type.GetMethods().Any(method => method.Name == "Add"));

    // The collection that is made for a member; null for one that is not known to be filled by Add.
    static string? Concrete(Type type, Type? key, Type item)
    {
        if (type is { IsInterface: false, IsAbstract: false } && CanAdd(type) && type.GetConstructor(Type.EmptyTypes) is not null)
            return OwnMembers.CodeOf(type);
        var list = key is null ? typeof(List<>).MakeGenericType(item) : typeof(Dictionary<,>).MakeGenericType(key, item);
        return type.IsInterface && type.IsAssignableFrom(list) ? OwnMembers.CodeOf(list) : null;
    }

    // A list or a dictionary is made for an interface.
    static bool HasCapacity(Type type, Kind kind) => type.IsInterface && kind == Kind.New
        ? type.GetInterfaces().Append(type).Any(one => one.IsGenericType && one.GetGenericTypeDefinition() == typeof(ICollection<>))
        : type.GetMethod("EnsureCapacity", [typeof(int)]) is not null;

    enum Kind
    {
        Value,
        Array,
        Filled,
        New,
    }
}

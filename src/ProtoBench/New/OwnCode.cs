using System.Globalization;
using System.Reflection;
using Google.Protobuf;
using ProtoBench.Codec.Generator;
using ProtoBench.Codec.Generator.Naming;
using ProtoBench.Messages.Generator;
using ProtoBuf.Meta;

namespace ProtoBench;

/// <summary>Generates the functions of the benchmarks for a class of the user, as <see cref="ReadAllCode"/> and <see cref="MakeCode"/> do
/// for the classes of a .proto file: functions that read every field, or every third one, and that make an object as the author of a
/// service would.</summary>
sealed class OwnCode
{
    readonly Type root;
    readonly bool isProtobuf;

    // with collections that are elements of others
    readonly IReadOnlyList<Type> types;

    /// <param name="type">The class.</param>
    /// <param name="isProtobuf">Whether it has a .proto file. If not, its content is what System.Text.Json writes.</param>
    public OwnCode(Type type, bool isProtobuf)
    {
        (root, this.isProtobuf) = (type, isProtobuf);
        types = OwnMembers.Reachable(type, isProtobuf);
        Type[] own = [.. types.Where(one => OwnMembers.Collection(one) is null)];
        WhyNotMade = own.Select(WhyNot).FirstOrDefault(why => why is not null);
        WhyNoReply = WhyNotMade ?? (isProtobuf ? own.Select(WhyNotInReply).FirstOrDefault(why => why is not null) : null);
        Hidden = [.. from one in own from member in OwnMembers.Of(one, isProtobuf) where !member.CanGet select NameOf(one, member)];
    }

    /// <summary>Gets the members that are content and are not public. Functions that read every field cannot read them.</summary>
    public IReadOnlyList<string> Hidden { get; }

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

    string? WhyNotInReply(Type type) =>
        MembersOf(type).FirstOrDefault(one => one.Item.IsRequired && one.Index % ReadAllCode.Third != 0).Item is { } required
            ? $"{NameOf(type, required)} is required, and the reply has a third of the members" : type.IsClass ? WrittenUnset(type) : null;

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

    static string NameOf(Type type, OwnMember member) => $"{OwnMembers.NameOf(type)}.{member.Name}";

    bool IsInHierarchy(Type type) => isProtobuf && (OwnMembers.DerivedFrom(type).Count > 0 || OwnMembers.WrittenAs(type) != type);

    // numbers, enums and bool: what a .proto file has as a value that is absent if it is zero
    static bool IsNumber(Type type) => type.IsEnum || (type.IsPrimitive && type != typeof(nint) && type != typeof(nuint));

    string? WhyNot(Type type) =>
        !type.IsVisible ? $"{OwnMembers.NameOf(type)} is not public"
        : IsInHierarchy(type) ? $"{OwnMembers.NameOf(type)} is a base class or a derived class ([ProtoInclude])"
        : type.IsAbstract || (type.IsClass && type.GetConstructor(Type.EmptyTypes) is null)
            ? $"{OwnMembers.NameOf(type)} has no public constructor without parameters"
        : OwnMembers.Of(type, isProtobuf)
            .FirstOrDefault(member => !member.CanGet || (!member.CanSet && !IsFilled(type, member))) is { } member
            ? $"{NameOf(type, member)} {(member.CanGet ? "cannot be set" : "is not public")}" : null;

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
        if (OwnMembers.Collection(type) is var (keys, items))
            code.Line(Sum(type, keys, items, "message"));
        foreach (var (i, member) in MembersOf(type).Where(one => one.Index % every == 0 && one.Item.CanGet))
        {
            var (value, local) = ("message." + Identifier.Escape(member.Name), Local(i));
            if (OwnMembers.Collection(member.Type) is not var (key, item))
            {
                code.Line($"sum += {Read(member.Type, value, local)};");
                continue;
            }

            code.Line($"if ({value} is {{ }} {local})");
            code.Indent();
            code.Line(Sum(member.Type, key, item, local));
            code.Unindent();
        }

        foreach (var (i, derived) in (isProtobuf ? OwnMembers.DerivedFrom(type) : []).Index())
        {
            var local = "derived" + i.ToString(CultureInfo.InvariantCulture);
            code.Line($"if (message is {OwnMembers.CodeOf(derived)} {local}) sum += {function}({local});");
        }

        code.Line("return sum;");
        code.Close();
        code.Line();

        // the enumerator of an interface is an object
        string Sum(Type type, Type? key, Type item, string list) =>
            IsIndexed(type) ? $"for (var i = 0; i < {list}.Count; i++) sum += {Read(item, list + "[i]", "one")};"
            : $"foreach (var item in {list}) sum += {(key is null ? Read(item, "item", "one")
                : $"{Read(key, "item.Key", "key")} + {Read(item, "item.Value", "one")}")};";

        string Read(Type type, string value, string local) => Nullable.GetUnderlyingType(type) is { } inner
            ? Read(inner, value + ".GetValueOrDefault()", local)
            : type == typeof(string) || type == typeof(byte[]) ? $"Leaf({value})"
            : type == typeof(object) ? $"({value} is null ? 0 : 1)"
            : type == typeof(bool) ? $"({value} ? 1 : 0)"
            : IsNumber(type) ? $"(long){value}"
            : types.Contains(type) ? type.IsValueType ? $"{name}({value})" : $"({value} is {{ }} {local} ? {name}({local}) : 0)"
            : type.IsValueType ? $"{value}.GetHashCode()" : $"({value}?.GetHashCode() ?? 0)";
    }

    // a collection has elements instead
    IEnumerable<(int Index, OwnMember Item)> MembersOf(Type type) =>
        OwnMembers.Collection(type) is null ? OwnMembers.Of(type, isProtobuf).Index() : [];

    void Make(CodeWriter code, Type type, string name, bool newStrings)
    {
        if (OwnMembers.Collection(type) is var (keys, items))
        {
            Copy(code, type, keys, items, name, isFirstOnly: false, Value);
            return;
        }

        code.Open($"public static {OwnMembers.CodeOf(type)} {name}({OwnMembers.CodeOf(type)} source)");
        List<(string Member, string Value)> set = [];
        var filled = new CodeWriter();
        foreach (var (i, member) in MembersOf(type))
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
                var empty = kind == Kind.Array ? NewArray(item, source + ".Length") : $"new {Concrete(member.Type, key, item)}()";
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

    // MessagePack writes a date that was not set as another one, and Nerdbank.MessagePack reads no object without a required member. In a
    // .proto file both are absent.
    bool IsAlwaysInReply(OwnMember member) => !isProtobuf && (member.IsRequired || member.Type == typeof(DateTime));

    void Reply(CodeWriter code, Type type)
    {
        if (OwnMembers.Collection(type) is var (keys, items))
        {
            Copy(code, type, keys, items, "Reply", isFirstOnly: true, Value);
            return;
        }

        code.Open($"public static {OwnMembers.CodeOf(type)} Reply({OwnMembers.CodeOf(type)} source)");
        List<(string Member, string Value)> set = [];
        var filled = new CodeWriter();
        foreach (var (i, member) in MembersOf(type))
        {
            if (i % ReadAllCode.Third != 0 && !IsAlwaysInReply(member))
            {
                if (member.IsRequired)
                    set.Add((Identifier.Escape(member.Name), "default"));
                continue;
            }

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

    // A function for a collection that is an element of another one.
    static void Copy(CodeWriter code, Type type, Type? key, Type item, string name, bool isFirstOnly,
        Func<Type, string, string, string> value)
    {
        var elements = type.IsArray ? NewArray(item, isFirstOnly ? "System.Math.Min(1, source.Length)" : "source.Length")
            : Concrete(type, key, item) is { } concrete ? $"new {concrete}()" : null;
        code.Open($"public static {OwnMembers.CodeOf(type)} {name}({OwnMembers.CodeOf(type)} source)");
        code.Line($"var made = {elements ?? "source"};");
        if (type.IsArray)
            code.Line($"for (var i = 0; i < made.Length; i++) made[i] = {value(item, "source[i]", "one")};");
        else if (elements is not null)
        {
            if (!isFirstOnly && HasCapacity(type, Kind.New))
                code.Line("made.EnsureCapacity(source.Count);");
            code.Open("foreach (var item in source)");
            code.Line($"made.Add({(key is null ? value(item, "item", "one")
                : $"{value(key, "item.Key", "key")}, {value(item, "item.Value", "one")}")});");
            if (isFirstOnly)
                code.Line("break;");
            code.Close();
        }

        code.Line("return made;");
        code.Close();
        code.Line();
    }

    // the length of an array of arrays is between the brackets of the outer one
    static string NewArray(Type item, string length)
    {
        var inner = "";
        for (; item.IsArray; item = item.GetElementType()!)
            inner += "[]";
        return $"new {OwnMembers.CodeOf(item)}[{length}]{inner}";
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
        member.Type.IsArray ? Kind.Array : !member.IsRequired && IsFilled(type, member) ? Kind.Filled
        : OwnMembers.Collection(member.Type) is var (key, item) && Concrete(member.Type, key, item) is not null ? Kind.New : Kind.Value;

    static bool IsFilled(Type type, OwnMember member) => !type.IsAbstract && !member.Type.IsArray
        && OwnMembers.Collection(member.Type) is not null && CanAdd(member.Type)
        && Activator.CreateInstance(type) is { } made
        && (type.GetProperty(member.Name)?.GetValue(made) ?? type.GetField(member.Name)?.GetValue(made)) is not null;

    static bool IsIndexed(Type type) => type.IsInterface && type.IsGenericType
        && (type.GetGenericTypeDefinition() == typeof(IList<>) || type.GetGenericTypeDefinition() == typeof(IReadOnlyList<>));

    static bool CanAdd(Type type) => type.GetInterfaces().Append(type).Any(one =>
        one.IsGenericType && one.GetGenericTypeDefinition() == typeof(ICollection<>))
        && (type.IsInterface || type.GetMethods().Any(IsAdd));

    // that of an immutable collection returns another collection
    static bool IsAdd(MethodInfo method) => method.Name == "Add" && (method.ReturnType == typeof(void) || method.ReturnType == typeof(bool));

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

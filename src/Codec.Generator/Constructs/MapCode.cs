using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the code of a map: a list of entries, one for each key, with access by key.</summary>
sealed class MapCode(ProtoField field) : RepeatedMessageCode(field)
{
    ProtoField Key => Field.Message!.Fields[0];

    ProtoField Value => Field.Message!.Fields[1];

    string Entry => $"{Field.Message!.TypeName}.{Field.Message.Names.Fields}";

    string KeySlot => Key.Names.Storage;

    string ValueSlot => Value.Names.Storage;

    // no field can have such a name: Google's naming rules only leave an underscore at the end of a name
    string OpenMethod => "Open_" + Names.Storage;

    string FindMethod => "Find_" + Names.Storage;

    string KeyType => Key.IsBytes ? "sys::ReadOnlySpan<byte>" : ScalarKind.Of(Key).Stored;

    MessageNames ViewNames => Field.Owner.Names;

    public override string SlotType => "runtime::MapRange";

    protected override string Range => Slot + ".Entries";

    protected override string Collection => "Map";

    public override void Mutators(CodeWriter code)
    {
        Lookup(code);
        if (Value.Message is null)
        {
            SetValue(code);
        }
        else
        {
            MutableValue(code);
            SetCopy(code);
        }

        code.Line($"/// <summary>Removes the entry with the specified key from the map "
            + $"{DocComment.Escape(Field.Descriptor.Name)}.</summary>");
        code.Line("/// <returns>Whether there was an entry with this key.</returns>");
        ViewCode.Method(code, ViewNames, $"bool {Names.Remove}({KeyType} key)",
        [
            $"var at = {ViewNames.Storage}.{FindMethod}(storage, ref fields, key);",
            "if (at < 0) return false;",
            $"var {Names.Local} = {Slot};",
            $"{Array}.RemoveAt(ref {Names.Local}, at);",
            $"{ViewNames.Mutable}().{Names.Storage} = {Names.Local};",
            "return true;",
        ]);
        WithText(code, "bool", Names.Remove, "", "");
        PresenceCode.Clear(code, Field, $"{Slot} = default;");
    }

    void Lookup(CodeWriter code)
    {
        var (type, value) = ValueOf("at");
        code.Line($"/// <summary>Gets the value with the specified key from the map {DocComment.Escape(Field.Descriptor.Name)}, if "
            + $"there is one.</summary>");
        ViewCode.Reader(code, ViewNames, $"bool {Names.TryGet}({KeyType} key, out {type} value)",
        [
            $"var at = {ViewNames.Storage}.{FindMethod}(storage, ref fields, key);",
            $"value = {value};",
            $"{ViewNames.Content}();",
            "return at >= 0;",
        ]);
        WithText(code, "bool", Names.TryGet, $", out {type} value", ", out value");
    }

    /// <summary>Gets the type of a value, and the expression for the value of an entry, whose index is negative if there is none.</summary>
    (string Type, string Value) ValueOf(string index)
    {
        var slot = $"{Array}[{index}].{ValueSlot}";
        if (Value.Message is { } message)
            return (message.TypeName, $"new({Array}.{ValueSlot}, {index} < 0 ? 0 : {slot}, {Array}.{ValueSlot}.Stamp)");
        if (Value.IsBytes) return (BytesCode.ViewType(Value), $"{index} < 0 ? default : new(storage, {slot}, stamp)");
        return (Value.Enum?.TypeName ?? ScalarKind.Of(Value).Stored, $"{index} < 0 ? default : {slot}");
    }

    void SetValue(CodeWriter code)
    {
        (string Type, string Parameter, string Store)[] forms = Value.IsBytes
            ? [.. BytesCode.Stores(Value)
                .Select(store => (store.Type, store.Parameter, $"storage.Memory.{store.Store}({store.Parameter})"))]
            : [(ValueOf("").Type, "value", "value")];
        foreach (var (type, parameter, store) in forms)
        {
            SetHead(code);
            code.Open($"public void {Names.Set}({KeyType} key, {type} {parameter})");
            code.Line($"var stored = {store};");
            code.Line($"{Array}[{ViewNames.Storage}.{OpenMethod}(storage, ref {ViewNames.Mutable}(), key)].{ValueSlot} = stored;");
            code.Close();
            code.Line();
            WithText(code, "void", Names.Set, $", {type} {parameter}", $", {parameter}");
        }
    }

    void SetHead(CodeWriter code) =>
        code.Line($"/// <summary>Adds an entry to the map {DocComment.Escape(Field.Descriptor.Name)}, or replaces the value of the entry "
            + "with the same key.</summary>");

    void SetCopy(CodeWriter code)
    {
        var message = Value.Message!;
        var values = $"{Array}.{ValueSlot}";
        SetHead(code);
        code.Open($"public void {Names.Set}({KeyType} key, {message.TypeName} source)");
        code.Line($"{ViewNames.Mutable}();");
        code.Line($"var reader = {new MessageCalls(Value).Copy("source")};");
        code.Line($"var read = {values}.Append();");
        code.Line($"runtime::MessageMemory.Read(reader, new {message.TypeName}({values}, read, {values}.Stamp));");
        code.Line($"var at = {ViewNames.Storage}.{OpenMethod}(storage, ref {ViewNames.Mutable}(), key);");
        code.Line($"ref var value = ref {Array}[at].{ValueSlot};");
        code.Line("if (value == 0) value = read;");
        code.Line($"else {values}[value] = {values}[read];");
        code.Close();
        code.Line();
        WithText(code, "void", Names.Set, $", {message.TypeName} source", ", source");
    }

    void MutableValue(CodeWriter code)
    {
        var value = $"{Array}.{ValueSlot}";
        code.Line($"/// <summary>Gets the value with the specified key from the map {DocComment.Escape(Field.Descriptor.Name)}. If "
            + $"there is none, an empty message is added.</summary>");
        code.Open($"public {Value.Message!.TypeName} {Names.Mutable}({KeyType} key)");
        code.Line($"var at = {ViewNames.Storage}.{OpenMethod}(storage, ref {ViewNames.Mutable}(), key);");
        code.Line($"var child = {value}.Open({Array}[at].{ValueSlot});");
        code.Line($"{Array}[at].{ValueSlot} = child;");
        code.Line($"return new({value}, child, {value}.Stamp);");
        code.Close();
        code.Line();
        WithText(code, Value.Message.TypeName, Names.Mutable, "", "");
    }

    /// <summary>Writes the same method for a key in UTF-16.</summary>
    void WithText(CodeWriter code, string type, string name, string parameters, string arguments)
    {
        if (!Key.IsBytes) return;
        code.Line($"/// <inheritdoc cref=\"{name}(sys::ReadOnlySpan{{byte}}{Reference(parameters)})\"/>");
        code.Member($"public {type} {name}(sys::ReadOnlySpan<char> key{parameters}) => {name}(runtime::MapKey.Encode(key, stackalloc "
            + $"byte[runtime::MapKey.BufferSize]){arguments});");
    }

    /// <summary>Gets the types of the parameters, as a cref in a comment contains them.</summary>
    static string Reference(string parameters)
    {
        if (parameters.Length == 0) return "";
        var type = parameters[2..parameters.LastIndexOf(' ')];
        return ", " + type.Replace('<', '{').Replace('>', '}');
    }

    /// <summary>Writes the members of the storage that find the entry of a key, and add one.</summary>
    public override void StorageMembers(CodeWriter code)
    {
        code.Open($"internal static int {FindMethod}({ViewNames.Storage} storage, ref {ViewNames.Fields} fields, {KeyType} key)");
        if (Key.IsBytes)
        {
            code.Line($"return storage.Memory.FindEntry({Array}, {Slot}, key);");
        }
        else
        {
            code.Line($"var probe = default({Entry});");
            code.Line($"probe.{KeySlot} = key;");
            code.Line($"return storage.Memory.FindEntry({Array}, {Slot}, probe);");
        }

        code.Close();
        code.Line();
        code.Open($"internal static int {OpenMethod}({ViewNames.Storage} storage, ref {ViewNames.Fields} fields, {KeyType} key)");
        code.Line($"var at = {FindMethod}(storage, ref fields, key);");
        code.Line("if (at >= 0) return at;");
        if (Key.IsBytes) code.Line("var stored = storage.Memory.StoreString(key);");
        code.Line($"var {Names.Local} = {Slot};");
        code.Line($"at = {Array}.Add(ref {Names.Local});");
        code.Line($"{Array}[at].{KeySlot} = {(Key.IsBytes ? "stored" : "key")};");
        code.Line($"{Slot} = storage.Memory.KeepLast({Array}, {Names.Local});");
        code.Lines(MarkPresent);
        code.Line("return at;");
        code.Close();
        code.Line();
    }

    protected override string BeginList => Slot;

    protected override string EndList => Names.Local;

    bool HasClosedValues => Value.Enum is { IsClosed: true };

    /// <summary>Writes the statements that read an entry. It replaces an earlier one with the same key. An entry whose value a closed enum
    /// does not define is kept as an unknown field of the message.</summary>
    protected override void ParseElement(CodeWriter code)
    {
        if (HasClosedValues) code.Line($"var entry = reader.StartOf({Tag.Value});");
        Calls.Parse(code, Array, $"{Array}.Append(ref {Names.Local})");
        if (!HasClosedValues)
        {
            code.Line($"{Names.Local} = storage.Memory.KeepLast({Array}, {Names.Local});");
            return;
        }

        code.Open($"if ({EnumCode.IsKnown(Value.Enum!, $"(int){Array}.Slice({Names.Local}.Entries)[^1].{ValueSlot}")})");
        code.Line($"{Names.Local} = storage.Memory.KeepLast({Array}, {Names.Local});");
        code.Close();
        code.Open("else");
        code.Line($"{Names.Local} = {Names.Local}.WithoutLast();");
        code.Line("reader.KeepSince(ref fields.Unknown, entry, ref scratch);");
        code.Close();
        code.Line();
    }

    public override void Equality(CodeWriter code)
    {
        code.Line($"if ({Range}.Count != {Other(Range)}.Count) return false;");
        code.Open($"foreach (ref var item in {Array}.Slice({Range}))");
        code.Line($"var at = {FindMethod}(otherStorage, ref other, "
            + $"{(Key.IsBytes ? $"storage.Memory.Span(item.{KeySlot})" : $"item.{KeySlot}")});");
        code.Line($"if (at < 0 || !{Calls.AreEqual(Array, "ref item", Other(Array), $"ref {Other(Array)}[at]")}) return false;");
        code.Close();
        code.Line();
    }

    /// <summary>Adds the sum of the entries' hashes, because the order of the entries is not part of the content.</summary>
    public override void Hash(CodeWriter code)
    {
        code.Line($"var {Names.Local} = 0L;");
        code.Line($"foreach (ref var item in {Array}.Slice({Range})) {Names.Local} += {Calls.Hash(Array, "ref item")};");
        code.Line($"if ({Range}.Count != 0) hash.Add({Field.Number}, {Names.Local});");
    }
}

using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the array of a message's fields, the arrays that the fields refer to, and the code that reads and writes
/// them.</summary>
class StorageDeclaration(ProtoMessage message, IReadOnlyList<FieldCode> fields)
{
    /// <summary>The attribute of members that are public only for other generated code.</summary>
    public const string Hidden = "[sys::ComponentModel.EditorBrowsable(sys::ComponentModel.EditorBrowsableState.Never)]";

    /// <summary>The method that copies a message into another memory. No field can have such a name: Google's naming rules only leave an
    /// underscore at the end of a name.</summary>
    public const string CopyMethod = "Copy_To";

    const int mostInlinedGroups = 4;

    readonly LayoutCode layout = LayoutCode.Of(message);
    readonly IReadOnlyList<FieldGroup> groups = FieldGroup.Of(fields);

    protected IReadOnlyList<FieldCode> Fields => fields;

    string Name => message.Names.Storage;

    string Struct => message.Names.Fields;

    // one for each method: the JIT clears it at the entry
    const string scratch = "jit::Unsafe.SkipInit(out runtime::WireReader scratch);";

    string ReadTag => groups.Count > 1 ? "ReadWideTag" : "ReadTag";

    /// <summary>The statement that keeps an unknown field.</summary>
    protected virtual string KeepUnknown => UnknownFieldsCode.Parse("depth");

    public void Write(CodeWriter code)
    {
        var arrays = fields.SelectMany(field => field.Arrays).Distinct().ToList();
        code.Line("/// <summary>Stores the fields of the messages of this type. For generated code.</summary>");
        code.Line(Hidden);
        code.Open($"public sealed class {Name} : runtime::Storage<{Struct}>");
        code.Line("internal readonly runtime::Storage<runtime::ByteRange> Ranges;");
        foreach (var (name, type) in arrays) code.Line($"internal readonly {type} {name};");
        code.Line();
        code.Line($"{Name}(runtime::MessageMemory memory)");
        code.Line("    : base(memory)");
        code.OpenBlock();
        code.Line("Ranges = runtime::Storage<runtime::ByteRange>.Of(memory);");
        foreach (var (name, type) in arrays) code.Line($"{name} = {type}.Of(memory);");
        code.Close();
        code.Line();
        code.Member($"public static new {Name} Of(runtime::MessageMemory memory) => memory.Find<{Name}>() ?? new(memory);");
        Copy(code);
        Parse(code);
        Size(code);
        WriteFields(code);
        layout.FurtherMethods(code, fields);
        Equality(code);
        Hash(code);
        Print(code);
        RequiredCode.Write(code, message, fields);
        foreach (var one in fields) one.StorageMembers(code);
        code.TrimEmptyLine();
        code.Close();
        code.Line();
    }

    protected virtual void Copy(CodeWriter code)
    {
        code.Line("/// <summary>Writes a message into a memory, and returns a reader of what was written.</summary>");
        code.Open($"public static runtime::WireReader {CopyMethod}({message.TypeName} source, runtime::MessageMemory memory)");
        code.Line("var from = source.storage.Find((source.index, source.stamp));");
        code.Line($"return memory.CopyOf(source.storage, from.Stamp, new {message.TypeName}(source.storage, from.Index, from.Stamp));");
        code.Close();
        code.Line();
    }

    void Equality(CodeWriter code)
    {
        code.Line();
        code.Line("/// <summary>Determines whether two messages have the same content.</summary>");
        code.Open($"public static bool AreEqual({Name} storage, ref {Struct} fields, {Name} otherStorage, ref {Struct} other)");
        code.Lines(layout.GuardStack);
        foreach (var oneof in message.Oneofs) code.Line($"if (fields.{oneof.Storage} != other.{oneof.Storage}) return false;");
        foreach (var one in fields) one.Equality(code);
        code.Line("return runtime::MessageMemory.AreEqual(storage.Ranges, fields.Unknown, otherStorage.Ranges, other.Unknown);");
        code.Close();
        code.Line();
    }

    void Hash(CodeWriter code)
    {
        code.Line("/// <summary>Gets the hash of a message's content.</summary>");
        code.Open($"public static int Hash({Name} storage, ref {Struct} fields)");
        code.Lines(layout.GuardStack);
        CopyPresence(code);
        code.Line("var hash = default(runtime::ContentHash);");
        foreach (var one in fields) one.Hash(code);
        code.Line("hash.Add(0, storage.Ranges, fields.Unknown);");
        code.Line("return hash.Value;");
        code.Close();
        code.Line();
    }

    void Print(CodeWriter code)
    {
        code.Line("/// <summary>Prints a message.</summary>");
        code.Line($"public static void Print<TPrinter>(ref TPrinter printer, {Name} storage, ref {Struct} fields)");
        code.Open("    where TPrinter : struct, runtime::IPrinter, allows ref struct");
        PrintContent(code);
        code.Close();
        code.Line();
    }

    protected virtual void PrintContent(CodeWriter code)
    {
        code.Lines(layout.GuardStack);
        CopyPresence(code);
        OwnJsonForm.Write(code, message, fields);
        code.Line("var name = printer.Begin();");
        foreach (var one in fields) one.Print(code);
        code.Line("printer.End(name);");
    }

    void CopyPresence(CodeWriter code)
    {
        if (groups.Count == 1) return;
        for (var word = 0; word < PresenceBits.Words(message); word++) code.Line(PresenceBits.Copy(word));
    }

    /// <summary>Writes the method that reads a message, and that which reads a group, if a field has the message as a group. The first
    /// one then calls the second one, unless it is inlined.</summary>
    void Parse(CodeWriter code)
    {
        code.Line(layout.Inlining);
        code.Open($"public static void Parse(runtime::WireReader reader, {Name} storage, {layout.Parameter}, int depth)");
        if (message.IsDelimited && layout.ParseAsGroup is { } parse) code.Line(parse);
        else Loop(code, isGroup: false);
        code.Close();
        code.Line();
        if (message.IsDelimited)
        {
            code.Line("/// <summary>Reads a message up to the end tag of a group, or to the end of the reader's message if the tag is 0.</summary>");
            code.Line("[jit::MethodImpl(jit::MethodImplOptions.NoInlining)]");
            code.Open($"public static void {GroupCode.Method}(ref runtime::WireReader at, {Name} storage, "
                + $"{layout.GroupParameter}, int depth, uint end)");
            code.Line("var reader = at;");
            Loop(code, isGroup: true);
            code.Line("reader.ThrowIfOpen(end);");
            code.Close();
            code.Line();
        }

        foreach (var group in groups.Skip(1)) ParseGroup(code, group, isLast: group == groups[^1]);
    }

    /// <summary>Writes the loop over the tags.</summary>
    void Loop(CodeWriter code, bool isGroup)
    {
        code.Line(scratch);
        code.Lines(layout.FindFields);
        code.Open($"while (reader.{ReadTag}(out var tag, ref scratch))");
        if (groups.Count > 1)
        {
            // the method of a group returns the tag at which it stopped
            code.Line("again:");
        }

        code.Open("switch (tag)");
        Cases(code, groups[0], "continue;");
        code.Line("default:");
        code.Indent();
        if (isGroup) GroupCode.End(code, "return;");
        if (groups.Count > 1)
        {
            // on a copy, because a reader whose address is taken is kept in memory
            code.Line("scratch = reader;");
            code.Line($"tag = {FieldGroup.Choose(groups, message.IsDelimited)};");
            code.Line("reader = scratch;");
            code.Line("fields = ref storage[index];");
            code.Line("if (tag != 0) goto again;");
        }
        else
        {
            code.Line(KeepUnknown);
        }

        code.Line("continue;");
        code.Unindent();
        code.Close();
        code.Close();
        AfterLoop(code);
    }

    /// <summary>Writes statements after the loop over the tags.</summary>
    protected virtual void AfterLoop(CodeWriter code)
    {
    }

    /// <summary>Writes the method that reads fields until the first field that is not in the group.</summary>
    void ParseGroup(CodeWriter code, FieldGroup group, bool isLast)
    {
        code.Line(layout.Inlining);
        code.Open($"static uint {group.ParseMethod}(ref runtime::WireReader at, uint tag, {Name} storage, int index, int depth"
            + $"{(message.IsDelimited ? ", uint end" : "")})");
        code.Line("var reader = at;");
        code.Line(scratch);
        code.Line("ref var fields = ref storage[index];");
        code.Open("do");
        code.Open("switch (tag)");
        Cases(code, group, "break;");
        code.Line("default:");
        code.Indent();
        if (message.IsDelimited) GroupCode.End(code, "return tag;");
        code.Line(KeepUnknown);
        code.Line("break;");
        code.Unindent();
        code.Close();
        code.Line();
        code.Open($"if (!reader.{ReadTag}(out tag, ref scratch))");
        code.Line("at = reader;");
        code.Line("return 0;");
        code.Close();
        code.Close();
        code.Line($"while (tag >= {group.FirstTag}{(isLast ? "" : $" && tag <= {group.LastTag}")});");
        code.Line();
        code.Line("at = reader;");
        code.Line("return tag;");
        code.Close();
        code.Line();
    }

    static void Cases(CodeWriter code, FieldGroup group, string end)
    {
        var own = group.Fields;
        for (var i = 0; i < own.Count; i++)
            own[i].ParseCases(code,
                i + 1 < own.Count ? [$"if (reader.TryReadTag({own[i + 1].Tag.Value})) goto case {own[i + 1].Tag.Value};", end] : [end]);
    }

    void Size(CodeWriter code)
    {
        code.Line(layout.Inlining);
        code.Open($"public static long CalculateSize({Name} storage, ref {Struct} fields{layout.Depth("int depth")})");
        code.Lines(layout.BeforeSize);
        code.Line($"var size = {UnknownFieldsCode.Size};");
        if (groups.Count == 1)
        {
            foreach (var one in fields) one.Size(code);
        }
        else
        {
            foreach (var group in groups)
                code.Line($"if ({group.IsPresent}) size += {group.SizeMethod}(storage, ref fields{layout.Depth("depth")});");
        }

        code.Lines(layout.AfterSize);
        code.Line("return size;");
        code.Close();
        code.Line();
        layout.StoreSize(code);
        if (groups.Count == 1) return;
        foreach (var group in groups)
        {
            code.Line(layout.Inlining);
            code.Open($"static long {group.SizeMethod}({Name} storage, ref {Struct} fields{layout.Depth("int depth")})");
            code.Line("var size = 0L;");
            group.ForEach(code, one => one.Size(code));
            code.Line("return size;");
            code.Close();
            code.Line();
        }
    }

    void WriteFields(CodeWriter code)
    {
        if (groups.Count == 1)
        {
            layout.Write(code, () =>
            {
                foreach (var one in fields) one.Write(code);
                code.Line(UnknownFieldsCode.Write);
            });
            return;
        }

        code.Line(groups.Count <= mostInlinedGroups ? LayoutCode.Inline : layout.Inlining);
        code.Open($"public static void Write(ref runtime::WireWriter writer, {Name} storage, scoped ref {Struct} fields)");
        foreach (var group in groups) code.Line($"if ({group.IsPresent}) {group.WriteMethod}(ref writer, storage, ref fields);");
        code.Line(UnknownFieldsCode.Write);
        code.Close();
        foreach (var group in groups)
        {
            code.Line();
            code.Line(layout.Inlining);
            code.Open($"static void {group.WriteMethod}(ref runtime::WireWriter at, {Name} storage, scoped ref {Struct} fields)");
            code.Line("var writer = at;");
            group.ForEach(code, one => one.Write(code));
            code.Line("at = writer;");
            code.Close();
        }
    }
}

/// <summary>Generates the struct of a message's fields, which is one element of a flat array.</summary>
class FieldsDeclaration(ProtoMessage message, IReadOnlyList<FieldCode> fields)
{
    readonly LayoutCode layout = LayoutCode.Of(message);

    protected ProtoMessage Message => message;

    protected string Name => message.Names.Fields;

    /// <summary>The interfaces of the struct, with a colon.</summary>
    protected virtual string Interfaces => "";

    public void Write(CodeWriter code)
    {
        code.Line("/// <summary>Represents the stored fields of one message. For generated code.</summary>");
        code.Line(StorageDeclaration.Hidden);
        code.Open($"public struct {Name}{Interfaces}");
        for (var word = 0; word < PresenceBits.Words(message); word++) code.Line($"internal uint Presence{word};");
        foreach (var oneof in message.Oneofs) code.Line($"internal {oneof.CaseEnum} {oneof.Storage};");
        foreach (var field in fields) code.Line($"internal {field.SlotType} {field.Field.Names.Storage};");
        code.Lines(layout.SizeField);
        code.Line($"{layout.UnknownAccess} runtime::ElementRange Unknown;");
        Members(code);
        code.Close();
        code.Line();
    }

    /// <summary>Writes further members of the struct.</summary>
    protected virtual void Members(CodeWriter code)
    {
    }
}

/// <summary>Represents fields whose code is in one method, and whose bits are one half of a word. Their number is so small that the
/// compiler still inlines everything in the method.</summary>
sealed class FieldGroup(int index, IReadOnlyList<FieldCode> fields)
{
    const int size = 16;

    // The number of absent fields that are skipped at once.
    const int step = 8;

    public IReadOnlyList<FieldCode> Fields { get; } = fields;

    // no field can have such a name: Google's naming rules only leave an underscore at the end of a name
    public string ParseMethod => $"Parse_{index}";

    public string SizeMethod => $"CalculateSize_{index}";

    public string WriteMethod => $"Write_{index}";

    /// <summary>The smallest tag of the group's numbers.</summary>
    public uint FirstTag => (uint)Fields[0].Field.Number << 3;

    /// <summary>The largest tag of the group's numbers.</summary>
    public uint LastTag => ((uint)Fields[^1].Field.Number << 3) | 7;

    /// <summary>The condition that any field of the group may be set.</summary>
    public string IsPresent => $"({Word} & {Mask(0, size)}) != 0";

    string Word => "fields.Presence" + (index / 2);

    string Mask(int from, int count) => $"0x{((1u << count) - 1) << ((index % 2 * size) + from):X8}u";

    /// <summary>Writes the code of each field, with branches that skip fields that are not set.</summary>
    public void ForEach(CodeWriter code, Action<FieldCode> write)
    {
        code.Line(PresenceBits.Copy(index / 2));
        if (Fields.Count <= step)
        {
            foreach (var one in Fields) write(one);
            return;
        }

        for (var from = 0; from < Fields.Count; from += step)
        {
            code.Open($"if (({PresenceBits.Local(index / 2)} & {Mask(from, step)}) != 0)");
            foreach (var one in Fields.Skip(from).Take(step)) write(one);
            code.TrimEmptyLine();
            code.Close();
            code.Line();
        }
    }

    /// <summary>Divides the fields of a wide message into groups. The fields of any other message are one group.</summary>
    public static IReadOnlyList<FieldGroup> Of(IReadOnlyList<FieldCode> fields) =>
        fields.Count > 0 && fields[0].Field.Owner.IsWide
            ? [.. fields.Chunk(size).Select((chunk, i) => new FieldGroup(i, chunk))]
            : [new(0, fields)];

    /// <summary>Gets the call that reads a field that is not in the first group. The group is selected by the field's number.</summary>
    public static string Choose(IReadOnlyList<FieldGroup> groups, bool isDelimited)
    {
        var arguments = $"(ref scratch, tag, storage, index, depth{(isDelimited ? ", end" : "")})";
        if (groups.Count == 2) return groups[1].ParseMethod + arguments;
        var cases = groups.Skip(1).SkipLast(1).Select(group => $"<= {group.LastTag} => {group.ParseMethod}{arguments}");
        return $"tag switch {{ {string.Join(", ", cases)}, _ => {groups[^1].ParseMethod}{arguments} }}";
    }
}

/// <summary>Generates the code of unknown fields. They are kept as they were read, and are written after the known fields.</summary>
static class UnknownFieldsCode
{
    // A message rarely has unknown fields. The condition reads one number, whereas a call would first read its arguments.
    public const string Size = "fields.Unknown.Count == 0 ? 0 : runtime::WireSize.UnknownFields(storage.Ranges, fields.Unknown)";
    public const string Write = "if (fields.Unknown.Count != 0) writer.WriteUnknownFields(storage.Ranges, fields.Unknown);";

    /// <summary>Gets the statement that keeps an unknown field.</summary>
    public static string Parse(string depth) => $"reader.ReadUnknownField(ref fields.Unknown, tag, {depth}, ref scratch);";

    /// <summary>Gets the statement that keeps a value that a closed enum does not define.</summary>
    public static string Keep(uint tag, string number) =>
        $"storage.Memory.KeepVarintField(ref fields.Unknown, {tag}, {number});";
}

/// <summary>Generates the code of a message that is read as a group: up to an end tag.</summary>
static class GroupCode
{
    // no field can have such a name: Google's naming rules only leave an underscore at the end of a name
    public const string Method = "Parse_Group";

    /// <summary>Writes the statements that end the read at the end tag.</summary>
    public static void End(CodeWriter code, string end)
    {
        code.Open("if (tag == end)");
        code.Line("at = reader;");
        code.Line(end);
        code.Close();
        code.Line();
    }
}

/// <summary>Generates the search for a missing required field in a message and its sub-messages.</summary>
static class RequiredCode
{
    // no field can have such a name: Google's naming rules only leave an underscore at the end of a name
    public const string Method = "Missing_Required";

    public static void Write(CodeWriter code, ProtoMessage message, IEnumerable<FieldCode> fields)
    {
        if (!message.NeedsRequiredCheck) return;
        code.Line("/// <summary>Gets the full name of a required field that is not set; null if there is none.</summary>");
        code.Open($"public static string? {Method}({message.Names.Storage} storage, ref {message.Names.Fields} fields)");
        foreach (var field in fields)
        {
            field.Required(code);
            if (field.Field.Message is { NeedsRequiredCheck: true }) field.RequiredInside(code);
        }

        code.Line("return null;");
        code.Close();
        code.Line();
    }
}

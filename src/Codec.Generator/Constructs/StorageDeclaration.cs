using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>The array of a message's fields, the arrays that they refer to, and the code that reads and writes them.</summary>
sealed class StorageDeclaration(ProtoMessage message, IReadOnlyList<FieldCode> fields)
{
    /// <summary>What is public for other generated code only.</summary>
    public const string Hidden = "[sys::ComponentModel.EditorBrowsable(sys::ComponentModel.EditorBrowsableState.Never)]";

    const int mostInlined = 4;

    string Name => message.Names.Storage;

    string Fields => message.Names.Fields;

    /// <summary>Inlined into the message that it is in: few singular fields. More would exhaust the compiler's budget, and the reader would leave its registers.</summary>
    bool IsInlined => message.Fields.Count <= mostInlined && !message.HasMessages && message.Fields.All(one => !one.IsRepeated);

    string Inlining => $"[jit::MethodImpl(jit::MethodImplOptions.{(IsInlined ? "AggressiveInlining" : "NoInlining")})]";

    public void Write(CodeWriter code)
    {
        var arrays = fields.SelectMany(field => field.Arrays).Distinct().ToList();
        code.Line("/// <summary>Where the runtime keeps the fields. Not for use.</summary>");
        code.Line(Hidden);
        code.Open($"public sealed class {Name} : codec::Storage<{Fields}>");
        code.Line("internal readonly codec::Storage<codec::ByteRange> Ranges;");
        foreach (var (name, type) in arrays) code.Line($"internal readonly {type} {name};");
        code.Line();
        code.Line($"{Name}(codec::MessageMemory memory)");
        code.Line("    : base(memory)");
        code.OpenBlock();
        code.Line("Ranges = codec::Storage<codec::ByteRange>.Of(memory);");
        foreach (var (name, type) in arrays) code.Line($"{name} = {type}.Of(memory);");
        code.Close();
        code.Line();
        code.Member($"public static new {Name} Of(codec::MessageMemory memory) => memory.Find<{Name}>() ?? new(memory);");
        Parse(code);
        Size(code);
        WriteFields(code);
        code.Close();
        code.Line();
    }

    void Parse(CodeWriter code)
    {
        code.Line(Inlining);
        code.Open($"public static void Parse(codec::WireReader reader, {Name} storage, int index, int depth)");
        code.Line("ref var fields = ref storage[index];");
        code.Open("while (reader.ReadTag(out var tag))");
        code.Open("switch (tag)");
        for (var i = 0; i < fields.Count; i++)
        {
            string[] next = i + 1 < fields.Count ? [$"if (reader.TryReadTag({fields[i + 1].Tag.Value})) goto case {fields[i + 1].Tag.Value};", "continue;"] : ["continue;"];
            fields[i].ParseCases(code, next);
        }

        code.Line("default:");
        code.Indent();
        code.Line(UnknownFieldsCode.Parse(message));
        code.Line("continue;");
        code.Unindent();
        code.Close();
        code.Close();
        code.Close();
        code.Line();
    }

    void Size(CodeWriter code)
    {
        code.Line(Inlining);
        code.Open($"public static long CalculateSize({Name} storage, ref {Fields} fields{(message.HasMessages ? ", int depth" : "")})");
        if (message.HasMessages) code.Line("codec::WireSize.ThrowIfTooDeep(depth);");
        code.Line($"var size = {UnknownFieldsCode.Size};");
        foreach (var field in fields) field.Size(code);
        if (message.HasMessages) code.Line("fields.Size = (int)size;");
        code.Line("return size;");
        code.Close();
        code.Line();
    }

    void WriteFields(CodeWriter code)
    {
        code.Line(Inlining);
        code.Open($"public static codec::WireWriter Write(codec::WireWriter writer, {Name} storage, ref {Fields} fields)");
        foreach (var field in fields) field.Write(code);
        code.Line(UnknownFieldsCode.Write);
        code.Line("return writer;");
        code.Close();
    }
}

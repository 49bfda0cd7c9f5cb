using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the code of a message whose methods are called. The method Write takes the writer by reference: if a writer is passed
/// and returned by value, it is stored field by field and then copied as a whole, and this copy must wait for the stores. As a sub-message
/// the message may be written before its size is known: see WireWriter.BeginMessage of the runtime.</summary>
class CalledCode(ProtoMessage message, bool hasMaximum) : LayoutCode(message, hasMaximum)
{
    public override string Inlining => "[jit::MethodImpl(jit::MethodImplOptions.NoInlining)]";

    public override string Parameter => "int index";

    public override string GroupParameter => Parameter;

    public override string? ParseAsGroup => $"{GroupCode.Method}(ref reader, storage, index, depth, 0);";

    public override IReadOnlyList<string> FindFields => ["ref var fields = ref storage[index];"];

    public override string Element(string array, string index) => index;

    public override string BeginList(string range) => range;

    public override string EndList(string list) => list;

    public override string Appended(string array, string list) => $"{array}.Append(ref {list})";

    public override IReadOnlyList<string> SizeField => ["public int Size;"];

    public override void StoreSize(CodeWriter code) =>
        code.Member($"public static long StoreSize({Storage} storage, ref {Fields} fields) => fields.Size = (int)CalculateSize(storage, ref fields);");

    public override string Size(string array, string fields, bool isGroup) =>
        isGroup ? base.Size(array, fields, isGroup) : $"{Code}.StoreSize({array}, {fields})";

    public override void Write(CodeWriter code, Action writeFields)
    {
        code.Line(Inlining);
        code.Open($"public static void Write(ref runtime::WireWriter at, {Storage} storage, scoped ref {Fields} fields)");
        code.Line("var writer = at;");
        writeFields();
        code.Line("at = writer;");
        code.Close();
    }

    public override string WriteCall(string type, string writer, string array, string fields) =>
        $"{type}.Write(ref {writer}, {array}, ref {fields})";

    public override void WriteBody(CodeWriter code, string array, string local)
    {
        // on a copy, because a writer whose address is taken is kept in memory
        code.OpenBlock();
        code.Line("writer.CopyTo(out var copy);");
        code.Line(WriteCall(Code, "copy", array, local) + ";");
        code.Line("copy.CopyTo(out writer);");
        code.Close();
    }

    public override void WriteField(CodeWriter code, ProtoMessage owner, uint tag, string array, string local)
    {
        // the owner may miss a required field, so the sizes were calculated
        if (owner.NeedsRequiredCheck)
        {
            code.Line($"writer.WriteLength({tag}, {local}.Size);");
            WriteBody(code, array, local);
            return;
        }

        code.OpenBlock();
        code.Line("writer.CopyTo(out var copy);");
        code.Open($"if (copy.BeginMessage({tag}, {SizeToBegin(array, local)}, out var mark))");
        code.Line(WriteCall(Code, "copy", array, local) + ";");
        code.Line("copy.EndMessage(mark);");
        code.Close();
        code.Line("copy.CopyTo(out writer);");
        code.Close();
    }

    /// <summary>Gets the expression for the size of a sub-message. Its value has no meaning in one pass.</summary>
    protected virtual string SizeToBegin(string array, string local) =>
        $"writer.NeedsSize ? {Code}.CalculateSize({array}, ref {local}) : {local}.Size";
}

/// <summary>Generates the code of a message that contains messages.</summary>
sealed class NestedCode(ProtoMessage message) : CalledCode(message, hasMaximum: false)
{
    public override string Depth(string depth) => ", " + depth;

    /// <summary>Setters may nest messages deeper than a reader accepts, and a stack overflow ends the process.</summary>
    public override IReadOnlyList<string> GuardStack => ["jit::RuntimeHelpers.EnsureSufficientExecutionStack();"];

    public override IReadOnlyList<string> BeforeSize => ["runtime::WireSize.ThrowIfTooDeep(depth);"];

    public override IReadOnlyList<string> AfterSize => ["fields.Size = (int)size;"];

    public override void StoreSize(CodeWriter code)
    {
    }

    public override string Size(string array, string fields, bool isGroup) => $"{Code}.CalculateSize({array}, {fields}, depth + 1)";

    public override void CheckDepth(CodeWriter code, string isThere)
    {
    }

    public override void FlatSize(CodeWriter code)
    {
    }

    protected override string SizeToBegin(string array, string local) => local + ".Size";
}

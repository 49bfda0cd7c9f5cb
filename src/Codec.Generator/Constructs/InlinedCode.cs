using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the code of a message that is inlined into the message that contains it.</summary>
class InlinedCode(ProtoMessage message, bool hasMaximum) : LayoutCode(message, hasMaximum)
{
    public override string Inlining => Inline;

    public override string Parameter => $"ref {Fields} fields";

    public override string GroupParameter => "scoped " + Parameter;

    public override string? ParseAsGroup => null;

    public override IReadOnlyList<string> FindFields => [];

    public override string Element(string array, string index) => $"ref {array}[{index}]";

    public override string BeginList(string range) => $"new {Code}.Appender({range})";

    public override string EndList(string list) => $"{list}.Range";

    public override string Appended(string array, string list) => $"ref {list}.Next({array})";

    public override IReadOnlyList<string> SizeField => [];

    public override void Write(CodeWriter code, Action writeFields)
    {
        code.Line(Inlining);
        code.Open($"public static runtime::WireWriter Write(runtime::WireWriter writer, {Storage} storage, scoped ref {Fields} fields)");
        writeFields();
        code.Line("return writer;");
        code.Close();
    }

    public override string WriteCall(string type, string writer, string array, string fields) =>
        $"{writer} = {type}.Write({writer}, {array}, ref {fields})";

    public override void WriteBody(CodeWriter code, string array, string local) =>
        code.Line(WriteCall(Code, "writer", array, local) + ";");

    public override void WriteField(CodeWriter code, ProtoMessage owner, uint tag, string array, string local)
    {
        code.Line($"writer.WriteLength({tag}, {Code}.CalculateSize({array}, ref {local}));");
        WriteBody(code, array, local);
    }
}

/// <summary>Generates the code of a message that is written in one step, after one check of the room: see WireWriter.BeginSmall of the
/// runtime.</summary>
class SmallCode(ProtoMessage message) : InlinedCode(message, hasMaximum: true)
{
    /// <summary>Code of another assembly, which contains the message, asks whether it has any.</summary>
    public override string UnknownAccess => "public";

    public override void WriteField(CodeWriter code, ProtoMessage owner, uint tag, string array, string local)
    {
        code.Open($"if (writer.HasRoom && {local}.Unknown.Count == 0)");
        code.Line($"writer.EndSmall({Code}.WriteScalars(writer.BeginSmall({tag}), ref {local}));");
        code.Close();
        code.Open("else");
        code.Line("writer.CopyTo(out var copy);");
        code.Line($"{Code}.WriteSlow(ref copy, {tag}, {array}, ref {local});");
        code.Line("copy.CopyTo(out writer);");
        code.Close();
    }

    /// <summary>Writes also the method for a sub-message for which the window may have no room, or which has unknown fields.</summary>
    public override void FurtherMethods(CodeWriter code, IReadOnlyList<FieldCode> fields)
    {
        base.FurtherMethods(code, fields);
        code.Line();
        code.Line("[jit::MethodImpl(jit::MethodImplOptions.NoInlining)]");
        code.Open($"public static void WriteSlow(ref runtime::WireWriter at, uint tag, {Storage} storage, scoped ref {Fields} fields)");
        code.Line("var writer = at;");
        code.Line("writer.WriteLength(tag, CalculateSize(storage, ref fields));");
        code.Line("at = Write(writer, storage, ref fields);");
        code.Close();
    }
}

/// <summary>Generates the code of a small message that is read at once if all of its fields are in order.</summary>
sealed class FixedCode(ProtoMessage message) : SmallCode(message)
{
    readonly FixedShape shape = new(message);

    public override void Parse(CodeWriter code, string array, string element)
    {
        code.OpenBlock();
        code.Line($"ref var element = {element};");
        code.Line($"if ({Code}.{FixedShape.Method}(reader.PeekMessage(depth, {shape.Length}), ref element)) reader.Skip({shape.Length + 1});");
        code.Line($"else {Code}.Parse(reader.ReadMessage(depth, ref scratch), {array}, ref element, depth + 1);");
        code.Close();
    }

    public override void FurtherMethods(CodeWriter code, IReadOnlyList<FieldCode> fields)
    {
        base.FurtherMethods(code, fields);
        shape.Write(code, Fields, fields);
    }
}

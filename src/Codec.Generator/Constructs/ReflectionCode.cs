using Google.Protobuf;
using Google.Protobuf.Collections;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Model;
using ProtoBench.Codec.Generator.Naming;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the class that has the descriptor of a file. The descriptor is made at its first use, so a program that uses none
/// has only the text of it, and a trimmed program has nothing.</summary>
static class ReflectionCode
{
    const int lineLength = 120;

    public static void Write(CodeWriter code, ProtoFile file)
    {
        code.Line($"/// <summary>Contains the descriptor of {DocComment.Escape(file.Descriptor.Name)}.</summary>");
        code.Open($"{file.Access} static class {file.ReflectionClass}");
        Property(code, file, "public", "Descriptor", file.ImportedDescriptors);
        foreach (var (import, name, imported) in file.EmbeddedDescriptors) Property(code, import, "internal", name, imported);
        code.TrimEmptyLine();
        code.Close();
        code.Line();
    }

    static void Property(CodeWriter code, ProtoFile file, string access, string name, IReadOnlyList<string> imported)
    {
        var (variable, method) = (CSharpCase.Camel(name), "Make" + name);
        code.Member($"static codec::Reflection.FileDescriptor? {variable};");
        code.Line($"/// <summary>Gets the descriptor of {DocComment.Escape(file.Descriptor.Name)}. Thread-safe.</summary>");
        code.Member($"{access} static codec::Reflection.FileDescriptor {name} => {variable} ?? {method}();");
        code.Open($"static codec::Reflection.FileDescriptor {method}()");
        code.Line("var made = codec::Reflection.FileDescriptor.FromGenerated(");
        code.Indent();
        code.Line("\"\"\"");
        foreach (var line in Convert.ToBase64String(Serialize(file.Descriptor)).Chunk(lineLength)) code.Line(new(line));
        code.Line($"\"\"\"u8{string.Concat(imported.Select(one => ", " + one))});");
        code.Unindent();
        code.Line($"return sys::Threading.Interlocked.CompareExchange(ref {variable}, made, null) ?? made;");
        code.Close();
        code.Line();
    }

    /// <summary>Serializes a descriptor without what is of no use at run time: positions, comments, and names in JSON that are the default
    /// ones.</summary>
    static byte[] Serialize(FileDescriptorProto file)
    {
        var copy = file.Clone();
        copy.SourceCodeInfo = null;
        Shorten(copy.Extension);
        foreach (var message in copy.MessageType) Shorten(message);
        return copy.ToByteArray();
    }

    static void Shorten(DescriptorProto message)
    {
        Shorten(message.Field);
        Shorten(message.Extension);
        foreach (var nested in message.NestedType) Shorten(nested);
    }

    static void Shorten(RepeatedField<FieldDescriptorProto> fields)
    {
        foreach (var field in fields.Where(field => field.JsonName == CSharpCase.Json(field.Name))) field.ClearJsonName();
    }
}

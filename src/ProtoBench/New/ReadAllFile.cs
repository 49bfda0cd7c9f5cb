using ProtoBench.Codec.Generator;
using ProtoBench.Codec.Generator.Plain;

namespace ProtoBench.New;

/// <summary>Writes the file with the functions that read every field of the message.</summary>
static class ReadAllFile
{
    public static string Write(ProjectNames names)
    {
        var functions = new CodeWriter();
        functions.Indent();
        new ReadAllCode(ReadForm.Google, ProjectNames.GoogleName).Write(functions, names.GoogleMessage);
        foreach (var form in (ReadForm[])[ReadForm.Slab, ReadForm.SlabStrings, ReadForm.SlabPooled])
            new ReadAllCode(form, message => message.TypeName).Write(functions, names.SlabMessage);
        functions.TrimEmptyLine();
        return $$"""
            {{ProgramFile.Usings("Google.Protobuf", "ProtoBench.Codec")}}

            /// <summary>Reads every field of a message. The sum keeps the compiler from leaving a read out.</summary>
            static class ReadAll
            {
            {{functions}}}

            static class Leaf
            {
                public static long Touch(string text) => text.Length == 0 ? 0 : text[0] + text[^1] + text.Length;

                public static long Touch(ByteString bytes) => Touch(bytes.Span);

                public static long Touch(ReadOnlySpan<byte> bytes) => bytes.IsEmpty ? 0 : bytes[0] + bytes[^1] + bytes.Length;
            }

            """;
    }
}

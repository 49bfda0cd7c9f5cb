using System.Text;
using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.New;

/// <summary>Functions that read every field, so that a library that only remembers where fields are has to decode them.</summary>
static class ReadAllFile
{
    public static string Write(ProjectNames names)
    {
        var functions = new StringBuilder();
        foreach (var form in (ReadForm[])[ReadForm.Google, ReadForm.Slab, ReadForm.SlabStrings])
        {
            foreach (var message in Reachable(form == ReadForm.Google ? names.GoogleMessage : names.SlabMessage))
                functions.Append(new ReadFunction(message, form).Write());
        }

        return $$"""
            using Google.Protobuf;

            /// <summary>Reads every field of a message. The sum keeps the compiler from leaving a read out.</summary>
            static class ReadAll
            {
            {{functions}}
                static long Touch(string text) => text.Length == 0 ? 0 : text[0] + text[^1] + text.Length;

                static long Touch(ByteString bytes) => Touch(bytes.Span);

                static long Touch(ReadOnlySpan<byte> bytes) => bytes.IsEmpty ? 0 : bytes[0] + bytes[^1] + bytes.Length;
            }

            """;
    }

    /// <summary>The message and every message that a field of it can hold.</summary>
    public static HashSet<ProtoMessage> Reachable(ProtoMessage root)
    {
        var (found, next) = (new HashSet<ProtoMessage> { root }, new Queue<ProtoMessage>([root]));
        while (next.TryDequeue(out var message))
        {
            foreach (var inner in message.Fields.Select(field => field.Message).OfType<ProtoMessage>().Where(found.Add))
                next.Enqueue(inner);
        }

        return found;
    }
}

/// <summary>How a message is read.</summary>
enum ReadForm
{
    /// <summary>Google's generated class: its strings are .NET strings already.</summary>
    Google,

    /// <summary>The slab codec's view: strings in UTF-8.</summary>
    Slab,

    /// <summary>The slab codec's view, and each string made a .NET string.</summary>
    SlabStrings,
}

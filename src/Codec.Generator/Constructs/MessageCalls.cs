using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>How the code of a message calls that of a message in it. Only a message
/// that contains messages counts its depth and keeps its size.</summary>
sealed class MessageCalls(ProtoMessage message)
{
    public string Type => message.TypeName;

    public string StorageType => $"{message.TypeName}.{message.Names.Storage}";

    string Code => StorageType;

    /// <summary>Reads into an element that is there.</summary>
    public string Parse(string array, string index) => ParseInto(array, Element(message, array, index));

    /// <summary>Reads into a new element of a list or of a map.</summary>
    public string ParseAppended(string array, string list) =>
        message.IsInlined && !message.IsMapEntry
        ? ParseInto(array, $"ref {array}.AppendElement(ref {list})")
        : Parse(array, $"{array}.Append(ref {list})");

    string ParseInto(string array, string element) => $"{Code}.Parse(reader.ReadMessage(depth), {array}, {element}, depth + 1);";

    /// <summary>What a method that reads a message is given: its fields, or its index where the array may grow meanwhile.</summary>
    public static string Element(ProtoMessage message, string array, string index) =>
        message.IsInlined ? $"ref {array}[{index}]" : index;

    public string Size(string array, string fields) =>
        $"{Code}.CalculateSize({array}, {fields}{(message.HasMessages ? ", depth + 1" : "")})";

    /// <summary>Refuses a message that no reader would accept, where its own code does not.</summary>
    public void CheckDepth(CodeWriter code, string isThere)
    {
        if (!message.HasMessages) code.Line($"if ({isThere}) codec::WireSize.ThrowIfTooDeep(depth + 1);");
    }

    public string AreEqual(string array, string fields, string otherArray, string other) =>
        $"{Code}.AreEqual({array}, {fields}, {otherArray}, {other})";

    public string Hash(string array, string fields) => $"{Code}.Hash({array}, {fields})";

    public string Print(string array, string fields) => $"{Code}.Print(output, {array}, {fields});";

    /// <summary>Writes tag, length and body of the message whose fields a local refers to.</summary>
    public void Write(CodeWriter code, WireTag tag, string array, string local)
    {
        code.Line($"writer.WriteLength({tag.Value}, {(message.HasMessages ? local + ".Size" : Size(array, "ref " + local))});");
        if (message.IsInlined)
        {
            code.Line(WriteBody(message, Code, "writer", array, local) + ";");
            return;
        }

        // on a copy, because a writer whose own address is taken lives in memory
        code.OpenBlock();
        code.Line("var copy = writer;");
        code.Line(WriteBody(message, Code, "copy", array, local) + ";");
        code.Line("writer = copy;");
        code.Close();
    }

    /// <summary>Writes a body. A method that is not inlined changes the writer where it is: passed and returned by value, a writer is
    /// stored by its fields and then copied as a whole, and that copy waits for the stores.</summary>
    public static string WriteBody(ProtoMessage message, string storageType, string writer, string array, string fields) =>
        message.IsInlined
        ? $"{writer} = {storageType}.Write({writer}, {array}, ref {fields})"
        : $"{storageType}.Write(ref {writer}, {array}, ref {fields})";
}

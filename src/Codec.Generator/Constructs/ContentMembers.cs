using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Members of a view that are about all of its content: copy, clear, equality, text.</summary>
sealed class ContentMembers(ProtoMessage message)
{
    readonly MessageNames names = message.Names;

    string Self => message.TypeName;

    /// <summary>What reads bytes that are merged. Where there is nothing to keep of them, a message may be merged into for ever.</summary>
    string InputReader => message.KeepsInput ? "CopyOf" : "BorrowMore";

    public void Write(CodeWriter code)
    {
        code.Line("/// <summary>Whether two messages have the same content, unknown fields included. Floats are compared by their "
            + "bits, maps without order.</summary>");
        code.Member($"public static bool operator ==({Self} left, {Self} right) => left.Equals(right);");
        code.Line("/// <summary>Whether two messages differ.</summary>");
        code.Member($"public static bool operator !=({Self} left, {Self} right) => !left.Equals(right);");
        code.Line("/// <summary>Replaces the content by that of another message, which may be in other memory. Views of sub-messages "
            + "show from then on what was there.</summary>");
        code.Open($"public void {names.CopyFrom}({Self} source)");
        code.Line($"{names.Mutable}();");
        code.Line("var from = source.storage.Find((source.index, source.stamp));");
        code.Line($"var reader = storage.Memory.CopyOf(source.storage, from.Stamp, new {Self}(source.storage, from.Index, from.Stamp));");
        code.Line("var copy = storage.Append();");
        code.Line($"{names.Storage}.Parse(reader, storage, {MessageCalls.Element(message, "storage", "copy")}, 0);");
        code.Line($"{names.Mutable}() = storage[copy];");
        code.Close();
        code.Line();
        Merging(code);
        code.Line("/// <summary>Empties the message. Views of its sub-messages show from then on what was there. Memory is given back by "
            + "<see cref=\"codec::Message{T}.Clear\"/>, not by this.</summary>");
        code.Member($"public void {names.Clear}() => {names.Mutable}() = default;");
        code.Line("/// <summary>Writes the message, which may be a part of another one, into an array of its size.</summary>");
        code.Open($"public byte[] {names.ToByteArray}()");
        code.Line("var at = storage.Find((index, stamp));");
        code.Line($"return codec::MessageMemory.ToByteArray(storage, at.Stamp, new {Self}(storage, at.Index, at.Stamp));");
        code.Close();
        code.Line();
        code.Line("/// <summary>Whether both have the same content, unknown fields included. Floats are compared by their bits, maps "
            + "without order.</summary>");
        code.Open($"public bool Equals({Self} other)");
        code.Line($"var equal = {names.Storage}.AreEqual(storage, ref {names.Mutable}(), other.storage, ref other.{names.Mutable}());");
        code.Line($"{names.Mutable}();");
        code.Line($"other.{names.Mutable}();");
        code.Line("return equal;");
        code.Close();
        code.Line();
        code.Line("/// <summary>Whether the object is a message of this type with the same content.</summary>");
        code.Member($"public override bool Equals(object? obj) => obj is {Self} other && Equals(other);");
        code.Line("/// <summary>A hash of the content. It changes with the content, and from process to process.</summary>");
        code.Open("public override int GetHashCode()");
        code.Line($"var hash = {names.Storage}.Hash(storage, ref {names.Mutable}());");
        code.Line($"{names.Mutable}();");
        code.Line("return hash;");
        code.Close();
        code.Line();
        code.Line("/// <summary>The content in protobuf's text format, without unknown fields.</summary>");
        code.Open("public override string ToString()");
        code.Line("var output = new codec::TextFormatter();");
        code.Line($"{names.Storage}.Print(output, storage, ref {names.Mutable}());");
        code.Line($"{names.Mutable}();");
        code.Line("return output.ToString();");
        code.Close();
        code.Line();
    }

    void Merging(CodeWriter code)
    {
        code.Line("/// <summary>Merges another message, which may be in other memory, into this one: its scalars replace, its "
            + "sub-messages are merged, its lists are added. Views stay valid.</summary>");
        code.Open($"public void {names.MergeFrom}({Self} source)");
        code.Line($"{names.Mutable}();");
        code.Line("var from = source.storage.Find((source.index, source.stamp));");
        code.Line($"{names.MergeFrom}(storage.Memory.CopyOf(source.storage, from.Stamp, new {Self}(source.storage, from.Index, "
            + "from.Stamp)));");
        code.Close();
        code.Line();
        code.Line("/// <summary>Reads more input into this message, as if it stood behind what was read before: scalars are replaced, "
            + "sub-messages merged, lists continued. Views stay valid. The input may be memory of this message.</summary>");
        code.Line("/// <remarks>The input is read twice, so that nothing is changed if it is refused. Required fields are not "
            + "checked.</remarks>");
        code.Line("/// <exception cref=\"codec::WireFormatException\">The input is not a message.</exception>");
        code.Line("/// <exception cref=\"sys::ObjectDisposedException\">The view's content was released, cleared or parsed again.</exception>");
        code.Open($"public void {names.MergeFrom}(sys::ReadOnlySpan<byte> input)");
        code.Line($"{names.Mutable}();");
        code.Open($"using (var message = codec::Message<{Self}>.Rent())");
        code.Line("var copy = message.Value;");
        code.Line($"{names.Storage}.Parse(copy.storage.Memory.{InputReader}(input), copy.storage, "
            + $"{MessageCalls.Element(message, "copy.storage", "copy.index")}, 0);");
        code.Close();
        code.Line();
        code.Line($"{names.MergeFrom}(storage.Memory.{InputReader}(input));");
        code.Close();
        code.Line();
        code.Line($"/// <inheritdoc cref=\"{names.MergeFrom}(sys::ReadOnlySpan{{byte}})\"/>");
        code.Line("/// <exception cref=\"sys::ArgumentException\">The segments have another length than the sequence says.</exception>");
        code.Open($"public void {names.MergeFrom}(in sys::Buffers.ReadOnlySequence<byte> input)");
        code.Line($"using var message = codec::Message<{Self}>.Rent();");
        code.Line($"{names.MergeFrom}(input.IsSingleSegment ? input.FirstSpan : message.Value.storage.Memory.Join(input));");
        code.Close();
        code.Line();
        code.Open($"void {names.MergeFrom}(codec::WireReader reader)");
        code.Line("var isComplete = false;");
        code.Line("var merge = storage.Memory.BeginMerge();");
        code.Open("try");
        code.Line($"{names.Storage}.Parse(reader, storage, "
            + $"{MessageCalls.Element(message, "storage", "storage.Find((index, stamp)).Index")}, 0);");
        code.Line("isComplete = true;");
        code.Close();
        code.Open("finally");
        code.Line("storage.Memory.EndMerge(merge, isComplete);");
        code.Close();
        code.Close();
        code.Line();
    }
}

using System.Globalization;
using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the code of a message: its view, and the types that are nested in it.</summary>
class MessageDeclaration(ProtoMessage message)
{
    readonly List<FieldCode> fields = [.. message.Fields.Select(FieldCode.Of)];
    readonly MessageNames names = message.Names;

    const string notBrowsed = "[sys::Diagnostics.DebuggerBrowsable(sys::Diagnostics.DebuggerBrowsableState.Never)]";

    public static MessageDeclaration Of(ProtoMessage message) =>
        message.IsMapEntry ? new MapEntryDeclaration(message) : new MessageDeclaration(message);

    protected ProtoMessage Message => message;

    protected IReadOnlyList<FieldCode> Fields => fields;

    /// <summary>The text that a debugger shows for the view.</summary>
    protected virtual string DebuggerText => $"{{{names.DebuggerDisplay},nq}}";

    /// <summary>The interfaces of the view.</summary>
    protected virtual string Interfaces =>
        $"codec::{(message.IsExtendable ? "IExtendableMessage" : "ISlabMessage")}<{message.TypeName}>, sys::IEquatable<{message.TypeName}>";

    protected virtual FieldsDeclaration Struct => new(message, fields);

    protected virtual StorageDeclaration Storage => new(message, fields);

    public void Write(CodeWriter code)
    {
        DocComment.Write(code, message.File.Source.CommentOf(message.Path), $"Represents the message {message.ProtoName}.");
        if (message.Descriptor.Options?.Deprecated == true) code.Line("[sys::Obsolete]");
        code.Line($"[sys::Diagnostics.DebuggerDisplay(\"{DebuggerText}\")]");
        code.Open($"{(message.Parent is null ? message.File.Access : "public")} readonly struct {message.Name} : {Interfaces}");
        HiddenField(code, names.Storage, "storage");
        HiddenField(code, "int", "index");
        HiddenField(code, "int", "stamp");
        code.Line("/// <summary>Initializes a view of one message. For generated code.</summary>");
        code.Line(StorageDeclaration.Hidden);
        code.Member($"public {message.Name}({names.Storage} storage, int index, int stamp) => (this.storage, this.index, this.stamp) = "
            + $"(storage, index, stamp);");

        foreach (var field in fields) field.Accessors(code);
        Members(code);
        code.Member($"{message.TypeName} runtime::IListElement<{message.TypeName}>.At(int index) => new(storage, index, stamp);");
        ExplicitMembers(code);
        // the current element of the view
        code.Member($"ref {names.Fields} {names.Mutable}() => ref storage.Mutable(index, stamp);");
        Content(code);
        foreach (var oneof in message.Oneofs) OneofCode.Declare(code, oneof);
        Struct.Write(code);
        Storage.Write(code);
        if (message.Messages.Count + message.Enums.Count > 0) NestedTypes(code);
        ExtensionCode.Write(code, message);
        code.TrimEmptyLine();
        code.Close();
        code.Line();
    }

    /// <summary>Writes the members for users, but not the getters of the fields.</summary>
    protected virtual void Members(CodeWriter code)
    {
        foreach (var oneof in message.Oneofs) OneofCode.Accessors(code, message, oneof);
        foreach (var field in fields) field.Number(code);
        code.Line("/// <summary>Gets a value that indicates whether the message was set in the field that the view was taken from. It is "
            + "stored in the view, so it does not throw after the message was released.</summary>");
        code.Member($"public bool {names.IsSet} => index != 0;");
        code.Line($"/// <summary>Rents an empty message that uses the shared pool. The caller must dispose it.</summary>");
        code.Member($"public static codec::Message<{message.TypeName}> {names.Rent}() => runtime::MessageMemory.Rent<{message.TypeName}>();");
        code.Line("/// <summary>Gets the descriptor of the message type.</summary>");
        code.Member($"public static codec::Reflection.MessageDescriptor {names.Descriptor} => "
            + $"{message.File.Qualifier}{message.File.ReflectionClass}.Descriptor.At({message.Index.ToString(CultureInfo.InvariantCulture)});");
        foreach (var field in fields) field.Mutators(code);
        foreach (var oneof in message.Oneofs) OneofCode.Mutators(code, message, oneof);
        new ContentMembers(message).Write(code);
        code.Line(notBrowsed);
        code.Member($"string {names.DebuggerDisplay} => runtime::TextPrinter.ForDebugger(storage, index, this);");
    }

    /// <summary>Writes the members that the runtime calls. They are implemented explicitly, so that they do not take the names of
    /// fields.</summary>
    protected virtual void ExplicitMembers(CodeWriter code)
    {
        var self = message.TypeName;
        var layout = LayoutCode.Of(message);
        var needsSizes = message.NeedsRequiredCheck || message.Layout is Layout.OnePass or Layout.Sized;
        code.Member($"static string codec::ISlabMessage<{self}>.FullName => \"{message.ProtoName}\";");
        code.Member($"static codec::Reflection.MessageDescriptor codec::ISlabMessage<{self}>.Descriptor => {names.Descriptor};");
        code.Member($"static bool codec::ISlabMessage<{self}>.NeedsSizes => {(needsSizes ? "true" : "false")};");
        if (message.Layout == Layout.OnePass) code.Member($"static bool codec::ISlabMessage<{self}>.IsWrittenInOnePass => true;");
        if (!message.KeepsInput) code.Member($"static bool codec::ISlabMessage<{self}>.KeepsInput => false;");
        layout.ScalarRoom(code);
        code.Member($"static runtime::Storage codec::ISlabMessage<{self}>.CreateStorage(runtime::MessageMemory memory) => "
            + $"{names.Storage}.Of(memory);");
        code.Open($"static {self} codec::ISlabMessage<{self}>.Create(runtime::Storage storage)");
        code.Line("// read before the cast: after this read the storage cannot be null, and the cast needs less code");
        code.Line("var stamp = storage.Stamp;");
        code.Line($"return new(({names.Storage})storage, 1, stamp);");
        code.Close();
        code.Line();
        // Any code with a reader or a writer can call these members with any view. The fields of a stale view are refused.
        var own = $"message.{names.Content}()";
        var parse = $"{names.Storage}.Parse(reader, message.storage, {layout.Element("message.storage", "message.index")}, 0);";
        var size = $"{names.Storage}.CalculateSize(message.storage, ref {own}{layout.Depth("0")})";
        if (message.NeedsRequiredCheck)
        {
            var missing = $"{names.Storage}.{RequiredCode.Method}(message.storage, ref {own})";
            Parse(code, parse, $"runtime::RequiredField.ThrowIfMissingInInput({missing});");
            code.Open($"static long codec::ISlabMessage<{self}>.CalculateSize({self} message)");
            code.Line($"runtime::RequiredField.ThrowIfMissing({missing});");
            code.Line($"return {size};");
            code.Close();
            code.Line();
        }
        else
        {
            Parse(code, parse);
            code.Member($"static long codec::ISlabMessage<{self}>.CalculateSize({self} message) => {size};");
            layout.FlatSize(code);
        }

        code.Member($"static void codec::ISlabMessage<{self}>.Write(ref runtime::WireWriter writer, {self} message) => "
            + $"{layout.WriteCall(names.Storage, "writer", "message.storage", own)};");
        layout.ScalarMember(code, own);
        code.Open($"static void codec::ISlabMessage<{self}>.Print<TPrinter>(ref TPrinter printer, {self} message)");
        code.Line("printer.Watch(message.storage, message.stamp);");
        code.Line($"{names.Storage}.Print(ref printer, message.storage, ref {own});");
        code.Line(own + ";");
        code.Close();
        code.Line();
        code.Member($"byte[] codec::ISlabMessage<{self}>.ToByteArray() => {names.ToByteArray}();");

        // under its own name the public method is the member of the interface
        if (names.CopyFrom != "CopyFrom")
            code.Member($"void codec::ISlabMessage<{self}>.CopyFrom({self} source) => {names.CopyFrom}(source);");
        if (message.IsExtendable) ExtensionCode.UnknownFields(code, message);
    }

    void Parse(CodeWriter code, params IEnumerable<string> statements)
    {
        code.Open($"static void codec::ISlabMessage<{message.TypeName}>.Parse(runtime::WireReader reader, {message.TypeName} message)");
        code.Line($"message.{names.Mutable}();");
        code.Lines(statements);
        code.Close();
        code.Line();
    }

    /// <summary>Writes a field that a debugger does not show, because it shows the properties.</summary>
    static void HiddenField(CodeWriter code, string type, string name)
    {
        code.Line(notBrowsed);
        code.Member($"readonly {type} {name};");
    }

    /// <summary>Writes the member that finds the element for methods that only read.</summary>
    protected virtual void Content(CodeWriter code)
    {
        code.Line("// for methods that only read; an absent message has the size 0, so the size that they store changes nothing");
        code.Member($"ref {names.Fields} {names.Content}() => ref storage.Content(index, stamp);");
    }

    void NestedTypes(CodeWriter code)
    {
        code.Line($"/// <summary>Contains the types that are nested in {DocComment.Escape(message.ProtoName)}.</summary>");
        code.Open($"public static class {names.Types}");
        foreach (var type in message.Enums) EnumCode.Declare(code, type);
        foreach (var nested in message.Messages) Of(nested).Write(code);
        code.TrimEmptyLine();
        code.Close();
    }
}

/// <summary>Generates the members of a view for its whole content: merge, copy, clear, equality, text.</summary>
sealed class ContentMembers(ProtoMessage message)
{
    readonly MessageNames names = message.Names;
    readonly LayoutCode layout = LayoutCode.Of(message);

    string Self => message.TypeName;

    /// <summary>The method that reads input for a merge. If nothing of the input has to be kept, it is not copied, so any number of merges
    /// does not make the message larger.</summary>
    string InputReader => message.KeepsInput ? "CopyOf" : "BorrowMore";

    public void Write(CodeWriter code)
    {
        code.Line("/// <summary>Determines whether two messages have the same content, including unknown fields. Floats are compared by "
            + "their bits. The order of map entries is ignored.</summary>");
        code.Member($"public static bool operator ==({Self} left, {Self} right) => left.Equals(right);");
        code.Line("/// <summary>Determines whether two messages have different content.</summary>");
        code.Member($"public static bool operator !=({Self} left, {Self} right) => !left.Equals(right);");
        code.Line("/// <summary>Replaces the content by a copy of the content of another message, which may use other memory. Views of "
            + "sub-messages that were taken before still show the old content.</summary>");
        code.Open($"public void {names.CopyFrom}({Self} source)");
        code.Line($"{names.Mutable}();");
        code.Line($"var reader = {names.Storage}.{StorageDeclaration.CopyMethod}(source, storage.Memory);");
        code.Line("var copy = storage.Append();");
        code.Line($"{names.Storage}.Parse(reader, storage, {layout.Element("storage", "copy")}, 0);");
        code.Line($"{names.Mutable}() = storage[copy];");
        code.Close();
        code.Line();
        Merging(code);
        code.Line("/// <summary>Removes the content of the message. Views of sub-messages that were taken before still show the old "
            + "content. The memory of that content stays in use; <see cref=\"codec::Message{T}.Clear\"/> makes it available "
            + "again.</summary>");
        code.Member($"public void {names.Clear}() => {names.Mutable}() = default;");
        code.Line("/// <summary>Writes the message, which may be a part of another one, into a new array.</summary>");
        code.Open($"public byte[] {names.ToByteArray}()");
        code.Line("var at = storage.Find((index, stamp));");
        code.Line($"return runtime::MessageMemory.ToByteArray(storage, at.Stamp, new {Self}(storage, at.Index, at.Stamp));");
        code.Close();
        code.Line();
        code.Line("/// <summary>Determines whether this message and another one have the same content, including unknown fields. Floats "
            + "are compared by their bits. The order of map entries is ignored.</summary>");
        code.Open($"public bool Equals({Self} other)");
        code.Line($"var equal = {names.Storage}.AreEqual(storage, ref {names.Content}(), other.storage, ref other.{names.Content}());");
        code.Line($"{names.Content}();");
        code.Line($"other.{names.Content}();");
        code.Line("return equal;");
        code.Close();
        code.Line();
        code.Line("/// <summary>Determines whether an object is a message of this type with the same content.</summary>");
        code.Member($"public override bool Equals(object? obj) => obj is {Self} other && Equals(other);");
        code.Line("/// <summary>Gets a hash code of the content. It changes with the content, and differs from process "
            + "to process.</summary>");
        code.Open("public override int GetHashCode()");
        code.Line($"var hash = {names.Storage}.Hash(storage, ref {names.Content}());");
        code.Line($"{names.Content}();");
        code.Line("return hash;");
        code.Close();
        code.Line();
        code.Line("/// <summary>Gets the content in protobuf's text format, in one line, without unknown fields.</summary>");
        code.Member("public override string ToString() => runtime::TextPrinter.Print(this);");
    }

    void Merging(CodeWriter code)
    {
        code.Line("/// <summary>Merges another message, which may use other memory, into this one: scalars are replaced, sub-messages are "
            + "merged, and elements are added to repeated fields. Views stay valid.</summary>");
        code.Open($"public void {names.MergeFrom}({Self} source)");
        code.Line($"{names.Mutable}();");
        code.Line($"{names.MergeFrom}({names.Storage}.{StorageDeclaration.CopyMethod}(source, storage.Memory));");
        code.Close();
        code.Line();
        code.Line("/// <summary>Parses the input and merges it into the message, as if it followed the input that was parsed before: "
            + "scalars are replaced, sub-messages are merged, and elements are added to repeated fields. Views stay valid. The input "
            + "may be memory of this message.</summary>");
        code.Line("/// <remarks>The input is read twice, so that invalid input does not change the message. Required fields are not "
            + "checked.</remarks>");
        code.Line("/// <exception cref=\"codec::WireFormatException\">The input is not a valid message.</exception>");
        code.Line("/// <exception cref=\"sys::ObjectDisposedException\">The view's content was released, cleared or parsed again.</exception>");
        code.Open($"public void {names.MergeFrom}(sys::ReadOnlySpan<byte> input)");
        code.Line($"{names.Mutable}();");
        code.Open($"using (var message = codec::Message<{Self}>.Rent())");
        code.Line("var copy = message.Value;");
        code.Line($"{names.Storage}.Parse(copy.storage.Memory.{InputReader}(input), copy.storage, "
            + $"{layout.Element("copy.storage", "copy.index")}, 0);");
        code.Close();
        code.Line();
        code.Line($"{names.MergeFrom}(storage.Memory.{InputReader}(input));");
        code.Close();
        code.Line();
        code.Line($"/// <inheritdoc cref=\"{names.MergeFrom}(sys::ReadOnlySpan{{byte}})\"/>");
        code.Line("/// <exception cref=\"sys::ArgumentException\">The sequence states another length than its segments have.</exception>");
        code.Open($"public void {names.MergeFrom}(in sys::Buffers.ReadOnlySequence<byte> input)");
        code.Line($"using var message = codec::Message<{Self}>.Rent();");
        code.Line($"{names.MergeFrom}(input.IsSingleSegment ? input.FirstSpan : message.Value.storage.Memory.Join(input));");
        code.Close();
        code.Line();
        code.Open($"void {names.MergeFrom}(runtime::WireReader reader)");
        code.Line("var isComplete = false;");
        code.Line("var merge = storage.Memory.BeginMerge();");
        code.Open("try");
        code.Line($"{names.Storage}.Parse(reader, storage, "
            + $"{layout.Element("storage", "storage.Find((index, stamp)).Index")}, 0);");
        code.Line("isComplete = true;");
        code.Close();
        code.Open("finally");
        code.Line("storage.Memory.EndMerge(merge, isComplete);");
        code.Close();
        code.Close();
        code.Line();
    }
}

/// <summary>Generates the members of a view. The code that is passed to these methods refers to the fields as "fields".</summary>
/// <remarks>A getter compares the stamp after the read, because another thread may have emptied the message, or a setter may have moved the
/// element.</remarks>
static class ViewCode
{
    const string slot = "fields.";

    /// <summary>Writes a property with a getter.</summary>
    /// <param name="code">The writer of the property.</param>
    /// <param name="type">The type of the property.</param>
    /// <param name="name">The name of the property.</param>
    /// <param name="value">The expression that is read.</param>
    /// <param name="result">The expression that is returned. It refers to the value that was read as "value", and to the location of the
    /// view as "at".</param>
    /// <param name="before">A statement before the read.</param>
    public static void Getter(CodeWriter code, string type, string name, string value, string result = "value", string? before = null)
    {
        code.Open($"public {type} {name}");
        code.Line("[jit::MethodImpl(jit::MethodImplOptions.AggressiveInlining)]");
        code.Open("get");
        code.Open("for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))");
        if (before is not null) code.Line(before);
        if (IsOneSlot(value))
        {
            code.Line($"var value = storage[at.Index].{value[slot.Length..]};");
        }
        else
        {
            code.Line("ref readonly var fields = ref storage[at.Index];");
            code.Line($"var value = {value};");
        }

        code.Line($"if (storage.IsCurrent(at.Stamp)) return {result};");
        code.Close();
        code.Close();
        code.Close();
        code.Line();
    }

    /// <summary>Writes a method that reads the message.</summary>
    public static void Reader(CodeWriter code, MessageNames names, string signature, IReadOnlyList<string> statements)
    {
        code.Open("public " + signature);
        code.Line($"ref var fields = ref {names.Content}();");
        code.Lines(statements);
        code.Close();
        code.Line();
    }

    /// <summary>Writes a method that changes the message.</summary>
    public static void Method(CodeWriter code, MessageNames names, string signature, IReadOnlyList<string> statements)
    {
        if (statements.Count == 1 && statements[0].StartsWith(slot, StringComparison.Ordinal))
        {
            code.Member($"public {signature} => {Located(signature)}.{statements[0][slot.Length..]}");
            return;
        }

        code.Open("public " + signature);
        code.Line($"ref var fields = ref {Located(signature)};");
        code.Lines(statements);
        code.Close();
        code.Line();
    }

    // What Mutable does, without its call: the compiler inlines a limited number of calls into the method that makes a message.
    static string Located(string signature) =>
        signature.Contains("int index", StringComparison.Ordinal) ? "storage.Mutable(this.index, stamp)" : "storage.Mutable(index, stamp)";

    static bool IsOneSlot(string value) =>
        value.StartsWith(slot, StringComparison.Ordinal) && value.AsSpan(slot.Length).IndexOfAny(" (?") < 0;
}

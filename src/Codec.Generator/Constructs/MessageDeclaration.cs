using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>A message: its view, and what is nested in it.</summary>
sealed class MessageDeclaration(ProtoMessage message)
{
    readonly List<FieldCode> fields = [.. message.Fields.Select(FieldCode.Of)];
    readonly MessageNames names = message.Names;

    public void Write(CodeWriter code)
    {
        DocComment.Write(code, message.File.Source.CommentOf(message.Path), $"The message {message.ProtoName}.");
        if (message.Descriptor.Options?.Deprecated == true) code.Line("[sys::Obsolete]");
        code.Open($"public readonly struct {message.Name} : "
            + $"{(message.IsMapEntry ? $"codec::IListElement<{message.TypeName}>" : $"codec::IMessage<{message.TypeName}>, sys::IEquatable<{message.TypeName}>")}");
        code.Line($"readonly {names.Storage} storage;");
        code.Line("readonly int index;");
        code.Member("readonly int stamp;");
        code.Line("/// <summary>The view of one message, for other generated code. Not for use.</summary>");
        code.Line(StorageDeclaration.Hidden);
        code.Member($"public {message.Name}({names.Storage} storage, int index, int stamp) => (this.storage, this.index, this.stamp) = "
            + $"(storage, index, stamp);");

        foreach (var field in fields) field.Accessors(code);
        foreach (var oneof in message.Oneofs) OneofCode.Accessors(code, message, oneof);
        if (!message.IsMapEntry)
        {
            code.Line($"/// <summary>An empty message over the shared pool.</summary>");
            code.Member($"public static codec::Message<{message.TypeName}> {names.Rent}() => codec::Message<{message.TypeName}>.Rent();");
        }

        foreach (var field in fields.Where(field => !message.IsMapEntry || field.Field.Number != 1)) field.Mutators(code);
        foreach (var oneof in message.Oneofs) OneofCode.Mutators(code, message, oneof);
        if (!message.IsMapEntry) new ContentMembers(message).Write(code);
        ExplicitMembers(code);
        Locator(code);
        foreach (var oneof in message.Oneofs) OneofCode.Declare(code, oneof);
        new FieldsDeclaration(message, fields).Write(code);
        new StorageDeclaration(message, fields).Write(code);
        if (message.Messages.Count + message.Enums.Count > 0) NestedTypes(code);
        code.TrimEmptyLine();
        code.Close();
        code.Line();
    }

    /// <summary>What the runtime calls: implemented explicitly, so that no field has to make room for it.</summary>
    void ExplicitMembers(CodeWriter code)
    {
        var self = message.TypeName;
        code.Member($"{self} codec::IListElement<{self}>.At(int index) => new(storage, index, stamp);");

        // the entry of a map is never a message of its own
        if (message.IsMapEntry) return;
        var depth = message.HasMessages ? ", 0" : "";
        code.Member($"static bool codec::IMessage<{self}>.NeedsSizes => {(NeedsSizes ? "true" : "false")};");
        if (!message.KeepsInput) code.Member($"static bool codec::IMessage<{self}>.KeepsInput => false;");
        if (message.IsScalar)
        {
            var room = fields.Cast<ScalarCode>().Sum(one => one.MostBytes);
            code.Member($"static int codec::IMessage<{self}>.ScalarRoom => {room};");
        }

        code.Member($"static codec::Storage codec::IMessage<{self}>.CreateStorage(codec::MessageMemory memory) => "
            + $"{names.Storage}.Of(memory);");
        code.Open($"static {self} codec::IMessage<{self}>.Create(codec::Storage storage)");
        code.Line("// before the cast, which is shorter for what cannot be null");
        code.Line("var stamp = storage.Stamp;");
        code.Line($"return new(({names.Storage})storage, 0, stamp);");
        code.Close();
        code.Line();
        // Any code with a reader or a writer can call these with any view, also a stale one: then its fields are refused.
        var own = $"message.{names.Mutable}()";
        var parse = $"{names.Storage}.Parse(reader, message.storage, {MessageCalls.Element(message, "message.storage", "message.index")}, 0)";
        var size = $"{names.Storage}.CalculateSize(message.storage, ref {own}{depth})";
        var missing = $"{names.Storage}.{RequiredCode.Method}(message.storage, ref {own})";
        code.Open($"static void codec::IMessage<{self}>.Parse(codec::WireReader reader, {self} message)");
        code.Line(own + ";");
        code.Line(parse + ";");
        if (message.NeedsRequiredCheck) code.Line($"codec::RequiredField.ThrowIfMissingInInput({missing});");
        code.Close();
        code.Line();
        if (message.NeedsRequiredCheck)
        {
            code.Open($"static long codec::IMessage<{self}>.CalculateSize({self} message)");
            code.Line($"codec::RequiredField.ThrowIfMissing({missing});");
            code.Line($"return {size};");
            code.Close();
            code.Line();
        }
        else
        {
            code.Member($"static long codec::IMessage<{self}>.CalculateSize({self} message) => {size};");
        }

        if (!message.HasMessages && !message.NeedsRequiredCheck)
        {
            code.Open($"static long codec::IMessage<{self}>.CalculateFlatSize(codec::Storage storage)");
            code.Line($"var own = ({names.Storage})storage;");
            code.Line("ref var fields = ref own.Outermost;");
            code.Line($"return fields.Unknown.Count == 0 ? {names.Storage}.CalculateSize(own, ref fields) : -1;");
            code.Close();
            code.Line();
        }

        code.Member($"static void codec::IMessage<{self}>.Write(ref codec::WireWriter writer, {self} message) => "
            + $"{MessageCalls.WriteBody(message, names.Storage, "writer", "message.storage", own)};");
        if (message.IsScalar)
            code.Member($"static codec::ScalarWriter codec::IMessage<{self}>.WriteScalars(codec::ScalarWriter writer, {self} message) => "
                + $"{names.Storage}.WriteScalars(writer, ref {own});");
    }

    /// <summary>The view's element, wherever it is now.</summary>
    void Locator(CodeWriter code) =>
        code.Member($"ref {names.Fields} {names.Mutable}() => ref storage.Mutable(index, stamp);");

    /// <summary>The sizes of messages that contain messages are kept for the writer; finding those of others costs less. Required fields
    /// are checked with the size.</summary>
    bool NeedsSizes => message.NeedsRequiredCheck || message.Fields.Any(one => one.Message?.HasMessages == true);

    void NestedTypes(CodeWriter code)
    {
        code.Line($"/// <summary>The types that are nested in {DocComment.Escape(message.ProtoName)}.</summary>");
        code.Open($"public static class {names.Types}");
        foreach (var type in message.Enums) EnumCode.Declare(code, type);
        foreach (var nested in message.Messages) new MessageDeclaration(nested).Write(code);
        code.TrimEmptyLine();
        code.Close();
    }
}

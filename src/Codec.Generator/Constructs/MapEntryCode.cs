using ProtoBench.Codec.Generator.Model;
using Type = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the code of a map entry. It is never used as a message of its own, and its key is not changed.</summary>
sealed class MapEntryDeclaration(ProtoMessage message) : MessageDeclaration(message)
{
    protected override string DebuggerText => "{Key}: {Value}";

    protected override string Interfaces => $"runtime::IListElement<{Message.TypeName}>";

    protected override StorageDeclaration Storage => new MapEntryStorage(Message, Fields);

    protected override FieldsDeclaration Struct => new MapEntryStruct(Message, Fields);

    protected override void Members(CodeWriter code) => Fields[1].Mutators(code);

    protected override void ExplicitMembers(CodeWriter code)
    {
    }

    protected override void Content(CodeWriter code)
    {
    }
}

/// <summary>Generates the storage of a map entry.</summary>
sealed class MapEntryStorage(ProtoMessage message, IReadOnlyList<FieldCode> fields) : StorageDeclaration(message, fields)
{
    protected override void Copy(CodeWriter code)
    {
    }

    protected override void AfterLoop(CodeWriter code) => (Fields[1] as MessageCode)?.AddMissing(code);

    /// <summary>The statement that keeps an unknown field. It is counted as one level deeper, as in Google.Protobuf.</summary>
    protected override string KeepUnknown => UnknownFieldsCode.Parse("depth + 1");

    protected override void PrintContent(CodeWriter code)
    {
        var key = Fields[0].Field;
        var slot = "fields." + key.Names.Storage;
        code.Line("var name = printer.BeginEntry();");
        code.Line($"printer.Key({(key.IsBytes ? $"storage.Memory.Span({slot})" : slot)});");
        Fields[1].PrintInEntry(code);
        code.Line("printer.EndEntry(name);");
    }
}

/// <summary>Generates the struct of a map entry's key and value, with the members that compare and hash the key.</summary>
sealed class MapEntryStruct(ProtoMessage message, IReadOnlyList<FieldCode> fields) : FieldsDeclaration(message, fields)
{
    ProtoField Key => Message.Fields[0];

    protected override string Interfaces => $" : runtime::{(Key.IsBytes ? "IStringMapEntry" : "IMapEntry")}<{Name}>";

    protected override void Members(CodeWriter code)
    {
        var name = Key.Names.Storage;
        code.Line();
        var (same, hash) = Key.IsBytes
            ? ($"sys::MemoryExtensions.SequenceEqual(memory.Span(one.{name}), memory.Span(other.{name}))",
                $"runtime::MapKey.Hash(memory.Span(entry.{name}))")
            : ($"one.{name} == other.{name}", $"runtime::MapKey.Hash(entry.{name}{(Key.Type == Type.Bool ? " ? 1 : 0" : "")})");
        code.Member($"static bool runtime::IMapEntry<{Name}>.HasSameKey(runtime::MessageMemory memory, in {Name} one, in {Name} "
            + $"other) => {same};");
        code.Line($"static int runtime::IMapEntry<{Name}>.HashKey(runtime::MessageMemory memory, in {Name} entry) => {hash};");
        if (!Key.IsBytes) return;
        code.Line();
        code.Line($"static runtime::ByteRange runtime::IStringMapEntry<{Name}>.KeyOf(in {Name} entry) => entry.{name};");
    }
}

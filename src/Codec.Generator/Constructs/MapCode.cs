using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>A map: a list of entries, one for each key.</summary>
sealed class MapCode(ProtoField field) : RepeatedMessageCode(field)
{
    public override string SlotType => "codec::MapRange";

    protected override string Range => Slot + ".Entries";

    protected override void AfterElement(CodeWriter code) => code.Line($"{Names.Local} = storage.Memory.KeepLast({Array}, {Names.Local});");

    /// <summary>The members of an entry's struct of fields that compare and hash its key.</summary>
    public static void KeyMembers(CodeWriter code, ProtoMessage entry, string fields)
    {
        var key = entry.Fields[0];
        var name = key.Names.Storage;
        code.Line();
        if (key.IsBytes)
        {
            code.Member($"static bool codec::IMapEntry<{fields}>.HasSameKey(codec::MessageMemory memory, in {fields} one, in {fields} other) => sys::MemoryExtensions.SequenceEqual(memory.Span(one.{name}), memory.Span(other.{name}));");
            code.Line($"static int codec::IMapEntry<{fields}>.HashKey(codec::MessageMemory memory, in {fields} fields) => codec::MapKey.Hash(memory.Span(fields.{name}));");
        }
        else
        {
            code.Member($"static bool codec::IMapEntry<{fields}>.HasSameKey(codec::MessageMemory memory, in {fields} one, in {fields} other) => one.{name} == other.{name};");
            code.Line($"static int codec::IMapEntry<{fields}>.HashKey(codec::MessageMemory memory, in {fields} fields) => sys::HashCode.Combine(fields.{name});");
        }
    }
}

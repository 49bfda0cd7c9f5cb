using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Everything that is generated for one field. Each construct of protobuf is one subclass, in a file of its own.</summary>
abstract class FieldCode(ProtoField field)
{
    public ProtoField Field { get; } = field;

    protected FieldNames Names => Field.Names;

    /// <summary>The field in the struct of fields.</summary>
    protected string Slot => "fields." + Names.Storage;

    /// <summary>The tag that protoc-generated code writes, and the first that is tried when reading.</summary>
    public abstract WireTag Tag { get; }

    public static FieldCode Of(ProtoField field)
    {
        if (field.IsMap) return new MapCode(field);
        if (field.IsRepeated)
            return field.Message is not null
                ? new RepeatedMessageCode(field) : field.IsBytes ? new RepeatedBytesCode(field) : new RepeatedScalarCode(field);
        return field.Message is { } message
            ? WrapperCode.IsWrapper(message) ? new WrapperCode(field) : new MessageCode(field)
            : field.IsBytes ? new BytesCode(field) : new ScalarCode(field);
    }

    /// <summary>Members that read the field.</summary>
    public abstract void Accessors(CodeWriter code);

    /// <summary>Members that change the field.</summary>
    public abstract void Mutators(CodeWriter code);

    /// <summary>The type of the field in the struct of fields.</summary>
    public abstract string SlotType { get; }

    /// <summary>The arrays of a message that the field uses: name and type.</summary>
    public virtual IEnumerable<(string Name, string Type)> Arrays => [];

    /// <summary>The cases of the switch that reads.</summary>
    /// <param name="code">Takes them.</param>
    /// <param name="next">The step to the next field's tag, and the end of the case.</param>
    public abstract void ParseCases(CodeWriter code, IReadOnlyList<string> next);

    /// <summary>Statements behind the loop that reads fields.</summary>
    public virtual void AfterParse(CodeWriter code)
    {
    }

    /// <summary>Adds the field to the variable size.</summary>
    public abstract void Size(CodeWriter code);

    /// <summary>Writes the field.</summary>
    public abstract void Write(CodeWriter code);

    /// <summary>Statements that return the name of a required field that is missing: this one, or one in it.</summary>
    public virtual void Required(CodeWriter code)
    {
        if (Field.IsRequired) code.Line($"if (!({IsPresent("")})) return \"{Field.Owner.ProtoName}.{Field.Descriptor.Name}\";");
    }

    /// <summary>More members of the storage.</summary>
    public virtual void StorageMembers(CodeWriter code)
    {
    }

    /// <summary>Statements that return false if the field differs from that of the message "other" in "otherStorage".</summary>
    public abstract void Equality(CodeWriter code);

    /// <summary>Adds the field to the hash, if it is set.</summary>
    public abstract void Hash(CodeWriter code);

    /// <summary>Prints the field, if it is set.</summary>
    public abstract void Print(CodeWriter code);

    /// <summary>The field's name as a text, quoted.</summary>
    protected string Quoted => $"\"{Field.Descriptor.Name}\"";

    /// <summary>The same code about the other message of a comparison.</summary>
    protected static string Other(string code) =>
        code.Replace("fields.", "other.", StringComparison.Ordinal).Replace("storage.", "otherStorage.", StringComparison.Ordinal);

    /// <summary>Compares a singular field: only in a oneof whether it is the one that is set matters, which was compared before.</summary>
    protected string Differs(string differs) => Field.Presence switch
    {
        Presence.Oneof => $"if (fields.{Field.Oneof!.Storage} == {OneofCode.Case(Field)} && {differs}) return false;",
        Presence.Bit =>
            $"if (((fields.{PresenceBits.Word(Field)} ^ other.{PresenceBits.Word(Field)}) & {PresenceBits.Mask(Field)}) != 0 || "
                + $"{differs}) return false;",
        _ => $"if ({differs}) return false;",
    };

    /// <summary>Whether the field is set, for a singular one.</summary>
    protected string IsPresent(string isSet) => Field.Presence switch
    {
        Presence.Bit => PresenceBits.Test(Field),
        Presence.Oneof => $"fields.{Field.Oneof!.Storage} == {OneofCode.Case(Field)}",
        _ => isSet,
    };

    /// <summary>The condition under which the field is written: in a wide message its bit is looked at first.</summary>
    protected string IsWritten(string isSet)
    {
        if (!Field.Owner.IsWide) return IsPresent(isSet);
        var mayBeSet = PresenceBits.TestCopy(Field);
        return Field.Presence == Presence.Bit ? mayBeSet : $"{mayBeSet} && {IsPresent(isSet)}";
    }

    /// <summary>Notes that the field is set: statements, or nothing.</summary>
    protected IReadOnlyList<string> MarkPresent =>
    [
        .. Field.HasBit ? [PresenceBits.Set(Field)] : Enumerable.Empty<string>(),
        .. Field.Presence == Presence.Oneof ? [$"fields.{Field.Oneof!.Storage} = {OneofCode.Case(Field)};"] : Enumerable.Empty<string>(),
    ];

    /// <summary>Comment, and the attribute of a deprecated field.</summary>
    protected void Head(CodeWriter code)
    {
        DocComment.Write(code, Field.Owner.File.Source.CommentOf(Field.Path), $"The field {Field.Descriptor.Name}.");
        if (Field.IsDeprecated) code.Line("[sys::Obsolete]");
    }
}

/// <summary>The tag of a field.</summary>
readonly record struct WireTag(int Number, uint WireType)
{
    public const uint Varint = 0;
    public const uint Fixed64 = 1;
    public const uint Delimited = 2;
    public const uint Fixed32 = 5;

    public uint Value => ((uint)Number << 3) | WireType;

    /// <summary>Its size on the wire.</summary>
    public int Size => Value switch
    {
        < 1u << 7 => 1,
        < 1u << 14 => 2,
        < 1u << 21 => 3,
        < 1u << 28 => 4,
        _ => 5,
    };
}

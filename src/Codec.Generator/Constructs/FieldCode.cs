using ProtoBench.Codec.Generator.Model;
using ProtoBench.Codec.Generator.Naming;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates all code of one field. Each construct of protobuf has one subclass, in a file of its own.</summary>
abstract class FieldCode(ProtoField field)
{
    public ProtoField Field { get; } = field;

    protected FieldNames Names => Field.Names;

    /// <summary>The expression for the field in the struct of fields.</summary>
    protected string Slot => "fields." + Names.Storage;

    /// <summary>The tag that is written, as by code that protoc generated. It is also the first tag that is tried when reading.</summary>
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

    /// <summary>Writes the constant with the number of the field.</summary>
    public void Number(CodeWriter code)
    {
        code.Line($"/// <summary>The number of the field {Field.Descriptor.Name}.</summary>");
        if (Field.IsDeprecated) code.Line("[sys::Obsolete]");
        code.Member($"public const int {Names.Number} = {Field.Number};");
    }

    /// <summary>Writes the members that read the field.</summary>
    public abstract void Accessors(CodeWriter code);

    /// <summary>Writes the members that change the field.</summary>
    public abstract void Mutators(CodeWriter code);

    /// <summary>The type of the field in the struct of fields.</summary>
    public abstract string SlotType { get; }

    /// <summary>The arrays of a message that the field uses, with name and type.</summary>
    public virtual IEnumerable<(string Name, string Type)> Arrays => [];

    /// <summary>Writes the cases of the switch that reads the field.</summary>
    /// <param name="code">The writer of the cases.</param>
    /// <param name="next">The statements that read the next field's tag, and the end of the case.</param>
    public abstract void ParseCases(CodeWriter code, IReadOnlyList<string> next);

    /// <summary>Writes statements that add the size of the field to the variable size.</summary>
    public abstract void Size(CodeWriter code);

    /// <summary>Writes statements that write the field.</summary>
    public abstract void Write(CodeWriter code);

    /// <summary>Writes statements that return the name of the field if it is required and missing.</summary>
    public virtual void Required(CodeWriter code)
    {
        if (Field.IsRequired) code.Line($"if (!({IsPresent("")})) return \"{Field.Owner.ProtoName}.{Field.Descriptor.Name}\";");
    }

    /// <summary>Writes statements that return the name of a missing required field of the field's message.</summary>
    public virtual void RequiredInside(CodeWriter code)
    {
    }

    /// <summary>Writes further members of the storage.</summary>
    public virtual void StorageMembers(CodeWriter code)
    {
    }

    /// <summary>Writes statements that return false if the field differs from that of the message "other" in "otherStorage".</summary>
    public abstract void Equality(CodeWriter code);

    /// <summary>Writes statements that add the field to the hash, if it is set.</summary>
    public abstract void Hash(CodeWriter code);

    /// <summary>The condition that the field has another value than its default.</summary>
    protected abstract string IsFilled { get; }

    /// <summary>The statements that print the value of the field, without its name.</summary>
    public abstract IReadOnlyList<string> PrintValue { get; }

    /// <summary>Writes statements that print the field, if it is set.</summary>
    public void Print(CodeWriter code)
    {
        var isPrinted = IsWritten(IsFilled)
            + (Field.Presence is Presence.Implicit or Presence.Repeated ? " || printer.WritesDefaults" : "");
        var isGroup = Field.DeclaredName != Field.Descriptor.Name;
        var name = $"printer.Name(\"{Field.DeclaredName}\", {Literal.JsonName(Field.Descriptor.JsonName)}"
            + (isGroup ? $", \"{Field.Descriptor.Name}\");" : ");");
        if (PrintValue is [var value])
        {
            code.Line($"if ({isPrinted}) {{ {name} {value} }}");
            return;
        }

        code.Open($"if ({isPrinted})");
        code.Line(name);
        code.Lines(PrintValue);
        code.Close();
        code.Line();
    }

    /// <summary>Writes the statement that prints the value of a map entry. The text format leaves out a default value.</summary>
    public void PrintInEntry(CodeWriter code) => code.Line($"if ({IsFilled} || printer.IsJson) {PrintValue.Single()}");

    /// <summary>Writes the statement that prints the value of a field, if it is the one of its oneof that is set.</summary>
    public void PrintInOneof(CodeWriter code) => code.Line($"if ({IsPresent("")}) {PrintValue.Single()}");

    /// <summary>Translates code for a message into the same code for the other message of a comparison.</summary>
    protected static string Other(string code) =>
        code.Replace("fields.", "other.", StringComparison.Ordinal).Replace("storage.", "otherStorage.", StringComparison.Ordinal);

    /// <summary>Gets the statement that compares a singular field. For a field of a oneof the case was compared before. For a field with a
    /// bit, the bit is compared, too.</summary>
    protected string Differs(string differs) => Field.Presence switch
    {
        Presence.Oneof => $"if (fields.{Field.Oneof!.Storage} == {OneofCode.Case(Field)} && {differs}) return false;",
        Presence.Bit =>
            $"if (((fields.{PresenceBits.Word(Field)} ^ other.{PresenceBits.Word(Field)}) & {PresenceBits.Mask(Field)}) != 0 || "
                + $"{differs}) return false;",
        _ => $"if ({differs}) return false;",
    };

    /// <summary>Gets the condition that a singular field is set.</summary>
    protected string IsPresent(string isSet) => Field.Presence switch
    {
        Presence.Bit => PresenceBits.Test(Field),
        Presence.Oneof => $"fields.{Field.Oneof!.Storage} == {OneofCode.Case(Field)}",
        _ => isSet,
    };

    /// <summary>Gets the condition under which the field is written. In a wide message the field's bit is tested first.</summary>
    protected string IsWritten(string isSet)
    {
        if (!Field.Owner.IsWide) return IsPresent(isSet);
        var mayBeSet = PresenceBits.TestCopy(Field);
        return Field.Presence == Presence.Bit ? mayBeSet : $"{mayBeSet} && {IsPresent(isSet)}";
    }

    /// <summary>The statements that mark the field as set, if there are any.</summary>
    protected IReadOnlyList<string> MarkPresent =>
    [
        .. Field.HasBit ? [PresenceBits.Set(Field)] : Enumerable.Empty<string>(),
        .. Field.Presence == Presence.Oneof ? [$"fields.{Field.Oneof!.Storage} = {OneofCode.Case(Field)};"] : Enumerable.Empty<string>(),
    ];

    /// <summary>Writes the comment of the field, and the attribute of a deprecated field.</summary>
    /// <param name="code">The writer of the comment.</param>
    /// <param name="action">What the member does with the field. It begins the sentence for a field without a comment.</param>
    protected void Head(CodeWriter code, string action = "Gets")
    {
        DocComment.Write(code, Field.Owner.File.Source.CommentOf(Field.Path), $"{action} the field {Field.Descriptor.Name}.");
        if (Field.IsDeprecated) code.Line("[sys::Obsolete]");
    }
}

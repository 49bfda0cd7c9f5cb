using ProtoBench.Codec.Generator.Model;
using Type = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the code of a number, a bool or an enum.</summary>
sealed class ScalarCode(ProtoField field) : FieldCode(field)
{
    readonly ScalarKind kind = ScalarKind.Of(field);

    public override WireTag Tag => new(Field.Number, kind.WireType);

    public override string SlotType => Field.Enum?.TypeName ?? kind.Stored;

    public override void Accessors(CodeWriter code)
    {
        Head(code);
        var value = DefaultValue.Of(Field) is { } given ? $"{IsPresent("")} ? {Slot} : {given}"
            : Field.Presence == Presence.Oneof ? $"{IsPresent("")} ? {Slot} : default"
            : Slot;
        ViewCode.Getter(code, SlotType, Names.Property, value);
        PresenceCode.Has(code, Field, IsPresent(""));
    }

    public override void Mutators(CodeWriter code)
    {
        Head(code, "Sets");
        ViewCode.Method(code, Field.Owner.Names, $"void {Names.Set}({SlotType} value)", [$"{Slot} = value;", .. MarkPresent]);
        PresenceCode.Clear(code, Field, $"{Slot} = default;");
    }

    /// <summary>Writes statements that store a value that was read.</summary>
    public void Assign(CodeWriter code, string value)
    {
        code.Line($"{Slot} = {value};");
        code.Lines(MarkPresent);
    }

    public override void ParseCases(CodeWriter code, IReadOnlyList<string> next)
    {
        code.Line($"case {Tag.Value}:");
        code.Indent();
        // in a map entry the number is always read: the code of the map decides whether the entry is kept
        if (Field.Enum is { IsClosed: true } closed && !Field.Owner.IsMapEntry)
        {
            code.Line($"var {Names.Local} = reader.ReadInt32();");
            code.Open($"if ({EnumCode.IsKnown(closed, Names.Local)})");
            code.Line($"{Slot} = ({SlotType}){Names.Local};");
            code.Lines(MarkPresent);
            code.Close();
            code.Open("else");
            code.Line(UnknownFieldsCode.Keep(Tag.Value, Names.Local));
            code.Close();
            code.Line();
        }
        else
        {
            Assign(code, $"{EnumCode.Cast(Field)}reader.Read{kind.Method}()");
        }

        code.Lines(next);
        code.Unindent();
    }

    public override void Size(CodeWriter code) =>
        code.Line($"if ({IsWritten(kind.IsSet(Slot))}) size += {Tag.Size} + {kind.Size(EnumCode.Number(Field, Slot))};");

    public override void Write(CodeWriter code) =>
        code.Line($"if ({IsWritten(kind.IsSet(Slot))}) writer.Write{kind.Method}({Tag.Value}, {Written});");

    /// <summary>The expression that is written. A bool without presence is written only if it is true.</summary>
    string Written => Field.Presence == Presence.Implicit && !Field.Owner.IsMapEntry && kind.Method == "Bool"
        ? "true" : EnumCode.Number(Field, Slot);

    public override void Equality(CodeWriter code) => code.Line(Differs(kind.Differs(Slot, Other(Slot))));

    public override void Hash(CodeWriter code) =>
        code.Line($"if ({IsWritten(kind.IsSet(Slot))}) hash.Add({Field.Number}, {EnumCode.Number(Field, Slot)});");

    protected override string IsFilled => kind.IsSet(Slot);

    public override IReadOnlyList<string> PrintValue => [EnumCode.Print(Field, Slot)];
}

/// <summary>Generates the code of a repeated number, bool or enum, packed or not. Both encodings are read.</summary>
sealed class RepeatedScalarCode(ProtoField field) : FieldCode(field)
{
    readonly ScalarKind kind = ScalarKind.Of(field);

    public override WireTag Tag => new(Field.Number, Field.IsPacked ? WireTag.Delimited : kind.WireType);

    public override string SlotType => "runtime::ElementRange";

    public override IEnumerable<(string Name, string Type)> Arrays => [(ArrayName(kind), $"runtime::Storage<{kind.Stored}>")];

    string Array => "storage." + ArrayName(kind);

    string Element => Field.Enum?.TypeName ?? kind.Stored;

    string Stored => Field.Enum is null ? "value" : "(int)value";

    string Cast(string values) =>
        Field.Enum is null ? values : $"sys::Runtime.InteropServices.MemoryMarshal.Cast<{Element}, int>({values})";

    /// <summary>Gets the name of the array of this element type, which all repeated fields of a message share.</summary>
    static string ArrayName(ScalarKind kind) => kind.Stored switch
    {
        "double" => "Doubles",
        "float" => "Floats",
        "int" => "Int32s",
        "long" => "Int64s",
        "uint" => "UInt32s",
        "ulong" => "UInt64s",
        _ => "Bools",
    };

    public override void Accessors(CodeWriter code)
    {
        Head(code);
        var elements = $"{Array}.Slice({Slot})";
        ViewCode.Getter(code, $"sys::ReadOnlySpan<{Element}>", Names.Property,
            Field.Enum is null ? elements : $"sys::Runtime.InteropServices.MemoryMarshal.Cast<int, {Element}>({elements})");
    }

    public override void Mutators(CodeWriter code)
    {
        Head(code, "Adds an element to");
        ViewCode.Method(code, Field.Owner.Names, $"void {Names.Add}({Element} value)",
            [$"{Array}.Append(ref {Slot}, {Stored});", .. MarkPresent]);
        ViewCode.Method(code, Field.Owner.Names, $"void {Names.Add}(sys::ReadOnlySpan<{Element}> values)",
            [$"{Array}.Append(ref {Slot}, {Cast("values")});", .. MarkPresent]);
        code.Line($"/// <summary>Replaces an element of the field {DocComment.Escape(Field.Descriptor.Name)}.</summary>");
        ViewCode.Method(code, Field.Owner.Names, $"void {Names.Set}(int index, {Element} value)",
            [$"{Array}.Replace(ref {Slot}, index, {Stored});"]);
        code.Line($"/// <summary>Removes an element from the field {DocComment.Escape(Field.Descriptor.Name)}.</summary>");
        ViewCode.Method(code, Field.Owner.Names, $"void {Names.RemoveAt}(int index)", [$"{Array}.RemoveAt(ref {Slot}, index);"]);
        PresenceCode.Clear(code, Field, $"{Slot} = default;");
    }

    public override void ParseCases(CodeWriter code, IReadOnlyList<string> next)
    {
        var single = new WireTag(Field.Number, kind.WireType);
        var packed = new WireTag(Field.Number, WireTag.Delimited);
        code.Line($"case {packed.Value}:");
        code.Indent();
        if (Field.Enum is { IsClosed: true })
        {
            code.Open("for (var packed = reader.ReadPacked(); packed.HasMore;)");
            ReadClosed(code, "packed", single);
            code.Close();
            code.Line();
        }
        else
        {
            code.Line(kind.HasFixedWidth
                ? $"reader.ReadPackedFixed({Array}, ref {Slot}, {(Field.IsPacked ? "true" : "false")});"
                : $"reader.ReadPacked{kind.Method}({Array}, ref {Slot});");
        }

        code.Lines(MarkPresent);
        code.Lines(Field.IsPacked ? next : [next[^1]]);
        code.Unindent();

        code.Line($"case {single.Value}:");
        code.Indent();
        if (Field.Enum is { IsClosed: true })
        {
            code.OpenBlock();
            ReadClosed(code, "reader", single);
            code.Close();
            code.Line();
        }
        else
        {
            code.Line($"{Array}.Append(ref {Slot}, reader.Read{kind.Method}());");
        }

        code.Lines(MarkPresent);
        if (!Field.IsPacked) code.Line($"if (reader.TryReadTag({single.Value})) goto case {single.Value};");
        code.Lines(Field.IsPacked ? [next[^1]] : next);
        code.Unindent();
    }

    /// <summary>Writes the statements that read an element of a closed enum.</summary>
    void ReadClosed(CodeWriter code, string reader, WireTag tag)
    {
        code.Line($"var value = {reader}.ReadInt32();");
        code.Line($"if ({EnumCode.IsKnown(Field.Enum!, "value")}) {Array}.Append(ref {Slot}, value);");
        code.Line($"else {UnknownFieldsCode.Keep(tag.Value, "value")}");
    }

    public override void Size(CodeWriter code)
    {
        var all = kind.SizeOfAll(Array, Slot);
        if (Field.IsPacked) code.Line($"if ({IsWritten($"{Slot}.Count != 0")}) size += {Tag.Size} + runtime::WireSize.Body({all});");
        else code.Line($"if ({IsWritten($"{Slot}.Count != 0")}) size += ({Slot}.Count * {Tag.Size}L) + {all};");
    }

    public override void Write(CodeWriter code)
    {
        code.Open($"if ({IsWritten($"{Slot}.Count != 0")})");
        code.Line(!Field.IsPacked ? $"foreach (var value in {Array}.Slice({Slot})) writer.Write{kind.Method}({Tag.Value}, value);"
            : kind.HasFixedWidth ? $"writer.WritePackedFixed<{kind.Stored}>({Tag.Value}, {Array}.Slice({Slot}));"
            : $"writer.WritePacked{kind.Method}({Tag.Value}, {Array}.Slice({Slot}));");
        code.Close();
        code.Line();
    }

    public override void Equality(CodeWriter code)
    {
        var elements = $"{Array}.Slice({Slot})";
        code.Line($"if (!sys::MemoryExtensions.SequenceEqual({kind.Bits(elements)}, {kind.Bits(Other(elements))})) return false;");
    }

    public override void Hash(CodeWriter code) => code.Line($"hash.Add<{kind.Stored}>({Field.Number}, {Array}.Slice({Slot}));");

    protected override string IsFilled => $"{Slot}.Count != 0";

    public override IReadOnlyList<string> PrintValue => Field.Enum is null
        ? [$"printer.List<{kind.Stored}>({Array}.Slice({Slot}));"]
        : ["printer.BeginList();", $"foreach (var value in {Array}.Slice({Slot})) {EnumCode.Print(Field, "value")}", "printer.EndList();"];
}

/// <summary>Describes a scalar type in C# and on the wire.</summary>
/// <param name="Stored">The C# type of the stored value; an enum in a repeated field is stored as its number.</param>
/// <param name="Method">The name of the type in the methods of the runtime: Int32 in ReadInt32 and WriteInt32.</param>
/// <param name="WireType">The wire type of a value that is not packed.</param>
/// <param name="MostBytes">The maximum number of bytes that one value takes on the wire. An int32 is sign-extended, a zigzag value is
/// not.</param>
sealed record ScalarKind(string Stored, string Method, uint WireType, int MostBytes)
{
    static readonly Dictionary<Type, ScalarKind> kinds = new()
    {
        [Type.Double] = new("double", "Double", WireTag.Fixed64, 8),
        [Type.Float] = new("float", "Float", WireTag.Fixed32, 4),
        [Type.Int64] = new("long", "Int64", WireTag.Varint, 10),
        [Type.Uint64] = new("ulong", "UInt64", WireTag.Varint, 10),
        [Type.Int32] = new("int", "Int32", WireTag.Varint, 10),
        [Type.Fixed64] = new("ulong", "Fixed64", WireTag.Fixed64, 8),
        [Type.Fixed32] = new("uint", "Fixed32", WireTag.Fixed32, 4),
        [Type.Bool] = new("bool", "Bool", WireTag.Varint, 1),
        [Type.Uint32] = new("uint", "UInt32", WireTag.Varint, 5),
        [Type.Enum] = new("int", "Int32", WireTag.Varint, 10),
        [Type.Sfixed32] = new("int", "SFixed32", WireTag.Fixed32, 4),
        [Type.Sfixed64] = new("long", "SFixed64", WireTag.Fixed64, 8),
        [Type.Sint32] = new("int", "SInt32", WireTag.Varint, 5),
        [Type.Sint64] = new("long", "SInt64", WireTag.Varint, 10),
    };

    public static ScalarKind Of(ProtoField field) => kinds[field.Type];

    /// <summary>Gets the maximum size on the wire of a message of singular numbers without unknown fields.</summary>
    public static int MostBytesOf(ProtoMessage message) =>
        message.Fields.Sum(field => new WireTag(field.Number, Of(field).WireType).Size + Of(field).MostBytes);

    /// <summary>Whether a packed field of this type is a block of numbers of four or eight bytes.</summary>
    public bool HasFixedWidth => WireType != WireTag.Varint;

    /// <summary>The size on the wire; 0 if it depends on the value.</summary>
    int FixedSize => HasFixedWidth || MostBytes == 1 ? MostBytes : 0;

    /// <summary>Gets the expression for the size of one value.</summary>
    public string Size(string value) => FixedSize > 0 ? $"{FixedSize}" : $"runtime::WireSize.{SizeMethod}({value})";

    /// <summary>Gets the expression for the size of consecutive values.</summary>
    public string SizeOfAll(string storage, string range) => FixedSize switch
    {
        0 => $"runtime::WireSize.{SizeMethod}({storage}.Slice({range}))",
        1 => $"{range}.Count",
        _ => $"({range}.Count * {FixedSize}L)",
    };

    /// <summary>Gets the condition that a value differs from zero. The bits are compared, so -0.0 differs.</summary>
    public string IsSet(string value) => Method switch
    {
        "Bool" => value,
        "Float" => $"sys::BitConverter.SingleToUInt32Bits({value}) != 0",
        "Double" => $"sys::BitConverter.DoubleToUInt64Bits({value}) != 0",
        _ => $"{value} != 0",
    };

    /// <summary>Gets the condition that two values differ. Floats are compared by their bits, as in Google.Protobuf.</summary>
    public string Differs(string one, string other) => Method switch
    {
        "Float" => $"sys::BitConverter.SingleToUInt32Bits({one}) != sys::BitConverter.SingleToUInt32Bits({other})",
        "Double" => $"sys::BitConverter.DoubleToUInt64Bits({one}) != sys::BitConverter.DoubleToUInt64Bits({other})",
        _ => $"{one} != {other}",
    };

    /// <summary>Converts a span of values to a span that is compared by bits.</summary>
    public string Bits(string span) => Method switch
    {
        "Float" => $"sys::Runtime.InteropServices.MemoryMarshal.Cast<float, uint>({span})",
        "Double" => $"sys::Runtime.InteropServices.MemoryMarshal.Cast<double, ulong>({span})",
        _ => span,
    };

    /// <summary>Gets the literal of a default value.</summary>
    public string Literal(string text) => (Stored, text) switch
    {
        ("float" or "double", "inf") => Stored + ".PositiveInfinity",
        ("float" or "double", "-inf") => Stored + ".NegativeInfinity",
        ("float" or "double", "nan") => Stored + ".NaN",
        ("float", _) => text + "F",
        ("double", _) => text + "D",
        ("long", "-9223372036854775808") or ("int", "-2147483648") => Stored + ".MinValue",
        ("long", _) => text + "L",
        ("ulong", _) => text + "UL",
        ("uint", _) => text + "U",
        _ => text,
    };

    string SizeMethod => Method is "UInt32" or "UInt64" ? "Varint" : Method;
}

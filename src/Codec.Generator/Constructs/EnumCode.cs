using System.Globalization;
using ProtoBench.Codec.Generator.Model;
using ProtoBench.Codec.Generator.Naming;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the code of an enum, and the code in which a field of an enum's type differs from a number.</summary>
static class EnumCode
{
    public static void Declare(CodeWriter code, ProtoEnum type)
    {
        DocComment.Write(code, type.File.Source.CommentOf(type.Path), $"Represents the enum {type.Descriptor.Name}.");
        if (type.Descriptor.Options?.Deprecated == true) code.Line("[sys::Obsolete]");
        code.Open($"{(type.Parent is null ? type.File.Access : "public")} enum {type.Name}");
        for (var i = 0; i < type.Descriptor.Value.Count; i++)
        {
            var value = type.Descriptor.Value[i];
            DocComment.Write(code,
                type.File.Source.CommentOf([.. type.Path, Google.Protobuf.Reflection.EnumDescriptorProto.ValueFieldNumber, i]),
                $"The value {value.Name}.");
            if (value.Options?.Deprecated == true) code.Line("[sys::Obsolete]");
            code.Line($"{type.ValueNames[i]} = {value.Number.ToString(CultureInfo.InvariantCulture)},");
        }

        code.Close();
        code.Line();
    }

    /// <summary>Gets the cast from the number that was read to the enum.</summary>
    public static string Cast(ProtoField field) => field.Enum is null ? "" : $"({field.Enum.TypeName})";

    /// <summary>Gets the expression that converts the enum to the number that is written.</summary>
    public static string Number(ProtoField field, string value) => field.Enum is null ? value : "(int)" + value;

    /// <summary>Gets the statement that prints a value of a field.</summary>
    public static string Print(ProtoField field, string value)
    {
        if (field.Enum is not { } type) return $"printer.Value({value});";
        var method = type is { File.IsInRuntime: true, Descriptor.Name: "NullValue" } ? "Null" : "Enum";
        return $"printer.{method}(ProtoNames.Of(({type.TypeName}){value}), (int){value});";
    }

    /// <summary>Writes the method that returns the name of an enum value as in the .proto file, which is empty if the enum does not define
    /// the value.</summary>
    public static void Names(CodeWriter code, ProtoEnum type)
    {
        code.Open($"public static sys::ReadOnlySpan<byte> Of({type.TypeName} value) => (int)value switch");
        var seen = new HashSet<int>();
        foreach (var value in type.Descriptor.Value.Where(value => seen.Add(value.Number)))
            code.Line($"{value.Number.ToString(CultureInfo.InvariantCulture)} => {Literal.Utf8(value.Name)},");
        code.Line("_ => default,");
        code.Close(";");
        code.Line();
    }

    /// <summary>Gets the condition that a closed enum defines a value. It uses ranges of numbers, so that a large enum needs few
    /// comparisons.</summary>
    public static string IsKnown(ProtoEnum type, string value)
    {
        var ranges = new List<string>();
        var numbers = type.Numbers.ToList();
        for (var i = 0; i < numbers.Count;)
        {
            var first = i;
            while (++i < numbers.Count && numbers[i] == numbers[i - 1] + 1)
            {
            }

            ranges.Add(i - first == 1 ? $"{numbers[first]}" : $">= {numbers[first]} and <= {numbers[i - 1]}");
        }

        return $"{value} is {string.Join(" or ", ranges)}";
    }
}

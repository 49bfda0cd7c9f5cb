using System.Globalization;
using System.Text;

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <summary>Every type in every kind of field. A field's number is the group of its kind and the index of its type.</summary>
static class AllTypes
{
    /// <summary>The first number of each kind of field.</summary>
    public const int Singular = 1, Repeated = 101, Packed = 201, Unpacked = 301, Oneof = 401, ByString = 501, Keys = 601;

    public const int Child = 31, Children = 32, Self = 33, OneofChild = 431;

    /// <summary>Groups. In proto3 they are unknown fields.</summary>
    public const int Group = 41, Groups = 42, SelfGroup = 43, OneofGroup = 432;

    public const string Editions = "editions";

    public const int Unknown = 5_000;

    public static IReadOnlyList<WireScalar> Scalars => WireScalar.All;

    public static string Proto(string syntax)
    {
        var isProto2 = syntax == "proto2";
        var label = isProto2 ? "optional " : "";
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture,
            $"{(syntax == Editions ? "edition = \"2024\"" : $"syntax = \"{syntax}\"")};\npackage {syntax};\n");
        if (syntax == Editions) text.Append("option features.enforce_naming_style = STYLE_LEGACY;\n");
        text.Append("message All {\n");
        Each((type, i) => $"{label}{type} one_{type} = {Singular + i};");
        Each((type, i) => $"repeated {type} many_{type} = {Repeated + i};");
        Each((type, i) => CanPack(type) ? $"repeated {type} packed_{type} = {Packed + i} [{Encoding("PACKED")}];" : "");
        Each((type, i) => CanPack(type) ? $"repeated {type} unpacked_{type} = {Unpacked + i} [{Encoding("EXPANDED")}];" : "");
        text.Append("  oneof choice {\n");
        Each((type, i) => $"{type} choice_{type} = {Oneof + i};");
        text.Append(CultureInfo.InvariantCulture, $"    Child choice_child = {OneofChild};\n{GroupOf("", "ChoiceGroup", OneofGroup)}  }}\n");
        Each((type, i) => $"map<string, {type}> by_string_{type} = {ByString + i};");
        Each((type, i) => IsKey(type) ? $"map<{type}, Child> by_{type} = {Keys + i};" : "");
        text.Append(CultureInfo.InvariantCulture,
            $"  {label}Child child = {Child};\n  repeated Child children = {Children};\n  {label}All self = {Self};\n"
                + $"{GroupOf("optional ", "One", Group)}{GroupOf("repeated ", "Many", Groups)}}}\n");
        text.Append(CultureInfo.InvariantCulture,
            $"message Child {{\n  {label}int32 id = 1;\n  repeated int32 numbers = 2;\n  {label}string name = 3;\n  {label}Child next "
                + $"= 4;\n}}\n");
        text.Append("enum Kind {\n  KIND_NONE = 0;\n  KIND_ONE = 1;\n  KIND_TWO = 2;\n  KIND_BELOW = -1;\n}\n");
        return text.ToString();

        string Encoding(string encoding) =>
            syntax == Editions ? $"features.repeated_field_encoding = {encoding}" : $"packed = {(encoding == "PACKED" ? "true" : "false")}";

        // a message of many fields, which contains itself, or one of few
        string GroupOf(string label, string name, int number)
        {
            const string delimited = "[features.message_encoding = DELIMITED]";
            if (syntax == Editions)
            {
                return $"  {(label == "repeated " ? label : "")}Child {name.ToLowerInvariant()} = {number} {delimited};\n"
                    + (number == Group ? $"  All self_group = {SelfGroup} {delimited};\n" : "");
            }

            return !isProto2 ? "" : $"  {label}group {name} = {number} {{\n    optional int32 id = 1;\n    repeated int32 numbers = 2;\n"
                + $"    optional string name = 3;\n    optional group Next = 4 {{ optional int32 id = 1; }}\n    optional All all = 5;\n  }}\n";
        }

        void Each(Func<string, int, string> line)
        {
            for (var i = 0; i < Scalars.Count; i++) text.Append("  ").Append(line(Scalars[i].Name, i)).Append('\n');
        }
    }

    public static bool CanPack(string type) => type is not ("string" or "bytes");

    public static bool IsKey(string type) => type is not ("double" or "float" or "bytes" or "Kind");
}

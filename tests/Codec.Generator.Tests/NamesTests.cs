using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

public class NamesTests
{
    static readonly string[] keywords =
    [
        "abstract", "as", "base", "bool", "break", "byte", "case", "catch", "char", "checked", "class", "const", "continue", "decimal",
            "default", "delegate", "do", "double", "else", "enum", "event",
        "explicit", "extern", "false", "finally", "fixed", "float", "for", "foreach", "goto", "if", "implicit", "in", "int", "interface",
            "internal", "is", "lock", "long", "namespace", "new", "null",
        "object", "operator", "out", "override", "params", "private", "protected", "public", "readonly", "ref", "return", "sbyte", "sealed",
            "short", "sizeof", "stackalloc", "static", "string", "struct",
        "switch", "this", "throw", "true", "try", "typeof", "uint", "ulong", "unchecked", "unsafe", "ushort", "using", "virtual", "void",
            "volatile", "while", "record", "var", "dynamic", "async", "await",
        "nameof", "field", "file", "required", "scoped", "where", "yield", "partial", "managed", "notnull", "nint", "nuint", "unmanaged",
            "extension", "allows",
    ];

    static readonly string[] members =
    [
        "rent", "parse", "create", "create_storage", "calculate_size", "write", "needs_sizes", "fields", "field_storage", "storage",
            "mutable", "clear", "copy_from", "to_byte_array", "equals", "get_hash_code",
        "get_type", "to_string", "memberwise_clone", "reference_equals", "finalize", "types", "memory", "item", "add", "of", "slice",
            "append", "open", "find", "remove_at", "replace", "is_current", "stamp", "ranges",
        "size", "unknown", "presence0", "has_same_key", "hash_key", "key_of", "are_equal", "print", "at", "index", "reader", "writer",
            "depth", "tag", "codec", "sys", "jit", "proto_names", "missing_required", "int32s",
        "bools", "message", "value", "key", "system", "proto_bench", "_", "__", "_1", "has_moved", "length", "count", "none", "None",
            "NONE", "op_equality", "debugger_display", "full_name", "generated",
            "content", "is_set", "absent", "has_value",
    ];

    [Fact]
    public void Keywords_and_members_of_the_shape_are_names_of_fields_messages_and_values()
    {
        using var workshop = new Workshop();
        var names = keywords.Concat(members).ToList();
        workshop.Add("fields.proto", $"syntax = \"proto2\";\npackage fields;\n{Messages(names)}");
        workshop.Add("twins.proto", """
            syntax = "proto2";
            package twins;
            message Twins {
              optional int32 foo = 1;
              optional int32 FOO = 2;
              optional int32 Foo = 3;
              optional int32 fOO = 4;
              optional int32 has_foo = 5;
              optional string clear_foo = 6;
              repeated string add_foo = 7;
              oneof foo_ { int32 bar = 8; int32 Bar = 9; int32 foo_case = 10; }
              map<string, int32> set_foo = 11;
              optional Twins mutable_foo = 12;
              optional Twins twins = 13;
              optional FoO foo_type = 14;
              message FoO { optional FoO foo = 1; optional Twins twins = 2; }
              enum Types { option allow_alias = true; MOO = 0; moo = 0; bAz = 2; BAZ = 2; baz = 2; }
              optional Types types = 15;
            }
            message Types { message Types { optional Types types = 1; } optional Types types = 1; }
            """);
        workshop.GenerateAll();
        workshop.AssertCompiles();
    }

    /// <summary>protoc's C# generator makes no name of some of these, so that its code does not compile.</summary>
    [Theory]
    [InlineData("_", "_")]
    [InlineData("__", "_")]
    [InlineData("_1", "_1")]
    public void A_name_may_have_no_letters(string name, string value)
    {
        using var workshop = new Workshop { GrpcServices = "Both" };
        workshop.Add(name + ".proto", $$"""
            syntax = "proto2";
            package {{name}}.{{name}};
            message {{name}} { optional {{name}} {{name}} = 1; optional Values.E x = 2; oneof y { Values.E {{name}}y = 3; } }
            message Fields {
              optional int32 {{name}} = 1;
              oneof {{name}}x { int32 {{name}}z = 2; {{name}} {{name}}y = 3; }
              repeated .{{name}}.{{name}}.{{name}} {{name}}a = 4;
              map<int32, .{{name}}.{{name}}.{{name}}> {{name}}b = 5;
              extensions 100 to max;
            }
            message Oneof { oneof {{name}} { int32 a = 1; } }
            message Types { message {{name}} { optional int32 a = 1; } optional {{name}} b = 1; }
            message Enums { enum {{name}} { A = 0; } optional {{name}} b = 1; }
            message Values { enum E { {{name}} = 0; ONE = 1; } optional E e = 1 [default = {{name}}]; }
            message Extensions { extend Fields { optional int32 {{name}} = 100; repeated Values.E {{name}}c = 101; } }
            service S { rpc {{name}} (Fields) returns (Fields); }
            """);
        workshop.GenerateAll();
        var values = Enum.GetNames(Assert.Single(workshop.Compile().GetTypes(), type => type.IsEnum && type.Name == "E"));
        Assert.Equal([value, "One"], values);
    }

    /// <summary>As for an optional number: the property of a field keeps its name, and the presence of the other field gets an
    /// underscore.</summary>
    [Fact]
    public void A_field_may_have_the_name_of_the_presence_of_a_message()
    {
        using var workshop = new Workshop("order.proto", """
            syntax = "proto3";
            package shop;
            message Order { Limit limit = 1; bool has_limit = 2; optional int32 count = 3; bool has_count = 4; }
            message Limit { uint32 price = 1; }
            """);
        workshop.GenerateAll();
        workshop.AddSource("""
            #pragma warning disable CS1591
            public static class Reads
            {
                public static string All()
                {
                    using var message = Shop.Order.Rent();
                    var order = message.Value;
                    order.SetHasLimit(true);
                    order.SetHasCount(true);
                    var before = $"{order.HasLimit} {order.HasLimit_} {order.HasCount} {order.HasCount_}";
                    order.MutableLimit().SetPrice(5);
                    order.SetCount(0);
                    order.SetHasLimit(false);
                    order.SetHasCount(false);
                    return $"{before}, {order.HasLimit} {order.HasLimit_} {order.HasCount} {order.HasCount_}";
                }
            }
            """);
        var all = workshop.Compile().GetType("Reads")!.GetMethod("All")!.CreateDelegate<Func<string>>();
        Assert.Equal("True False True False, False True False True", all());
    }

    /// <summary>Without a package the types are beside the names that generated code begins with.</summary>
    [Fact]
    public void Names_that_generated_code_begins_with_are_types_without_a_package()
    {
        using var workshop = new Workshop(
            "fields.proto", $"syntax = \"proto2\";\n{Messages(["codec", "generated", "sys", "jit", "global", "system", "proto_bench", "proto_names"])}");
        workshop.GenerateAll();
        workshop.AssertCompiles();
    }

    static string Messages(List<string> names)
    {
        var all = string.Concat(names.Where(name => name != "_" && name != "__")
            .Select((name, i) => $"  optional {(i % 3 == 0 ? "string" : "int32")} {name} = {i + 1};\n"));
        var lists = string.Concat(
            names.Select((name, i) =>
                $"  "
                    + $"{(i % 4 == 0 ? "map<string, Fields>" : i % 4 == 1 ? "repeated Fields" : i % 4 == 2 ? "repeated int32" : "optional Fields")} {name} = {i + 1};\n"));
        var values = string.Concat(names.Where(name => name is not ("__" or "None" or "NONE")).Select((name, i) => $"  v{name} = {i};\n"));
        var types = string.Concat(names.Where(name => name is not ("_" or "__" or "_1"))
            .Select(name => $"message {name} {{ optional {name} {name} = 1; }}\n"));
        return $"message Fields {{\n{all}}}\nmessage Lists {{\n{lists}}}\nenum Values {{\n{values}}}\n{types}";
    }
}

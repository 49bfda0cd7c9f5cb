using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

public class TypeNamesTests
{
    static readonly string[] names =
    [
        "Rent", "Parse", "Create", "CreateStorage", "CalculateSize", "Write", "NeedsSizes", "Fields", "FieldStorage", "Storage", "Mutable",
        "Clear", "CopyFrom", "MergeFrom", "ToByteArray", "Equals", "GetHashCode", "GetType", "ToString", "MemberwiseClone",
        "ReferenceEquals", "Finalize", "Types", "Memory", "Item", "Add", "Of", "Slice", "At", "Size", "Has", "Unknown", "Presence0",
        "AreEqual", "Hash", "Print", "Value", "Key", "Ranges", "ReadOnlySpan", "Message", "MessageList", "Bytes", "Utf8String", "ISlabMessage",
        "System", "ProtoBench", "Codec", "Global", "Void", "Int32", "String", "Object", "ValueType", "Enumerator", "Obsolete",
        "op_Equality", "op_Inequality", "ToGoogle", "ToSlab", "DebuggerDisplay", "FullName", "Generated",
    ];

    [Fact]
    public void Types_have_the_names_of_members_and_of_what_the_code_uses()
    {
        using var workshop = new Workshop("top.proto", Proto2("top", names.Select(name =>
            $"message {name} {{ optional {name} {name} = 1; optional string {name}_ = 2; repeated {name} list = 3; map<string, {name}> map = 4; "
                + $"oneof {name}__ {{ int32 a = 5; {name} b = 6; }} }}")));
        workshop.Add("nested.proto", Proto2("nested", names.Select(name =>
            $"message Outer{name} {{ optional {name} {name}_ = 1; message {name} {{ optional {name} {name} = 1; map<string, {name}> map = 2; "
                + $"enum E{name} {{ E{name}_A = 0; E{name}_B = -5; }} optional E{name} e{name} = 3; }} }}")));
        workshop.Add("enums.proto", Proto2("enums", names.Select(name =>
            $"enum {name} {{ {name}_{name} = 3; {name}_v = 2; {name}_3{name} = 4; }} message M{name} {{ optional {name} {name} = 1; "
                + $"repeated {name} list = 2; oneof o {{ {name} a = 3; {name} b = 4; }} }}")));
        workshop.GenerateAll();
        workshop.AssertCompiles();
    }

    [Fact]
    public void A_type_that_gets_another_name_does_not_take_the_name_of_a_third()
    {
        using var workshop = new Workshop("twins.proto", Proto2("twins",
        [
            "message var { optional var_ a = 1; } message var_ { optional var a = 1; }",
            "message storage { optional index_ a = 1; } message storage_ {} message index {} enum index_ { A = 0; }",
            "message Outer { message stamp {} message stamp_ {} optional stamp a = 1; optional stamp_ b = 2; }",
            "message Equals_ { optional int32 equals = 1; } message Equals { optional Equals_ equals_ = 1; optional int32 equals = 2; }",
            "message Types { message Types_ {} message Types {} optional Types a = 1; optional Types_ b = 2; } message Types_ {}",
            "message Holder { message Types { message Types { optional Types types = 1; } } optional Types types = 1; }",
            "message _ { optional _ _ = 1; } message __ { optional _ __ = 1; message _ {} }",
            "message _1 { map<string, _1> _1 = 1; message _1Entry {} optional _1Entry b = 2; }",
            "message Fields { repeated int32 fields = 1; repeated Fields Fields = 2; map<int32, FieldStorage> field_storage = 3; }",
            "message FieldStorage { repeated FieldStorage field_storage = 1; repeated int32 Fields = 2; repeated int32 Fields_ = 3; }",
        ]));
        workshop.GenerateAll();
        workshop.AssertCompiles();
    }

    [Fact]
    public void Packages_have_any_name()
    {
        using var workshop = new Workshop();
        const string message = "message A { optional string a = 1; repeated int32 b = 2; }";
        foreach (var package in new[] { "class.event", "foo._1.bar_2x.codec", "_.__._2x", "system", "proto_bench.codec",
            "x.system.codec.proto_bench.google" })
        {
            workshop.Add(package + ".proto", Proto2(package, [message, "message System { optional A s = 1; }"]));
        }

        workshop.Add("none.proto", "syntax = \"proto2\";\nmessage codec { optional codec codec = 1; }\nmessage sys { optional string a = 1; }\nmessage generated { repeated generated a = 1; }\n"
            + "message jit { map<int32, sys> a = 1; }\nenum global { X = 0; }\nmessage E { optional global global = 1; }");
        workshop.Add("option.proto", Proto2("p", [message]).Replace("package p;", "option csharp_namespace = \"My.class.X\";",
            StringComparison.Ordinal));
        workshop.GenerateAll();
        workshop.AssertCompiles();
    }

    [Fact]
    public void Comments_are_any_text_and_everything_may_be_deprecated()
    {
        using var workshop = new Workshop("comments.proto", """
            syntax = "proto3";
            package comments;
            // A < b & c > d */ </summary> ]]> \u0000 "quoted" 'x' {0} $"{"
            //
            // {@code x} <see cref="Foo"/> é 漢 😀
            message A {
              /* block */ /// more
              string a = 1 [deprecated = true]; // trailing
              // two
              repeated A b = 2 [deprecated = true];
              map<string, A> c = 3 [deprecated = true];
              oneof o { // of a oneof
                int32 d = 4 [deprecated = true]; /* </summary> */ A e = 5 [deprecated = true]; }
              optional int32 f = 6 [deprecated = true];
              E g = 7 [deprecated = true];
              map<int32, E> h = 8; E i = 9; repeated E j = 10; D k = 11; repeated D l = 12; map<int32, D> m = 13;
              oneof p { D q = 14; E r = 15; }
            }
            enum E { option deprecated = true; E_A = 0 [deprecated = true]; E_B = 1; }
            message D { option deprecated = true; D a = 1; A b = 2; E c = 3; }
            """);
        workshop.Add("required.proto", Proto2("required",
        [
            "enum E { option deprecated = true; A = 1 [deprecated = true]; B = 2; }",
            "message M { optional E e = 1 [default = A, deprecated = true]; required M m = 2 [deprecated = true]; repeated E l = 3; }",
        ]));
        workshop.GenerateAll();
        workshop.AssertCompiles();
    }

    static string Proto2(string package, IEnumerable<string> types) =>
        $"syntax = \"proto2\";\npackage {package};\n{string.Join('\n', types)}";
}

using System.Reflection;
using System.Text.RegularExpressions;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

public partial class GoogleNamesTests
{
    const string names = """
        syntax = "proto2";
        package names;
        message Names {
          optional int32 foo_bar = 1;
          optional int32 fooBaz = 2;
          optional string FOO_QUX = 3;
          optional int32 a1b2_c3d = 4;
          optional int32 _under_ = 5;
          optional int32 _9lives = 6;
          optional Names names = 7;
          repeated int32 types = 8;
          optional string descriptor = 9;
          optional string parser = 10;
          optional bytes equals = 11;
          optional bytes to_string = 12;
          map<string, int32> get_hash_code = 13;
          optional int32 write_to = 14;
          optional int32 merge_from = 15;
          optional int32 calculate_size = 16;
          optional int32 clone = 17;
          optional int32 on_construction = 18;
          optional int32 class = 19;
          oneof home_address { string street = 20; Kind kind = 21; Names inner = 22; }
          optional Inner.Deep deep = 23;
          optional group MyGroup = 24 { optional int32 a = 1; }
          repeated group Clone_2 = 25 { optional group MyGroup = 1 {} }
          oneof other_group { group HTTPThing = 26 {} }
          optional int32 x_1y = 27;
          optional int32 URL = 28;
          message Inner {
            optional int32 inner = 1;
            message Deep { optional Size size = 1; enum Size { SIZE_SMALL = 0; SIZE_2XL = 1; LARGE = 2; SIZE = 3; } }
          }
        }
        enum Kind { option allow_alias = true; KIND_NONE = 0; kind_first = 1; KINDSecond = 2; ALIAS = 2; Kind_3rd_x = -3; }
        enum Color { colorBlue = 0; }
        enum E { E_below_zero = 0; Blue_2x = 1; }
        enum FooBar { FOO_BAR_BAZ_QUX = 0; }
        """;

    [Fact]
    public void Every_public_name_of_Googles_messages_and_enums_is_there()
    {
        using var workshop = new Workshop("names.proto", names);
        workshop.GenerateAll(_ => $"{Workshop.SlabNamespace}.Names");
        workshop.GenerateGoogle();
        workshop.AssertCompiles();

        // The build compiles those of the repository. Here their names are enough.
        foreach (var path in Directory.EnumerateFiles(Tools.Protos, "*.proto").Order(StringComparer.Ordinal))
            workshop.Add(Path.GetFileName(path), File.ReadAllText(path));
        workshop.GenerateAll(file => $"{Workshop.SlabNamespace}.{GoogleNamespace(file)}");
        workshop.GenerateGoogle();
        var assembly = workshop.CompileMembers();
        var missing = new List<string>();
        var compared = 0;
        foreach (var google in assembly.GetTypes().Where(IsOfMessage))
        {
            var name = $"{Workshop.SlabNamespace}.{google.FullName}";
            var slab = assembly.GetType(name);
            missing.AddRange(slab is null ? [name] : NamesOf(google).Except(NamesOf(slab)).Select(one => $"{name}.{one}"));
            compared++;
        }

        Assert.True(compared > 30, $"{compared} types");
        Assert.True(missing.Count == 0, string.Join('\n', missing));
    }

    /// <summary>Whether it is a message or an enum of Google's.</summary>
    static bool IsOfMessage(Type type)
    {
        if (type.Namespace?.StartsWith(Workshop.SlabNamespace, StringComparison.Ordinal) != false) return false;
        return type.IsAssignableTo(typeof(Google.Protobuf.IMessage))
            || (type.IsEnum && type.GetFields().Any(field => field.GetCustomAttributes<OriginalNameAttribute>().Any()));
    }

    static string GoogleNamespace(string file) => file == "names.proto" ? "Names"
        : CSharpNamespace().Match(File.ReadAllText(Path.Combine(Tools.Protos, file))).Groups["name"].Value;

    static IEnumerable<string> NamesOf(Type type)
    {
        if (type.IsEnum) return Enum.GetNames(type).Select(name => $"{name} = {Convert.ToInt32(Enum.Parse(type, name), null)}");
        var cases = type.GetNestedTypes().Where(nested => nested.IsEnum).SelectMany(Enum.GetNames);
        var properties = type.GetProperties(BindingFlags.Public | BindingFlags.Instance).Select(property => property.Name);
        var clears = type.GetMethods(BindingFlags.Public | BindingFlags.Instance)
            .Where(method => method.Name.StartsWith("Clear", StringComparison.Ordinal)).Select(method => method.Name);
        return [.. properties, .. clears, .. cases];
    }

    [GeneratedRegex("^option csharp_namespace = \"(?<name>[^\"]+)\";", RegexOptions.Multiline)]
    private static partial Regex CSharpNamespace();
}

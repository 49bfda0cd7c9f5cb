using System.Globalization;
using System.Text;

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <summary>Every construct, nesting, imports, and names that are keywords or members. The same seed draws the same files.</summary>
sealed class RandomSchema
{
    static readonly string[] scalars = [.. WireScalar.All.Select(scalar => scalar.Name).Where(name => name != "Kind")];

    static readonly string[] wellKnown =
        [".google.protobuf.Timestamp", ".google.protobuf.Duration", ".google.protobuf.Int32Value", ".google.protobuf.StringValue",
            ".google.protobuf.BytesValue", ".google.protobuf.DoubleValue", ".google.protobuf.Value", ".google.protobuf.FieldMask"];

    static readonly string[] keys = [.. scalars.Where(AllTypes.IsKey)];

    // protoc's C# generator copes with all of these; NamesTests has those that it does not
    static readonly string[] names =
    [
        "class", "string_", "event", "value", "size", "index", "storage", "memory", "tag", "types", "descriptor", "equals", "parser",
            "write_to", "clone", "rent", "parse", "fields",
        "field_storage", "create", "create_storage", "a1b2", "x_1y", "_under", "item", "count", "key", "unknown", "presence0", "codec",
            "sys", "jit", "reader", "writer", "span", "to_string",
        "get_hash_code", "none", "depth", "stamp", "range", "slice", "append", "open", "of", "needs_sizes", "calculate_size", "merge_from",
            "name", "id", "data", "URL", "HTTPStatus", "fooBar", "int", "var",
        "record", "field", "required", "system", "proto_bench", "global", "message", "ranges", "int32s", "bools", "add", "ref", "out",
            "params", "await", "async", "mutable", "code", "hash_key", "has_same_key", "current", "at",
    ];

    static readonly string[] typeNames =
        ["Event", "String", "System", "ProtoBench", "Fields", "FieldStorage", "Storage", "Message", "Codec", "Item", "Int32", "Bytes",
            "Rent", "Wire_Reader", "lower", "camelCase"];

    readonly Random random;
    readonly bool isProto2;
    readonly List<(string Name, string File)> messages = [];
    readonly List<(string Name, string File, string First)> enums = [];
    int serial;

    RandomSchema(int seed, bool isProto2) => (random, this.isProto2) = (new(seed), isProto2);

    /// <summary>Names of files and their text; a file may import those before it.</summary>
    public List<(string Name, string Text)> Files { get; } = [];

    public IEnumerable<string> Messages => messages.Select(message => message.Name);

    public static RandomSchema Draw(int seed, bool isProto2 = false)
    {
        var schema = new RandomSchema(seed, isProto2);
        var count = 1 + schema.random.Next(3);
        for (var i = 0; i < count; i++)
            schema.DrawFile($"{(i == 1 ? "sub/" : "")}s{seed}_{i}.proto",
                $"s{seed}{(isProto2 ? "p2" : "")}.{(i == 1 ? "inner_part.x" : "p" + i)}");
        return schema;
    }

    public static int SeedOf(string file)
    {
        var name = Path.GetFileName(file);
        return int.Parse(name[1..name.IndexOf('_', StringComparison.Ordinal)], CultureInfo.InvariantCulture);
    }

    void DrawFile(string file, string package)
    {
        var body = new StringBuilder();
        for (var i = 0; i < 1 + random.Next(2); i++) DrawEnum(body, "", package, file);
        var taken = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        for (var i = 0; i < 2 + random.Next(4); i++) DrawMessage(body, "", package, file, taken, 0);
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture,
            $"syntax = \"{(isProto2 ? "proto2" : "proto3")}\";\n// {file} & <its> comments\npackage {package};\n");
        foreach (var name in new[] { "timestamp", "duration", "wrappers", "struct", "field_mask" })
            text.Append(CultureInfo.InvariantCulture, $"import \"google/protobuf/{name}.proto\";\n");
        foreach (var (name, _) in Files) text.Append(CultureInfo.InvariantCulture,
            $"import {(random.Next(3) == 0 ? "public " : "")}\"{name}\";\n");
        Files.Add((file, text.Append(body).ToString()));
    }

    void DrawEnum(StringBuilder text, string indent, string scope, string file)
    {
        var name = "E" + serial++;
        var prefix = random.Next(2) == 0 ? name + "_" : $"V{serial}_";
        var alias = random.Next(3) == 0;
        text.Append(CultureInfo.InvariantCulture, $"{indent}enum {name} {{\n");
        if (alias) text.Append(CultureInfo.InvariantCulture, $"{indent}  option allow_alias = true;\n");
        var first = isProto2 ? 1 + random.Next(3) : 0;
        text.Append(CultureInfo.InvariantCulture,
            $"{indent}  {prefix}ZERO = {first};\n{indent}  {prefix}2ND = {first + 1};\n{indent}  {prefix}below_zero = "
                + $"-{1 + random.Next(int.MaxValue)};\n{indent}  {prefix}Largest = 2147483647;\n");
        if (alias) text.Append(CultureInfo.InvariantCulture,
            $"{indent}  {prefix}zero_AGAIN = {first};\n{indent}  {prefix}Zero_Again_ = {first};\n");
        text.Append(CultureInfo.InvariantCulture, $"{indent}}}\n");
        enums.Add(($"{scope}.{name}", file, prefix + "2ND"));
    }

    void DrawMessage(StringBuilder text, string indent, string scope, string file, HashSet<string> siblings, int depth)
    {
        var name = random.Next(3) == 0 ? typeNames[random.Next(typeNames.Length)] : "M" + serial++;
        if (!siblings.Add(name)) siblings.Add(name = "M" + serial++);
        var full = $"{scope}.{name}";
        messages.Add((full, file));
        text.Append(CultureInfo.InvariantCulture,
            $"{indent}// The message {name}.\n{indent}//\n{indent}// It has a <comment> & \"quotes\".\n{indent}message {name} {{\n");
        var inside = new HashSet<string>(StringComparer.OrdinalIgnoreCase) { name };
        if (depth < 2)
        {
            for (var i = random.Next(3); i > 0; i--) DrawMessage(text, indent + "  ", full, file, inside, depth + 1);
        }

        if (random.Next(3) == 0) DrawEnum(text, indent + "  ", full, file);
        DrawFields(text, indent + "  ", full);
        text.Append(CultureInfo.InvariantCulture, $"{indent}}}\n");
    }

    void DrawFields(StringBuilder text, string indent, string message, bool isGroup = false)
    {
        var numbers = new HashSet<int>();
        var taken = new HashSet<string>(StringComparer.OrdinalIgnoreCase) { message.Split('.')[^1] };
        var count = random.Next(isGroup ? 20 : 8) == 0 ? 40 + random.Next(40) : random.Next(isGroup ? 6 : 14);
        while (count > 0)
        {
            count--;
            switch (random.Next(10))
            {
                case 0 when count > 1:
                    text.Append(CultureInfo.InvariantCulture, $"{indent}oneof {FieldName(taken, "choice")} {{\n");
                    for (var i = 0; i < 1 + random.Next(5); i++)
                        text.Append(CultureInfo.InvariantCulture, $"{indent}  {Type()} {FieldName(taken)} = {Number(numbers)};\n");
                    text.Append(CultureInfo.InvariantCulture, $"{indent}}}\n");
                    break;
                case 1 or 2:
                    text.Append(CultureInfo.InvariantCulture,
                        $"{indent}map<{keys[random.Next(keys.Length)]}, {Type(isMap: true)}> {FieldName(taken)} = {Number(numbers)};\n");
                    break;
                case 3 or 4 or 5:
                    DrawRepeated(text, indent, taken, numbers);
                    break;
                case 6 when isProto2 && random.Next(2) == 0:
                    var name = "Group" + serial++;
                    text.Append(CultureInfo.InvariantCulture,
                        $"{indent}{(random.Next(2) == 0 ? "optional" : "repeated")} group {name} = {Number(numbers)} {{\n");
                    DrawFields(text, indent + "  ", $"{message}.{name}", isGroup: true);
                    text.Append(CultureInfo.InvariantCulture, $"{indent}}}\n");
                    break;
                default:
                    var label = isProto2 ? "optional " : random.Next(3) == 0 ? "optional " : "";
                    text.Append(CultureInfo.InvariantCulture,
                        $"{indent}{label}{Type()} {FieldName(taken)} = "
                            + $"{Number(numbers)}{(random.Next(9) == 0 ? " [deprecated = true]" : "")};\n");
                    break;
            }
        }
    }

    void DrawRepeated(StringBuilder text, string indent, HashSet<string> taken, HashSet<int> numbers)
    {
        var type = Type();
        var canPack = AllTypes.CanPack(type) && (scalars.Contains(type) || enums.Any(one => "." + one.Name == type));
        var option = canPack && random.Next(2) == 0 ? $" [packed = {(random.Next(2) == 0 ? "true" : "false")}]" : "";
        text.Append(CultureInfo.InvariantCulture, $"{indent}repeated {type} {FieldName(taken)} = {Number(numbers)}{option};\n");
    }

    /// <summary>A type. An enum of proto2 that does not begin with 0 cannot be a map's value.</summary>
    string Type(bool isMap = false) => random.Next(11) switch
    {
        10 when !isMap => wellKnown[random.Next(wellKnown.Length)],
        2 or 3 when isProto2 && isMap => "string",
        0 or 1 => "." + messages[random.Next(messages.Count)].Name,
        2 or 3 => "." + enums[random.Next(enums.Count)].Name,
        _ => scalars[random.Next(scalars.Length)],
    };

    string FieldName(HashSet<string> taken, string? stem = null)
    {
        var name = stem is null && random.Next(2) == 0 ? names[random.Next(names.Length)] : $"{stem ?? "f"}_{serial++}";
        var plain = name.Replace("_", "", StringComparison.Ordinal);
        if (taken.Add(plain)) return name;
        name = $"g{serial++}";
        taken.Add(name);
        return name;
    }

    int Number(HashSet<int> numbers)
    {
        while (true)
        {
            var number = random.Next(4) switch
            {
                0 => 1 + random.Next(536_870_911),
                1 => 1 + random.Next(3_000),
                _ => 1 + random.Next(120)
            };
            if (number is < 19_000 or > 19_999 && numbers.Add(number)) return number;
        }
    }
}

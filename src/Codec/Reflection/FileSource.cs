namespace ProtoBench.Codec.Reflection;

/// <summary>Represents a FileDescriptorProto as it was read, without references between its parts. The class knows the numbers of
/// descriptor.proto.</summary>
sealed class FileSource
{
    public const string Proto2 = "proto2", Proto3 = "proto3", Editions = "editions";

    const uint sourceCodeInfo = (9 << 3) | 2;

    public string Name { get; private set; } = "";

    public string Package { get; private set; } = "";

    public string Syntax { get; private set; } = "";

    public int Edition { get; private set; }

    public DescriptorFeatures Features { get; private set; }

    public List<string> Dependencies { get; } = [];

    public List<MessageSource> Messages { get; } = [];

    public List<EnumSource> Enums { get; } = [];

    public List<ServiceSource> Services { get; } = [];

    public List<FieldSource> Extensions { get; } = [];

    /// <summary>Removes the positions and comments of the source.</summary>
    public static byte[] WithoutSourceInfo(ReadOnlySpan<byte> file)
    {
        var (result, length) = (new byte[file.Length], 0);
        var wire = new DescriptorWire(file);
        for (var start = 0; wire.Next(); start = wire.Position)
        {
            if (wire.Tag == sourceCodeInfo) continue;
            file[start..wire.Position].CopyTo(result.AsSpan(length));
            length += wire.Position - start;
        }

        return length == result.Length ? result : result[..length];
    }

    public void Read(ReadOnlySpan<byte> file)
    {
        const uint name = (1 << 3) | 2, package = (2 << 3) | 2, dependency = (3 << 3) | 2, message = (4 << 3) | 2, type = (5 << 3) | 2,
            service = (6 << 3) | 2, extension = (7 << 3) | 2, options = (8 << 3) | 2, syntax = (12 << 3) | 2, edition = 14 << 3,
            features = (50 << 3) | 2;
        var wire = new DescriptorWire(file);
        while (wire.Next())
        {
            switch (wire.Tag)
            {
                case name:
                    Name = wire.Text;
                    break;
                case package:
                    Package = wire.Text;
                    break;
                case dependency:
                    Dependencies.Add(wire.Text);
                    break;
                case message:
                    Messages.Add(new(wire.Bytes, 1));
                    break;
                case type:
                    Enums.Add(new(wire.Bytes));
                    break;
                case service:
                    Services.Add(new(wire.Bytes));
                    break;
                case extension:
                    Extensions.Add(new(wire.Bytes));
                    break;
                case options:
                    Features = Options.Read(wire.Bytes, features, Features);
                    break;
                case syntax:
                    Syntax = wire.Text;
                    break;
                case edition:
                    Edition = wire.Int32;
                    break;
                default:
                    break;
            }
        }

        // a file without a syntax is proto2
        Edition = Syntax switch
        {
            "" or Proto2 => DescriptorFeatures.Proto2,
            Proto3 => DescriptorFeatures.Proto3,
            Editions when Edition is DescriptorFeatures.Edition2023 or DescriptorFeatures.Edition2024 => Edition,
            Editions => throw new FormatException($"The edition {Edition} is not supported."),
            _ => throw new FormatException($"The syntax '{Syntax}' is not supported."),
        };
        if (Syntax.Length == 0) Syntax = Proto2;
    }
}

/// <summary>Represents a DescriptorProto as it was read.</summary>
sealed class MessageSource
{
    public MessageSource(ReadOnlySpan<byte> message, int depth)
    {
        const uint name = (1 << 3) | 2, field = (2 << 3) | 2, nested = (3 << 3) | 2, type = (4 << 3) | 2, extension = (6 << 3) | 2,
            options = (7 << 3) | 2, oneof = (8 << 3) | 2, mapEntry = 7 << 3, features = (12 << 3) | 2;
        if (depth > DescriptorWire.MaxDepth)
            throw new FormatException($"More than {DescriptorWire.MaxDepth} messages are inside of each other.");
        var wire = new DescriptorWire(message);
        while (wire.Next())
        {
            switch (wire.Tag)
            {
                case name:
                    Name = wire.Text;
                    break;
                case field:
                    Fields.Add(new(wire.Bytes));
                    break;
                case nested:
                    Messages.Add(new(wire.Bytes, depth + 1));
                    break;
                case type:
                    Enums.Add(new(wire.Bytes));
                    break;
                case extension:
                    Extensions.Add(new(wire.Bytes));
                    break;
                case options:
                    Features = Options.Read(wire.Bytes, features, Features);
                    IsMapEntry = Options.ReadBool(wire.Bytes, mapEntry) ?? IsMapEntry;
                    break;
                case oneof:
                    Oneofs.Add(Options.ReadText(wire.Bytes, name));
                    break;
                default:
                    break;
            }
        }
    }

    public string Name { get; } = "";

    public bool IsMapEntry { get; }

    public DescriptorFeatures Features { get; }

    public List<FieldSource> Fields { get; } = [];

    public List<string> Oneofs { get; } = [];

    public List<MessageSource> Messages { get; } = [];

    public List<EnumSource> Enums { get; } = [];

    public List<FieldSource> Extensions { get; } = [];
}

/// <summary>Represents a FieldDescriptorProto as it was read.</summary>
sealed class FieldSource
{
    public FieldSource(ReadOnlySpan<byte> field)
    {
        const uint name = (1 << 3) | 2, extendee = (2 << 3) | 2, number = 3 << 3, label = 4 << 3, type = 5 << 3, typeName = (6 << 3) | 2,
            options = (8 << 3) | 2, oneofIndex = 9 << 3, jsonName = (10 << 3) | 2, proto3Optional = 17 << 3, packed = 2 << 3,
            features = (21 << 3) | 2, repeated = 3, required = 2;
        var wire = new DescriptorWire(field);
        while (wire.Next())
        {
            switch (wire.Tag)
            {
                case name:
                    Name = wire.Text;
                    break;
                case extendee:
                    Extendee = wire.Text;
                    break;
                case number:
                    Number = wire.Int32;
                    break;
                case label:
                    (IsRepeated, IsRequired) = (wire.Varint == repeated, wire.Varint == required);
                    break;
                case type:
                    Type = wire.Int32;
                    break;
                case typeName:
                    TypeName = wire.Text;
                    break;
                case options:
                    Features = Options.Read(wire.Bytes, features, Features);
                    IsPacked = Options.ReadBool(wire.Bytes, packed) ?? IsPacked;
                    break;
                case oneofIndex:
                    OneofIndex = wire.Int32;
                    break;
                case jsonName:
                    JsonName = wire.Text;
                    break;
                case proto3Optional:
                    IsProto3Optional = wire.Bool;
                    break;
                default:
                    break;
            }
        }
    }

    public string Name { get; } = "";

    public string Extendee { get; } = "";

    public int Number { get; }

    public bool IsRepeated { get; }

    public bool IsRequired { get; }

    public int Type { get; }

    public string TypeName { get; } = "";

    /// <summary>The index of the oneof; null if the field is in none.</summary>
    public int? OneofIndex { get; }

    /// <summary>The name in JSON; null for the default one.</summary>
    public string? JsonName { get; }

    public bool IsProto3Optional { get; }

    /// <summary>The option "packed"; null if it is not set.</summary>
    public bool? IsPacked { get; }

    public DescriptorFeatures Features { get; }
}

/// <summary>Represents an EnumDescriptorProto as it was read.</summary>
sealed class EnumSource
{
    public EnumSource(ReadOnlySpan<byte> type)
    {
        const uint name = (1 << 3) | 2, value = (2 << 3) | 2, options = (3 << 3) | 2, features = (7 << 3) | 2;
        var wire = new DescriptorWire(type);
        while (wire.Next())
        {
            switch (wire.Tag)
            {
                case name:
                    Name = wire.Text;
                    break;
                case value:
                    Values.Add(ReadValue(wire.Bytes));
                    break;
                case options:
                    Features = Options.Read(wire.Bytes, features, Features);
                    break;
                default:
                    break;
            }
        }
    }

    public string Name { get; } = "";

    public DescriptorFeatures Features { get; }

    public List<(string Name, int Number)> Values { get; } = [];

    static (string Name, int Number) ReadValue(ReadOnlySpan<byte> value)
    {
        const uint name = (1 << 3) | 2, number = 2 << 3;
        var result = (Name: "", Number: 0);
        var wire = new DescriptorWire(value);
        while (wire.Next())
        {
            if (wire.Tag == name) result.Name = wire.Text;
            else if (wire.Tag == number) result.Number = wire.Int32;
        }

        return result;
    }
}

/// <summary>Represents a ServiceDescriptorProto as it was read.</summary>
sealed class ServiceSource
{
    public ServiceSource(ReadOnlySpan<byte> service)
    {
        const uint name = (1 << 3) | 2, method = (2 << 3) | 2;
        var wire = new DescriptorWire(service);
        while (wire.Next())
        {
            if (wire.Tag == name) Name = wire.Text;
            else if (wire.Tag == method) Methods.Add(new(wire.Bytes));
        }
    }

    public string Name { get; } = "";

    public List<MethodSource> Methods { get; } = [];
}

/// <summary>Represents a MethodDescriptorProto as it was read.</summary>
sealed class MethodSource
{
    public MethodSource(ReadOnlySpan<byte> method)
    {
        const uint name = (1 << 3) | 2, input = (2 << 3) | 2, output = (3 << 3) | 2, clientStreaming = 5 << 3, serverStreaming = 6 << 3;
        var wire = new DescriptorWire(method);
        while (wire.Next())
        {
            switch (wire.Tag)
            {
                case name:
                    Name = wire.Text;
                    break;
                case input:
                    Input = wire.Text;
                    break;
                case output:
                    Output = wire.Text;
                    break;
                case clientStreaming:
                    IsClientStreaming = wire.Bool;
                    break;
                case serverStreaming:
                    IsServerStreaming = wire.Bool;
                    break;
                default:
                    break;
            }
        }
    }

    public string Name { get; } = "";

    public string Input { get; } = "";

    public string Output { get; } = "";

    public bool IsClientStreaming { get; }

    public bool IsServerStreaming { get; }
}

/// <summary>Reads single fields of a message of options.</summary>
static class Options
{
    public static DescriptorFeatures Read(ReadOnlySpan<byte> options, uint tag, DescriptorFeatures features)
    {
        var wire = new DescriptorWire(options);
        while (wire.Next())
        {
            if (wire.Tag == tag) features = features.With(wire.Bytes);
        }

        return features;
    }

    public static bool? ReadBool(ReadOnlySpan<byte> options, uint tag)
    {
        bool? value = null;
        var wire = new DescriptorWire(options);
        while (wire.Next())
        {
            if (wire.Tag == tag) value = wire.Bool;
        }

        return value;
    }

    public static string ReadText(ReadOnlySpan<byte> message, uint tag)
    {
        var value = "";
        var wire = new DescriptorWire(message);
        while (wire.Next())
        {
            if (wire.Tag == tag) value = wire.Text;
        }

        return value;
    }
}

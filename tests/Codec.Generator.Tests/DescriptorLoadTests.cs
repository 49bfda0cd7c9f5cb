using System.Diagnostics;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;
using FileDescriptor = ProtoBench.Codec.Reflection.FileDescriptor;
using MessageDescriptor = ProtoBench.Codec.Reflection.MessageDescriptor;
using Type = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;
using Label = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Label;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>Descriptors that somebody sends: each fault is an ArgumentException that says where and what it is.</summary>
public class DescriptorLoadTests
{
    static readonly FileDescriptorProto[] wellKnown = [.. new[] { Google.Protobuf.WellKnownTypes.SourceContextReflection.Descriptor,
        Google.Protobuf.WellKnownTypes.AnyReflection.Descriptor, Google.Protobuf.WellKnownTypes.TypeReflection.Descriptor,
        Google.Protobuf.WellKnownTypes.StructReflection.Descriptor, DescriptorReflection.Descriptor }
            .Select(file => FileDescriptorProto.Parser.ParseFrom(file.SerializedData))];

    static readonly ReadOnlyMemory<byte>[] imports = [.. wellKnown[..2].Select(file => file.ToByteArray())];

    public static TheoryData<string, string, Action<FileDescriptorProto>> Faults { get; } = new()
    {
        { "The descriptor with index 0: The file has no name", "no name", file => file.ClearName() },
        { "a.proto: The imported file b.proto is missing", "import", file => file.Dependency.Add("b.proto") },
        { "a.proto: The imported file a.proto is missing", "itself", file => file.Dependency.Add("a.proto") },
        { "a.proto: A file is imported twice", "imports", file => file.Dependency.Add(["b.proto", "b.proto"]) },
        { "a.proto: p.A is defined twice", "message", file => file.MessageType.Add(new DescriptorProto { Name = "A" }) },
        { "a.proto: p.A is defined twice", "enum", file => file.EnumType.Add(Enum("A")) },
        { "a.proto: p.A is defined twice", "service", file => file.Service.Add(new ServiceDescriptorProto { Name = "A" }) },
        { "a.proto: p: a name is missing", "nameless message", file => file.MessageType.Add(new DescriptorProto()) },
        { "a.proto: 'a.b' is not a name", "dot", file => file.MessageType[0].Name = "a.b" },
        { "a.proto: 'é' is not a name", "letter", file => file.MessageType[0].Name = "é" },
        { "a.proto: The package: a name is missing", "package", file => file.Package = "a..b" },
        { "a.proto: The syntax 'proto4' is not supported", "syntax", file => file.Syntax = "proto4" },
        { "a.proto: The edition 9999 is not supported", "edition", file => (file.Syntax, file.Edition) = ("editions", (Edition)9999) },
        { "a.proto: The edition 0 is not supported", "no edition", file => file.Syntax = "editions" },
        { "a.proto: p.A.x: the type q.B is missing", "type", file => Field(file, Type.Message, ".q.B") },
        { "a.proto: p.A.x: the type 'A' does not begin with a dot", "relative", file => Field(file, Type.Message, "A") },
        { "a.proto: p.A.x: .p.E is a type of another kind", "enum as message", file => Field(file, Type.Message, ".p.E") },
        { "a.proto: p.A.x: .p.E is a type of another kind", "enum as group", file => Field(file, Type.Group, ".p.E") },
        { "a.proto: p.A.x: .p.A is a type of another kind", "message as enum", file => Field(file, Type.Enum, ".p.A") },
        { "a.proto: p.A.x has the type 19", "number of type", file => Field(file, (Type)19) },
        { "a.proto: p.A.x has the type -1", "negative type", file => Field(file, (Type)(-1)) },
        { "a.proto: p.A.x has the number 0", "number", file => Field(file, Type.Int32).Number = 0 },
        { "a.proto: p.A.x has the number 536870912", "large number", file => Field(file, Type.Int32).Number = 1 << 29 },
        { "a.proto: p.A.a and p.A.x have the same number", "numbers", file => Field(file, Type.Int32).Number = 1 },
        { "a.proto: p.A.a is defined twice", "fields", file => Field(file, Type.Int32).Name = "a" },
        { "a.proto: p.A.x is an extension", "extendee", file => Field(file, Type.Int32).Extendee = ".p.A" },
        { "a.proto: p.A.x cannot be in its oneof", "oneof", file => Field(file, Type.Int32).OneofIndex = 1 },
        { "a.proto: p.A.x cannot be in its oneof", "negative oneof", file => Field(file, Type.Int32).OneofIndex = -1 },
        { "a.proto: p.A.x cannot be in its oneof", "list in oneof", file =>
            (file.MessageType[0].Field[0].OneofIndex, Field(file, Type.Int32, "", Label.Repeated).OneofIndex) = (0, 0) },
        { "a.proto: p.A.x is optional, but in no oneof", "optional", file => Field(file, Type.Int32).Proto3Optional = true },
        { "a.proto: p.A: the oneof o is of an optional field", "two optionals", file =>
        {
            file.MessageType[0].Field[0].OneofIndex = 0;
            Field(file, Type.Int32).MergeFrom(new FieldDescriptorProto { Proto3Optional = true, OneofIndex = 0 });
        } },
        { "a.proto: p.A: the oneof o has no fields", "empty oneof", file => file.MessageType[0].Field[0].ClearOneofIndex() },
        { "a.proto: p.E has no values", "empty enum", file => file.EnumType[0].Value.Clear() },
        { "a.proto: p.E.Z is defined twice", "values", file => file.EnumType[0].Value.Add(file.EnumType[0].Value[0]) },
        { "a.proto: p.ext: .p.E is not a message", "extended enum", file => file.Extension[0].Extendee = ".p.E" },
        { "a.proto: p.ext: the type '' does not begin with a dot", "no extended message", file => file.Extension[0].ClearExtendee() },
        { "a.proto: The extension p.ext is in a oneof", "extension in oneof", file => file.Extension[0].OneofIndex = 0 },
        { "a.proto: p.S: .p.E is not a message", "request", file => file.Service[0].Method[0].InputType = ".p.E" },
        { "a.proto: p.S: the type p.None is missing", "reply", file => file.Service[0].Method[0].OutputType = ".p.None" },
        { "a.proto: p.S.M is defined twice", "methods", file => file.Service[0].Method.Add(file.Service[0].Method[0]) },
        { "a.proto: p.A.MEntry is a map entry without a key and a value", "no value", file => Entry(file).Field.RemoveAt(1) },
        { "a.proto: p.A.MEntry is a map entry without a key and a value", "third field", file =>
            Entry(file).Field.Add(new FieldDescriptorProto { Name = "x", Number = 3, Type = Type.Int32 }) },
        { "a.proto: p.A.MEntry is a map entry without a key and a value", "number of key", file => Entry(file).Field[0].Number = 3 },
        { "a.proto: p.A.MEntry is a map entry without a key and a value", "list", file => Entry(file).Field[1].Label = Label.Repeated },
        { "a.proto: p.A.MEntry is a map entry without a key and a value", "type of key", file => Entry(file).Field[0].Type = Type.Double },
        { "a.proto: p.A.m: p.A.MEntry is the entry of another map", "map of one", file =>
            file.MessageType[0].Field[1].Label = Label.Optional },
        { "a.proto: p.A.m: p.A.MEntry is the entry of another map", "group", file => file.MessageType[0].Field[1].Type = Type.Group },
        { "a.proto: p.B.x: p.A.MEntry is the entry of another map", "other map", file => file.MessageType.Add(new DescriptorProto
        {
            Name = "B",
            Field = { new FieldDescriptorProto { Name = "x", Number = 1, Type = Type.Message, TypeName = ".p.A.MEntry", Label = Label.Repeated } },
        }) },
    };

    [Fact]
    public void A_file_without_a_fault_is_loaded()
    {
        var file = Assert.Single(DescriptorTree.Load([File()]));
        Assert.Equal("p.A", file.FindTypeByName<MessageDescriptor>("A")!.FullName);
        Assert.Equal(DescriptorTree.Of(DescriptorTree.Google([File()])[0]), DescriptorTree.Of(file));
    }

    [Theory]
    [MemberData(nameof(Faults), DisableDiscoveryEnumeration = true)]
    public void Each_fault_is_named(string error, string what, Action<FileDescriptorProto> damage)
    {
        var file = File();
        damage(file);
        var thrown = Assert.Throws<ArgumentException>(() => DescriptorTree.Load([file]));
        Assert.True(thrown.Message.StartsWith(error, StringComparison.Ordinal), $"{what}: {thrown.Message}");
    }

    [Fact]
    public void Files_of_one_name_have_the_same_content()
    {
        var (file, other) = (File(), File());
        Assert.Single(DescriptorTree.Load([file, other]));
        other.Service.Clear();
        Assert.Contains("loaded before", Assert.Throws<ArgumentException>(() => DescriptorTree.Load([file, other])).Message,
            StringComparison.Ordinal);
        other.Name = "b.proto";
        Assert.Contains("b.proto: p.A is defined twice", Assert.Throws<ArgumentException>(() => DescriptorTree.Load([file, other])).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void An_import_after_its_user_is_missing()
    {
        Assert.Equal(5, DescriptorTree.Load(wellKnown).Count);
        Assert.Throws<ArgumentException>(() => DescriptorTree.Load(wellKnown.Reverse()));
    }

    [Fact]
    public void Nothing_but_an_ArgumentException_for_a_file_that_ends_early()
    {
        foreach (var file in wellKnown)
        {
            var bytes = file.ToByteArray();
            for (var length = 0; length < bytes.Length; length++) Try(bytes[..length]);
        }
    }

    [Fact]
    public void Nothing_but_an_ArgumentException_for_a_file_with_other_bytes()
    {
        var random = new Random(20_261);
        var loaded = 0;
        foreach (var file in wellKnown.Append(File()))
        {
            var bytes = file.ToByteArray();
            for (var i = 0; i < 3_000; i++)
            {
                var changed = bytes.ToArray();
                for (var count = random.Next(1, 4); count > 0; count--) changed[random.Next(changed.Length)] = (byte)random.Next(256);
                if (Try(changed)) loaded++;
            }
        }

        Assert.InRange(loaded, 100, 17_900);
    }

    [Theory]
    [InlineData(100, false)]
    [InlineData(101, true)]
    [InlineData(1_000, true)]
    public void Messages_are_nested_100_times(int depth, bool isRefused)
    {
        var message = Array.Empty<byte>();
        for (var i = 0; i < depth; i++)
            message = Wire.Join([Wire.Delimited(1, "M"u8.ToArray()), .. message.Length > 0 ? [Wire.Delimited(3, message)] : (byte[][])[]]);
        AssertRefused(Wire.Join([Wire.Delimited(1, "a.proto"u8.ToArray()), Wire.Delimited(4, message)]), isRefused, "inside of each other");
    }

    [Theory]
    [InlineData(100, false)]
    [InlineData(101, true)]
    [InlineData(1_000_000, true)]
    public void Groups_of_unknown_fields_are_nested_100_times(int depth, bool isRefused)
    {
        byte[] groups = [.. Enumerable.Repeat((byte)(3 << 3 | 3), depth), .. Enumerable.Repeat((byte)(3 << 3 | 4), depth)];
        AssertRefused(Wire.Join([Wire.Delimited(1, "a.proto"u8.ToArray()), groups]), isRefused, "inside of each other");
    }

    /// <summary>A long package makes the names of many small messages long.</summary>
    [Fact]
    public void Names_are_in_proportion_to_the_file()
    {
        var file = new FileDescriptorProto { Name = "a.proto", Package = new string('p', 1_000_000) };
        for (var i = 0; i < 100_000; i++) file.MessageType.Add(new DescriptorProto { Name = "M" + i });
        Assert.Contains("too long", Assert.Throws<ArgumentException>(() => DescriptorTree.Load([file])).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_time_is_in_proportion_to_the_file()
    {
        Time(1_000);
        var (small, large) = (Time(5_000), Time(50_000));
        TestContext.Current.SendDiagnosticMessage("{0} {1}", small, large);
        Assert.True(large < (40 * small) + TimeSpan.FromSeconds(1), $"{small} and {large}");

        static TimeSpan Time(int count)
        {
            var file = File();
            var type = file.MessageType[0];
            for (var i = 0; i < count; i++)
            {
                Field(file, Type.Message, ".p.A").MergeFrom(new FieldDescriptorProto { Name = "x" + i, Number = count - i + 10 });
                type.NestedType.Add(new DescriptorProto { Name = "N" + i });
                file.EnumType[0].Value.Add(new EnumValueDescriptorProto { Name = "V" + i, Number = i });
            }

            var bytes = file.ToByteArray();
            var clock = Stopwatch.StartNew();
            var loaded = FileDescriptor.Load([bytes])[0];
            var message = loaded.MessageTypes[0];
            foreach (var field in message.Fields)
            {
                Assert.Same(field, message.FindFieldByName(field.Name));
                Assert.Same(field, message.FindFieldByNumber(field.FieldNumber));
            }

            foreach (var value in loaded.EnumTypes[0].Values) Assert.Same(value, loaded.EnumTypes[0].FindValueByName(value.Name));
            return clock.Elapsed;
        }
    }

    [Fact]
    public void Fields_and_values_are_found()
    {
        var file = File();
        file.MessageType[0].Field.Add(
        [
            new FieldDescriptorProto { Name = "fooBar", Number = 500, Type = Type.Int32 },
            new FieldDescriptorProto { Name = "foo_bar", Number = 400, Type = Type.Int32, JsonName = "a" },
            new FieldDescriptorProto { Name = new string('n', 1_000), Number = 300, Type = Type.Int32 },
        ]);
        file.EnumType[0].Value.Add([new EnumValueDescriptorProto { Name = "TWICE", Number = 1 }, new EnumValueDescriptorProto { Name = "AGAIN", Number = 1 }]);
        var loaded = DescriptorTree.Load([file])[0];
        var (message, type) = (loaded.MessageTypes[0], loaded.EnumTypes[0]);
        foreach (var field in message.Fields)
        {
            Assert.Same(field, message.FindFieldByName(field.Name));
            Assert.Same(field, message.FindFieldByNumber(field.FieldNumber));
        }

        Assert.Null(message.FindFieldByName("b"));
        Assert.Null(message.FindFieldByName(""));
        Assert.Null(message.FindFieldByName(new string('n', 999)));
        Assert.Null(message.FindFieldByName("\uD800"));
        Assert.Null(message.FindFieldByNumber(0));
        Assert.Null(message.FindFieldByNumber(-1));
        Assert.Null(message.FindFieldByNumber(7));
        Assert.Null(message.FindFieldByNumber(int.MaxValue));
        Assert.Equal("AGAIN", type.FindValueByName("AGAIN")!.Name);
        Assert.Equal("TWICE", type.FindValueByNumber(1)!.Name);
        Assert.Null(type.FindValueByName("NONE"));
        Assert.Null(type.FindValueByNumber(9));
        Assert.Null(loaded.FindTypeByName<MessageDescriptor>("E"));
        Assert.Same(message.NestedTypes[0], loaded.FindTypeByName<MessageDescriptor>("A.MEntry"));
    }

    [Fact]
    public void Loaded_bytes_are_a_copy_without_positions()
    {
        var file = File();
        file.SourceCodeInfo = new() { Location = { new SourceCodeInfo.Types.Location { Path = { 1 } } } };
        var bytes = file.ToByteArray();
        var loaded = FileDescriptor.Load([bytes])[0];
        bytes.AsSpan().Clear();
        Assert.Equal(File(), FileDescriptorProto.Parser.ParseFrom(loaded.SerializedData.Span));
    }

    [Fact]
    public void A_type_without_its_kind_is_a_message_or_an_enum()
    {
        var file = File();
        Field(file, Type.Message, ".p.A").ClearType();
        var other = Field(file, Type.Message, ".p.E");
        other.ClearType();
        (other.Name, other.Number) = ("y", 81);
        var fields = DescriptorTree.Load([file])[0].MessageTypes[0];
        Assert.Equal(Reflection.FieldType.Message, fields.FindFieldByName("x")!.FieldType);
        Assert.Equal(Reflection.FieldType.Enum, fields.FindFieldByName("y")!.FieldType);
    }

    static FileDescriptorProto File() => new()
    {
        Name = "a.proto",
        Package = "p",
        Syntax = "proto3",
        MessageType =
        {
            new DescriptorProto
            {
                Name = "A",
                Field =
                {
                    new FieldDescriptorProto { Name = "a", Number = 1, Type = Type.Int32, Label = Label.Optional, OneofIndex = 0 },
                    new FieldDescriptorProto { Name = "m", Number = 2, Type = Type.Message, TypeName = ".p.A.MEntry", Label = Label.Repeated },
                },
                OneofDecl = { new OneofDescriptorProto { Name = "o" } },
                NestedType =
                {
                    new DescriptorProto
                    {
                        Name = "MEntry",
                        Options = new() { MapEntry = true },
                        Field =
                        {
                            new FieldDescriptorProto { Name = "key", Number = 1, Type = Type.String, Label = Label.Optional },
                            new FieldDescriptorProto { Name = "value", Number = 2, Type = Type.Message, TypeName = ".p.A", Label = Label.Optional },
                        },
                    },
                },
                ExtensionRange = { new DescriptorProto.Types.ExtensionRange { Start = 100, End = 200 } },
            },
        },
        EnumType = { Enum("E") },
        Extension = { new FieldDescriptorProto { Name = "ext", Number = 100, Type = Type.Int32, Extendee = ".p.A", Label = Label.Optional } },
        Service = { new ServiceDescriptorProto { Name = "S",
            Method = { new MethodDescriptorProto { Name = "M", InputType = ".p.A", OutputType = ".p.A", ServerStreaming = true } } } },
    };

    static EnumDescriptorProto Enum(string name) => new() { Name = name, Value = { new EnumValueDescriptorProto { Name = "Z", Number = 0 } } };

    static DescriptorProto Entry(FileDescriptorProto file) => file.MessageType[0].NestedType[0];

    static FieldDescriptorProto Field(FileDescriptorProto file, Type type, string typeName = "", Label label = Label.Optional)
    {
        var field = new FieldDescriptorProto { Name = "x", Number = 80, Type = type, Label = label };
        if (typeName.Length > 0) field.TypeName = typeName;
        file.MessageType[0].Field.Add(field);
        return field;
    }

    static void AssertRefused(byte[] file, bool isRefused, string reason)
    {
        if (!isRefused) Assert.Single(FileDescriptor.Load([file]));
        else Assert.Contains(reason, Assert.Throws<ArgumentException>(() => FileDescriptor.Load([file])).Message, StringComparison.Ordinal);
    }

    static bool Try(byte[] file)
    {
        try
        {
            DescriptorTree.Of(FileDescriptor.Load([.. imports, file])[^1]);
            return true;
        }
        catch (ArgumentException fault)
        {
            Assert.NotEmpty(fault.Message);
            return false;
        }
    }
}

using System.Reflection;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;
using FileDescriptor = ProtoBench.Codec.Reflection.FileDescriptor;
using MessageDescriptor = ProtoBench.Codec.Reflection.MessageDescriptor;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>The descriptors of generated code tell the same as Google's.</summary>
public class ReflectionTests
{
    [Fact]
    public void Every_type_in_every_kind_of_field()
    {
        using var workshop = new Workshop();
        foreach (var syntax in new[] { "proto2", "proto3", AllTypes.Editions }) workshop.Add(syntax + ".proto", AllTypes.Proto(syntax));
        AssertSame(workshop);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Random_schemas(bool isProto2)
    {
        using var workshop = new Workshop();
        foreach (var (name, text) in RandomSchema.Draw(31_002, isProto2).Files) workshop.Add(name, text);
        AssertSame(workshop);
        foreach (var (name, text) in Enumerable.Range(31_003, 10).SelectMany(seed => RandomSchema.Draw(seed, isProto2).Files))
            workshop.Add(name, text);
        AssertLoadsSame(workshop);
    }

    [Fact]
    public void The_schemas_of_the_repository()
    {
        using var workshop = new Workshop();
        foreach (var file in Directory.EnumerateFiles(Tools.Protos, "*.proto", SearchOption.AllDirectories))
            workshop.Add(Path.GetRelativePath(Tools.Protos, file).Replace('\\', '/'), File.ReadAllText(file));
        AssertLoadsSame(workshop);
    }

    [Fact]
    public void Features_of_files_messages_fields_and_enums()
    {
        using var workshop = new Workshop("features.proto", """
            edition = "2023";
            package features;
            option features.field_presence = IMPLICIT;
            option features.enum_type = CLOSED;
            option features.repeated_field_encoding = EXPANDED;
            option features.message_encoding = DELIMITED;
            message All {
              int32 plain = 1;
              int32 explicit = 2 [features.field_presence = EXPLICIT];
              int32 required = 3 [features.field_presence = LEGACY_REQUIRED];
              All delimited = 4;
              All prefixed = 5 [features.message_encoding = LENGTH_PREFIXED];
              repeated int32 expanded = 6;
              repeated int32 packed = 7 [features.repeated_field_encoding = PACKED];
              map<int32, All> map = 8;
              oneof choice { int32 a = 9; All b = 10; Open c = 11; }
              repeated All list = 12;
              int32 named = 13 [json_name = "otherName"];
              int32 _odd__name_ = 14;
              extensions 100 to 200;
              extend All { repeated sint32 inside = 100; }
              enum Closed { CLOSED_NONE = 1; }
              enum Open { option features.enum_type = OPEN; OPEN_NONE = 0; }
              Closed closed = 15 [features.field_presence = EXPLICIT];
            }
            extend All { All outside = 101; repeated string texts = 102; }
            service S { rpc One(All) returns (stream All); rpc Two(stream All) returns (All); }
            """);
        var all = AssertSame(workshop).Single(file => file.Name == "features.proto").FindTypeByName<MessageDescriptor>("All")!;
        Assert.True(all.EnumTypes[0].IsClosed);
        Assert.False(all.EnumTypes[1].IsClosed);
    }

    [Fact]
    public void Well_known_types_have_descriptors()
    {
        var timestamp = WellKnownTypes.Timestamp.Descriptor;
        Assert.Same(WellKnownTypes.TimestampReflection.Descriptor, timestamp.File);
        Assert.Equal(DescriptorTree.Of(Google.Protobuf.WellKnownTypes.TimestampReflection.Descriptor), DescriptorTree.Of(timestamp.File));
        Assert.Equal(DescriptorTree.Of(Google.Protobuf.WellKnownTypes.StructReflection.Descriptor),
            DescriptorTree.Of(WellKnownTypes.StructReflection.Descriptor));
        Assert.Same(WellKnownTypes.SourceContextReflection.Descriptor, WellKnownTypes.Type.Descriptor.File.Dependencies[1]);
    }

    [Fact]
    public void A_message_has_its_own_descriptor_by_its_type_too()
    {
        using var workshop = new Workshop("nested.proto", """
            syntax = "proto3";
            package nested;
            message A { message B { map<int32, C> c = 1; message C { B b = 1; } } B b = 1; message D { int32 descriptor = 1; } }
            message Descriptor { E e = 1; message E { oneof descriptor { int32 a = 1; } } }
            """);
        workshop.GenerateAll();
        var types = workshop.Compile().GetTypes().Where(type => type.IsAssignableTo(typeof(IEquatable<>).MakeGenericType(type))
            && type.GetInterfaces().Any(one => one.Name.StartsWith("ISlabMessage", StringComparison.Ordinal))).ToList();
        Assert.Equal(6, types.Count);
        foreach (var type in types)
        {
            var descriptor = Of(type);
            Assert.Equal(type.Name, descriptor.Name);
            var name = type.Name == "Descriptor" ? "Descriptor_" : "Descriptor";
            Assert.Same(descriptor, type.GetProperty(name, BindingFlags.Public | BindingFlags.Static)!.GetValue(null));
        }
    }

    /// <summary>A file whose messages are options only has no code. The first file that imports it has its descriptor.</summary>
    [Fact]
    public void Imports_for_options_have_descriptors()
    {
        using var workshop = new Workshop("one.proto", """
            syntax = "proto3";
            package one;
            import "rules/more.proto";
            import "rules/base.proto";
            message One { int32 a = 1 [(rules.rule).max = 5]; }
            """);
        workshop.Add("two.proto", """
            syntax = "proto3";
            package two;
            import "rules/base.proto";
            import "one.proto";
            message Two { one.One a = 1 [(rules.rule).max = 5]; }
            """);
        workshop.AddImport("rules/base.proto", """
            syntax = "proto2";
            package rules;
            import "google/protobuf/descriptor.proto";
            extend google.protobuf.FieldOptions { optional Rule rule = 50000; }
            message Rule { optional int32 max = 1; }
            """);
        workshop.AddImport("rules/more.proto", """
            syntax = "proto3";
            package rules;
            import "rules/base.proto";
            import "google/protobuf/any.proto";
            message More { google.protobuf.Any any = 1 [(rules.rule).max = 3]; Rule rule = 2; }
            """);
        var files = AssertSame(workshop);
        var (one, two) = (files.Single(file => file.Name == "one.proto"), files.Single(file => file.Name == "two.proto"));
        Assert.Same(one.Dependencies[1], two.Dependencies[0]);
        Assert.Same(one.Dependencies[1], one.Dependencies[0].Dependencies[0]);
        Assert.Same(WellKnownTypes.Any.Descriptor.File, one.Dependencies[0].Dependencies[1]);
        Assert.Same(one, two.Dependencies[1]);
        Assert.DoesNotContain("FileDescriptor Import", workshop.Generated("two.proto"), StringComparison.Ordinal);
    }

    [Fact]
    public void The_classes_of_files_have_different_names()
    {
        using var workshop = new Workshop();
        var body = "syntax = \"proto3\";\noption csharp_namespace = \"Same\";\n";
        workshop.Add("a/foo.proto", body + "package a;\nmessage A { int32 a = 1; }");
        workshop.Add("b/foo.proto", body + "package b;\nimport \"a/foo.proto\";\nmessage B { a.A a = 1; }");
        workshop.Add("c/foo.proto", body + "package c;\nmessage CFooReflection { int32 a = 1; }\nenum X { Y = 0; }");
        workshop.Add("bar.proto", body + "package d;\nmessage BarReflection { int32 descriptor = 1; }");
        workshop.Add("space.proto", body + "package e;\nenum E { Z = 0; }");
        workshop.Add("inner.proto", "syntax = \"proto3\";\noption csharp_namespace = \"Same.SpaceReflection\";\npackage f;\n");
        workshop.Add("1-x.proto", body + "package g;\nservice S { rpc R(M) returns (M); }\nmessage M {}");
        workshop.GenerateAll();
        Assert.Equal(
            ["Same.BFooReflection b/foo.proto", "Same.BarReflection_ bar.proto", "Same.CFooReflection_ c/foo.proto",
                "Same.FooReflection a/foo.proto", "Same.SpaceReflection.InnerReflection inner.proto", "Same.SpaceReflection_ space.proto",
                "Same._1XReflection 1-x.proto"],
            Files(workshop.Compile()).Select(one => $"{one.Type.FullName} {one.File.Name}").Order(StringComparer.Ordinal));
    }

    static List<FileDescriptor> AssertSame(Workshop workshop)
    {
        AssertLoadsSame(workshop);
        var protoc = workshop.Descriptors();
        var google = DescriptorTree.Google(protoc);
        var files = Files(workshop.Compile()).Select(one => one.File).ToList();
        Assert.NotEmpty(files);
        foreach (var file in files)
        {
            Assert.Equal(DescriptorTree.Of(google.Single(one => one.Name == file.Name)), DescriptorTree.Of(file));
            var serialized = FileDescriptorProto.Parser.ParseFrom(file.SerializedData.Span);
            Assert.Null(serialized.SourceCodeInfo);
            Assert.Equal(Shorten(protoc.Single(one => one.Name == file.Name)), Shorten(serialized));
        }

        return files;
    }

    /// <summary>As <see cref="AssertSame"/>, but of what protoc says: the generated code is not compiled.</summary>
    static void AssertLoadsSame(Workshop workshop)
    {
        workshop.GenerateAll();
        var protoc = workshop.Descriptors();
        Assert.All(DescriptorTree.Google(protoc).Zip(DescriptorTree.Load(protoc)),
            pair => Assert.Equal(DescriptorTree.Of(pair.First), DescriptorTree.Of(pair.Second)));
    }

    static IEnumerable<(Type Type, FileDescriptor File)> Files(Assembly assembly) =>
        assembly.GetTypes().Select(type => (type, type.GetProperty("Descriptor", BindingFlags.Public | BindingFlags.Static)))
            .Where(one => one.Item2?.PropertyType == typeof(FileDescriptor))
            .Select(one => (one.type, (FileDescriptor)one.Item2!.GetValue(null)!));

    static FileDescriptorProto Shorten(FileDescriptorProto file)
    {
        var copy = file.Clone();
        copy.SourceCodeInfo = null;
        foreach (var field in copy.Extension.Concat(copy.MessageType.SelectMany(Fields))) field.ClearJsonName();
        return copy;

        static IEnumerable<FieldDescriptorProto> Fields(DescriptorProto message) =>
            message.Field.Concat(message.Extension).Concat(message.NestedType.SelectMany(Fields));
    }

    static MessageDescriptor Of(Type type) => (MessageDescriptor)typeof(ReflectionTests)
        .GetMethod(nameof(Generic), BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(type).Invoke(null, null)!;

    static MessageDescriptor Generic<T>()
        where T : struct, ISlabMessage<T> => T.Descriptor;
}

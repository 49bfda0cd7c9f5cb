using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>descriptor.proto, which is no part of the runtime, as a file of the build: its messages are fields like any other.</summary>
public class DescriptorTests
{
    [Fact]
    public void Messages_of_descriptor_proto_are_fields()
    {
        using var workshop = new Workshop("google/protobuf/descriptor.proto",
            File.ReadAllText(Path.Combine(Tools.StandardImports, "google/protobuf/descriptor.proto")));
        workshop.Add("holder.proto",
            "syntax = \"proto3\";\npackage holder;\nimport \"google/protobuf/descriptor.proto\";\nmessage Holder {\n  repeated "
                + "google.protobuf.FileDescriptorProto files = 1;\n}");
        workshop.GenerateAll();
        var holder = Bridge.Of(workshop.Compile().GetType("Holder.Holder")!);
        var files = new[] { FileDescriptorProto.Descriptor.File,
            Google.Protobuf.WellKnownTypes.Struct.Descriptor.File }.Select(file =>
                FileDescriptorProto.Parser.ParseFrom(file.SerializedData)).ToList();
        var read = holder.Rewrite(Wire.Join(files.Select(file => Wire.Delimited(1, file.ToByteArray()))));
        Assert.Equal(files, FileDescriptorSet.Parser.ParseFrom(read).File);
    }

    /// <summary>Many projects have a copy. The runtime has these messages, and a second set of them would warn of conflicts.</summary>
    [Theory]
    [InlineData("google/protobuf/timestamp.proto")]
    [InlineData("vendor/google/protobuf/timestamp.proto")]
    public void A_copy_of_a_well_known_type_is_not_generated(string copy)
    {
        using var workshop = new Workshop(copy, File.ReadAllText(Path.Combine(Tools.StandardImports, "google/protobuf/timestamp.proto")));
        workshop.Add("holder.proto",
            $"syntax = \"proto3\";\npackage holder;\nimport \"{copy}\";\nmessage Holder {{\n  google.protobuf.Timestamp time = 1;\n}}");
        workshop.GenerateAll();
        var type = workshop.Compile().GetType("Holder.Holder")!;
        Assert.Equal(typeof(WellKnownTypes.Timestamp), type.GetProperty("Time")!.PropertyType);
    }

    [Theory]
    [InlineData("timestamp", "message Timestamp { int64 seconds = 1; }", "seconds: 7", """{"seconds":"7"}""")]
    [InlineData("duration", "message Duration { string nanos = 1; string seconds = 2; }", "nanos: '7'", """{"nanos":"7"}""")]
    [InlineData("any", "message Any {}", "", "{}")]
    [InlineData("struct", "message Value { oneof kind { double number = 1; } } message Struct {} message ListValue {}", "number: 7",
        """{"number":7}""")]
    [InlineData("wrappers", "message Int32Value { int32 number = 1; int32 value = 2; }", "number: 7", """{"number":7}""")]
    public void A_copy_with_other_fields_has_no_form_of_its_own_in_JSON(string file, string messages, string text, string json)
    {
        using var workshop = new Workshop($"google/protobuf/{file}.proto", $"syntax = \"proto3\";\npackage google.protobuf;\n{messages}\n");
        workshop.GenerateAll(_ => "Slab");
        var name = messages.Split(' ')[1];
        var print = typeof(DescriptorTests).GetMethod(nameof(Json), BindingFlags.Static | BindingFlags.NonPublic)!
            .MakeGenericMethod(workshop.Compile().GetType($"Slab.{name}")!).CreateDelegate<Func<byte[], string>>();
        Assert.Equal(json, print(workshop.Encode($"google.protobuf.{name}", text)));
    }

    static string Json<T>(byte[] wire)
        where T : struct, ISlabMessage<T>
    {
        using var message = Message<T>.Rent();
        message.Parse(wire);
        return message.Value.ToJson();
    }
}

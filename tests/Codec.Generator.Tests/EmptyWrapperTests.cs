using Google.Protobuf;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>An empty wrapper behind one with a value: a merge of two messages keeps the value. Google's C# code does so too, but for a
/// wrapper in a oneof.</summary>
public class EmptyWrapperTests
{
    [Fact]
    public void A_wrapper_in_a_oneof_is_merged_as_any_message_is()
    {
        using var workshop = new Workshop();
        workshop.Add("wrapped.proto", """
            syntax = "proto3";
            package wrapped;
            import "google/protobuf/wrappers.proto";
            message Choice { oneof kind { google.protobuf.StringValue text = 1; } }
            """);
        workshop.GenerateAll(_ => "SlabWrapped");
        workshop.GenerateGoogle();
        var assembly = workshop.Compile();
        byte[] value = [0x0A, 3, 0x0A, 1, (byte)'a'], empty = [0x0A, 0];
        Assert.Equal(value, Bridge.Of(assembly.GetType("SlabWrapped.Choice")!).Merge(value, empty));
        var google = (IMessage)Activator.CreateInstance(assembly.GetType("Wrapped.Choice")!)!;
        google.MergeFrom(value);
        google.MergeFrom(empty);
        Assert.Equal(empty, google.ToByteArray());
    }
}

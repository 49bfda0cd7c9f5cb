using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>The second judge: protoc decodes what the slab codec writes, and encodes what it reads.</summary>
public class ProtocTests
{
    [Theory]
    [InlineData("hive.proto", "TestProxyPkg.ForwardRequest", typeof(ForwardRequest))]
    [InlineData("hive.proto", "TestProxyPkg.ForwardResponse", typeof(ForwardResponse))]
    [InlineData("color_group.proto", "ColorGroupPkg.ColorGroups", typeof(ColorGroups))]
    [InlineData("zoo.proto", "ZooPkg.Zoo", typeof(Zoo))]
    [InlineData("zoo.proto", "ZooPkg.Animal", typeof(Animal))]
    [InlineData("zoo.proto", "ZooPkg.Scalars", typeof(Scalars))]
    [InlineData("zoo.proto", "ZooPkg.Packed", typeof(Packed))]
    [InlineData("zoo.proto", "ZooPkg.Unpacked", typeof(Unpacked))]
    [InlineData("zoo.proto", "ZooPkg.Optionals", typeof(Optionals))]
    public void What_is_written_says_the_same_to_protoc_and_what_protoc_writes_is_read(string proto, string name, Type type)
    {
        var subject = Subject.All.Single(one => one.GetType().GenericTypeArguments[1] == type);
        var generator = new WireGenerator(new Random(name.Length));
        foreach (var sample in Enumerable.Range(0, 60).Select(_ => generator.Message(subject.Descriptor, 0))
            .OrderByDescending(wire => wire.Length).Take(2))
        {
            var wire = subject.Normalize(sample);
            var text = Protoc.Decode(proto, name, wire);
            Assert.Equal(text, Protoc.Decode(proto, name, subject.Read(wire).Written!));
            Assert.Equal(text, Protoc.Decode(proto, name, subject.Read(Protoc.Encode(proto, name, text)).Written!));
        }
    }
}

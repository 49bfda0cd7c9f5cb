using ProtoBench.Gpb.Descriptors;

namespace ProtoBench.DataSets;

/// <summary>The description of protobuf's own descriptor.proto, as protoc puts it into Google's classes.</summary>
public readonly partial struct DescriptorSet
    : IDataSet<FileDescriptorProto, SlabProtobuf.Descriptors.FileDescriptorProto, PlainFileDescriptorProto>
{
    public static FileDescriptorProto Generate(Random random) =>
        FileDescriptorProto.Parser.ParseFrom(DescriptorReflection.Descriptor.SerializedData);
}

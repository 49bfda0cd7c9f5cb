using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Schemas;

/// <summary>The features of an edition that decide the bytes of a message. They are read from the bytes of the options, because the oldest
/// version of Google.Protobuf that is measured has no type for them.</summary>
readonly record struct EncodingFeatures(bool IsPacked, bool IsDelimited)
{
    // the numbers of descriptor.proto
    const int ofFile = 50, ofMessage = 12, ofField = 21, repeatedFieldEncoding = 3, messageEncoding = 5, packed = 1, delimited = 2;

    public static EncodingFeatures Of(FileDescriptorProto file) =>
        new EncodingFeatures(IsPacked: file.Syntax is not ("" or "proto2"), IsDelimited: false).With(file.Options, ofFile);

    public EncodingFeatures With(MessageOptions? own) => With(own, ofMessage);

    public EncodingFeatures With(FieldOptions? own) => With(own, ofField);

    EncodingFeatures With(IMessage? options, int number)
    {
        var features = this;
        if (options is null)
            return features;
        foreach (var set in Fields(options.ToByteString(), number, WireFormat.WireType.LengthDelimited, input => input.ReadBytes()))
        {
            foreach (var value in Fields(set, repeatedFieldEncoding, WireFormat.WireType.Varint, input => input.ReadEnum()))
                features = features with { IsPacked = value == packed };
            foreach (var value in Fields(set, messageEncoding, WireFormat.WireType.Varint, input => input.ReadEnum()))
                features = features with { IsDelimited = value == delimited };
        }

        return features;
    }

    static List<T> Fields<T>(ByteString message, int number, WireFormat.WireType wireType, Func<CodedInputStream, T> read)
    {
        var (values, input) = (new List<T>(), message.CreateCodedInput());
        while (input.ReadTag() is var tag && tag != 0)
        {
            if (tag == WireFormat.MakeTag(number, wireType))
                values.Add(read(input));
            else
                input.SkipLastField();
        }

        return values;
    }
}

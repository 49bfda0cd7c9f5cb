using System.Text.Json.Serialization.Metadata;
using Google.Protobuf;

namespace ProtoBench.DataSets;

/// <summary>A data set: how its content is made, and what a library needs to know of its types. A struct, so that code which is generic
/// over it is compiled for each data set and calls its members directly. One half is written by hand (<see cref="Generate"/>), the other is
/// generated from the .proto (NAME.g.cs).</summary>
/// <typeparam name="TGoogle">Google's class.</typeparam>
/// <typeparam name="TSlab">The view of the slab codec.</typeparam>
/// <typeparam name="TPlain">The plain class, which protobuf-net, MessagePack, MemoryPack and System.Text.Json share.</typeparam>
public interface IDataSet<TGoogle, TSlab, TPlain>
    where TGoogle : class, IMessage<TGoogle>
    where TSlab : struct, Codec.ISlabMessage<TSlab>
    where TPlain : class
{
    /// <summary>Google's parser.</summary>
    static abstract MessageParser<TGoogle> Parser { get; }

    /// <summary>The generated serializer of System.Text.Json.</summary>
    static abstract JsonTypeInfo<TPlain> Json { get; }

    /// <summary>Makes the content. The same numbers make the same content, on every machine.</summary>
    static abstract TGoogle Generate(Random random);

    /// <summary>Reads every field: the sum of the numbers, and of first byte, last byte and length of strings and bytes.</summary>
    static abstract long Touch(TGoogle message);

    /// <inheritdoc cref="Touch(TGoogle)"/>
    static abstract long Touch(TSlab message);

    /// <inheritdoc cref="Touch(TGoogle)"/>
    static abstract long Touch(TPlain message);

    /// <summary>As <see cref="Touch(TSlab)"/>, with each string made a .NET string first.</summary>
    static abstract long Strings(TSlab message);
}

/// <summary>First byte, last byte and length of a leaf.</summary>
static class Leaf
{
    public static long Touch(string? text) => string.IsNullOrEmpty(text) ? 0 : text[0] + text[^1] + text.Length;

    public static long Touch(ByteString bytes) => Touch(bytes.Span);

    public static long Touch(ReadOnlySpan<byte> bytes) => bytes.IsEmpty ? 0 : bytes[0] + bytes[^1] + bytes.Length;
}

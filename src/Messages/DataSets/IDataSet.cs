using System.Text.Json.Serialization.Metadata;
using Google.Protobuf;

namespace ProtoBench.DataSets;

/// <summary>A data set: its content, and the functions that depend on its types. Implementations are structs, so that the JIT compiles
/// generic code for each data set and calls its members directly. <see cref="Generate"/> is hand-written. The build generates the other
/// part from the .proto file, with the plain classes (the SlabPlain item of Messages.csproj).</summary>
/// <typeparam name="TPlain">The plain class for protobuf-net, MessagePack, MemoryPack and System.Text.Json.</typeparam>
public interface IDataSet<TGoogle, TSlab, TPlain>
    where TGoogle : class, IMessage<TGoogle>
    where TSlab : struct, Codec.ISlabMessage<TSlab>
    where TPlain : class
{
    /// <summary>Gets Google's parser.</summary>
    static abstract MessageParser<TGoogle> Parser { get; }

    /// <summary>Gets the generated serializer of System.Text.Json.</summary>
    static abstract JsonTypeInfo<TPlain> Json { get; }

    /// <summary>Creates the content. It is the same for the same random numbers on every machine.</summary>
    static abstract TGoogle Generate(Random random);

    /// <summary>Reads every field, and returns the sum of the numbers, and of first byte, last byte and length of strings and
    /// bytes.</summary>
    static abstract long Touch(TGoogle message);

    static abstract long Touch(TSlab message);

    static abstract long Touch(TPlain message);

    /// <summary>Reads every field as <see cref="Touch(TSlab)"/>, and converts each string to a .NET string.</summary>
    static abstract long Strings(TSlab message);
}

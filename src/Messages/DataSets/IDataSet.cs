using System.Text.Json.Serialization.Metadata;
using Google.Protobuf;
using ProtoBuf.Meta;

namespace ProtoBench.DataSets;

/// <summary>Structs, so that generic code is compiled for each set. The build generates all but <see cref="Generate"/>.</summary>
public interface IDataSet<TGoogle, TSlab, TPlain>
    where TGoogle : class, IMessage<TGoogle>
    where TSlab : struct, Codec.ISlabMessage<TSlab>
    where TPlain : class
{
    static abstract MessageParser<TGoogle> Parser { get; }

    static abstract JsonTypeInfo<TPlain> Json { get; }

    static abstract TypeModel Model { get; }

    /// <summary>The content is the same for the same random numbers on every machine.</summary>
    static abstract TGoogle Generate(Random random);

    /// <summary>Reads every field: the sum of the numbers, and of first byte, last byte and length of strings and bytes.</summary>
    static abstract long Touch(TGoogle message);

    static abstract long Touch(TSlab message);

    static abstract long Touch(TPlain message);

    /// <summary>As <see cref="Touch(TSlab)"/>, and converts each string to a .NET string.</summary>
    static abstract long Strings(TSlab message);
}

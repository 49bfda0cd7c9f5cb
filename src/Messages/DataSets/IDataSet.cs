using System.Formats.Cbor;
using System.Text.Json.Serialization.Metadata;
using Google.FlatBuffers;
using Google.Protobuf;
using ProtoBuf.Meta;

namespace ProtoBench.DataSets;

#pragma warning disable CA1711 // what ends with New makes new strings
/// <summary>Structs, so that generic code is compiled for each set. The build generates all but <see cref="Generate"/> and
/// <see cref="Messages"/>.</summary>
public interface IDataSet<TGoogle, TSlab, TPlain>
    where TGoogle : class, IMessage<TGoogle>
    where TSlab : struct, Codec.ISlabMessage<TSlab>
    where TPlain : class
{
    static abstract MessageParser<TGoogle> Parser { get; }

    static abstract JsonTypeInfo<TPlain> Json { get; }

    static abstract TypeModel Model { get; }

    /// <summary>How many messages the set has.</summary>
    static virtual int Messages => 1;

    /// <summary>Returns the next message. The content is the same for the same random numbers on every machine.</summary>
    static abstract TGoogle Generate(Random random);

    /// <summary>Reads every field: the sum of the numbers, and of first byte, last byte and length of strings and bytes.</summary>
    static abstract long Touch(TGoogle message);

    static abstract long Touch(TSlab message);

    static abstract long Touch(TPlain message);

    /// <summary>As <see cref="Touch(TSlab)"/>, and converts each string to a .NET string.</summary>
    static abstract long Strings(TSlab message);

    /// <summary>As <see cref="Touch(TGoogle)"/>, for every third field of each message: those that a service reads of a request.</summary>
    static abstract long TouchThird(TGoogle message);

    static abstract long TouchThird(TSlab message);

    static abstract long TouchThird(TPlain message);

    /// <summary>As <see cref="TouchThird(TSlab)"/>, and converts each string to a .NET string.</summary>
    static abstract long StringsThird(TSlab message);

    /// <summary>Makes a message of the values in the plain class.</summary>
    static abstract TGoogle MakeGoogle(TPlain source);

    /// <summary>As <see cref="MakeGoogle"/>, with a new string for each string.</summary>
    static abstract TGoogle MakeGoogleNew(TPlain source);

    static abstract TPlain MakePlain(TPlain source);

    static abstract TPlain MakePlainNew(TPlain source);

    static abstract void Make(TSlab made, TPlain source);

    static abstract void MakeNew(TSlab made, TPlain source);

    /// <summary>Makes a reply: every third field again, and the first element of a list.</summary>
    static abstract TGoogle Reply(TGoogle source);

    static abstract TPlain Reply(TPlain source);

    static abstract void Reply(TSlab made, TSlab source);

    static abstract void WriteCbor(CborWriter writer, TPlain message);

    static abstract TPlain ReadCbor(CborReader reader);

    /// <summary>Clears the builder, and writes a message of the values in the plain class into it.</summary>
    static abstract void WriteFlat(FlatBufferBuilder builder, TPlain message);

    /// <summary>As <see cref="WriteFlat"/>, with a new string for each string.</summary>
    static abstract void WriteFlatNew(FlatBufferBuilder builder, TPlain message);

    /// <summary>As <see cref="Touch(TGoogle)"/>, without verification.</summary>
    static abstract long TouchFlat(ByteBuffer bytes);

    /// <summary>As <see cref="TouchThird(TGoogle)"/>, without verification.</summary>
    static abstract long TouchFlatThird(ByteBuffer bytes);

    /// <summary>Clears the builder, and writes a reply as <see cref="Reply(TGoogle)"/> into it.</summary>
    static abstract void ReplyFlat(FlatBufferBuilder builder, ByteBuffer bytes);

    static abstract TPlain ReadFlat(ByteBuffer bytes);
}

using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Codec;

/// <summary>What a message type tells the runtime. A value is a view of one message, outermost or nested: a table of rows and an index.</summary>
/// <typeparam name="TSelf">The message type.</typeparam>
[SuppressMessage("Design", "CA1000", Justification = "a generic owner asks its message type")]
public interface IMessage<TSelf>
    where TSelf : struct, IMessage<TSelf>
{
    /// <summary>Whether <see cref="Write"/> needs the sizes that <see cref="Measure"/> leaves in the rows. A message that contains only
    /// messages without sub-messages does not: their sizes cost less to find than to store.</summary>
    static abstract bool NeedsMeasure { get; }

    /// <summary>Makes the tables of a message of this type and gives the view of its outermost row.</summary>
    static abstract TSelf Create(MessageMemory memory);

    /// <summary>Reads fields until the reader's end. A field that was read before is merged, as protobuf says.</summary>
    /// <exception cref="WireFormatException">The input is not a message.</exception>
    static abstract void Parse(WireReader reader, TSelf message);

    /// <summary>The size on the wire, in bytes.</summary>
    static abstract long Measure(TSelf message);

    /// <summary>Writes the fields in the order of their numbers, then the unknown ones in the order of their arrival.</summary>
    static abstract WireWriter Write(WireWriter writer, TSelf message);

    /// <summary>The view of another element of the repeated field that this one is in.</summary>
    /// <param name="distance">How many elements further.</param>
    TSelf Sibling(int distance);
}

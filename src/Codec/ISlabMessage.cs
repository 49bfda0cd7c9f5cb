using System.Diagnostics.CodeAnalysis;
using ProtoBench.Codec.Generated;

namespace ProtoBench.Codec;

/// <summary>Represents a message type that was generated. A value is a view of one message, outermost or nested.</summary>
/// <remarks>It is the constraint of generic code: <c>where T : struct, ISlabMessage&lt;T&gt;</c>. Message types implement these members
/// explicitly; most of them are for <see cref="Message{T}"/>.</remarks>
/// <typeparam name="TSelf">The message type.</typeparam>
[SuppressMessage("Design", "CA1000", Justification = "a generic owner asks its message type")]
public interface ISlabMessage<TSelf> : IListElement<TSelf>
    where TSelf : struct, ISlabMessage<TSelf>
{
    /// <summary>Gets the name of the message in its .proto, with the package: <c>google.protobuf.Timestamp</c>.</summary>
    static abstract string FullName { get; }

    /// <summary>Whether <see cref="Write"/> needs the sizes that <see cref="CalculateSize"/> stores. A message that contains only messages
    /// without sub-messages does not: their sizes cost less to compute than to store.</summary>
    static abstract bool NeedsSizes { get; }

    /// <summary>Whether a field of the message, or of one in it, is a string or bytes, which <see cref="Parse"/> keeps as a range of its
    /// input. Without such fields the input is read where it is, and not copied.</summary>
    static virtual bool KeepsInput => true;

    /// <summary>The most bytes that the fields of the schema take on the wire, where the message has few fields and all of them are
    /// numbers. It is then written by <see cref="WriteScalars"/>. 0 for any other message.</summary>
    static virtual int ScalarRoom => 0;

    /// <summary>Makes the storage of this message type, and of all types that it contains, in a message's memory.</summary>
    static abstract Storage CreateStorage(MessageMemory memory);

    /// <summary>The view of the outermost message: the one at index 0.</summary>
    /// <param name="storage">What <see cref="CreateStorage"/> made.</param>
    static abstract TSelf Create(Storage storage);

    /// <summary>Reads fields until the reader's end. A field that was read before is merged, as protobuf says.</summary>
    /// <exception cref="WireFormatException">The input is not a message.</exception>
    static abstract void Parse(WireReader reader, TSelf message);

    /// <summary>The size on the wire, in bytes.</summary>
    static abstract long CalculateSize(TSelf message);

    /// <summary>The size of the outermost message, where it is one without sub-messages and unknown fields, from what its fields are at
    /// this moment: the caller looks afterwards whether the message is still the one that it asked about.</summary>
    /// <param name="storage">What <see cref="CreateStorage"/> made.</param>
    /// <returns>-1 for any other message: <see cref="CalculateSize"/> tells its size.</returns>
    static virtual long CalculateFlatSize(Storage storage) => -1;

    /// <summary>Writes the fields in the order of their numbers, then the unknown ones in the order of their arrival.</summary>
    static abstract void Write(ref WireWriter writer, TSelf message);

    /// <summary>Writes what <see cref="Write"/> writes, in at most <see cref="ScalarRoom"/> bytes.</summary>
    /// <returns>The writer; or the default value, with nothing written, for a message with unknown fields: <see cref="Write"/> writes
    /// it.</returns>
    static virtual ScalarWriter WriteScalars(ScalarWriter writer, TSelf message) => default;

    /// <summary>Writes the message, which may be a part of another one, into an array of its size.</summary>
    /// <exception cref="InvalidOperationException">The message has more than 2 GiB, or is nested too deep, or a required field is missing.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    byte[] ToByteArray();
}

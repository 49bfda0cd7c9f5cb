using System.Diagnostics.CodeAnalysis;
using ProtoBench.Codec.Reflection;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec;

/// <summary>Represents a generated message type. A value is a view of one message, which is the outermost message or a nested
/// one.</summary>
/// <remarks>Generic code uses the interface as a constraint: <c>where T : struct, ISlabMessage&lt;T&gt;</c>. Message types implement its
/// members explicitly. Most members are called by <see cref="Message{T}"/> only.</remarks>
/// <typeparam name="TSelf">The message type.</typeparam>
[SuppressMessage("Design", "CA1000", Justification = "a generic owner asks its message type")]
public interface ISlabMessage<TSelf> : IListElement<TSelf>
    where TSelf : struct, ISlabMessage<TSelf>
{
    /// <summary>Gets the name of the message in its .proto, with the package: <c>google.protobuf.Timestamp</c>.</summary>
    static abstract string FullName { get; }

    /// <summary>Gets the descriptor of the message type.</summary>
    /// <exception cref="NotSupportedException">The type was not generated, so it has no descriptor.</exception>
    static virtual MessageDescriptor Descriptor =>
        throw new NotSupportedException($"{TSelf.FullName} has no descriptor: its type was not generated from a .proto file.");

    /// <summary>Gets a value that indicates whether <see cref="Write"/> needs the sizes that <see cref="CalculateSize"/> stores. A message
    /// whose sub-messages have no sub-messages does not need them: their sizes cost less to calculate than to store.</summary>
    static abstract bool NeedsSizes { get; }

    /// <summary>Gets a value that indicates whether <see cref="Write"/> needs no sizes if the whole message has room in one window. This is
    /// not so for a message with required fields or groups, which are checked when the size is calculated.</summary>
    static virtual bool IsWrittenInOnePass => false;

    /// <summary>Gets a value that indicates whether the message, or a message in it, has a string or bytes field. <see cref="Parse"/> keeps
    /// such a field as a range of its input. Without such fields the input is read in place and not copied.</summary>
    static virtual bool KeepsInput => true;

    /// <summary>Gets the maximum number of bytes that the fields of the schema take on the wire, for a message that has few fields, all of
    /// them numbers. Such a message is written by <see cref="WriteScalars"/>. The value is 0 for any other message.</summary>
    static virtual int ScalarRoom => 0;

    /// <summary>Creates the storage of this message type, and of all types that it contains, in a message's memory.</summary>
    static abstract Storage CreateStorage(MessageMemory memory);

    /// <summary>Creates the view of the outermost message, which has index 1.</summary>
    /// <param name="storage">The storage that <see cref="CreateStorage"/> returned.</param>
    static abstract TSelf Create(Storage storage);

    /// <summary>Reads fields until the end of the reader's message. A field that was read before is merged, as protobuf requires.</summary>
    /// <exception cref="WireFormatException">The input is not a valid message.</exception>
    static abstract void Parse(WireReader reader, TSelf message);

    /// <summary>Calculates the size on the wire, in bytes.</summary>
    static abstract long CalculateSize(TSelf message);

    /// <summary>Calculates the size of the outermost message from the current values of its fields, if it has no sub-messages and no
    /// unknown fields. The caller must check afterwards that the message was not released or rented again.</summary>
    /// <param name="storage">The storage that <see cref="CreateStorage"/> returned.</param>
    /// <returns>The size in bytes; or -1 for any other message, whose size <see cref="CalculateSize"/> calculates.</returns>
    static virtual long CalculateFlatSize(Storage storage) => -1;

    /// <summary>Writes the fields in the order of their numbers, and then the unknown fields in the order in which they were
    /// read.</summary>
    static abstract void Write(ref WireWriter writer, TSelf message);

    /// <summary>Writes the same bytes as <see cref="Write"/>, at most <see cref="ScalarRoom"/>.</summary>
    /// <returns>The writer; or the default value, with nothing written, for a message with unknown fields, which only <see cref="Write"/>
    /// writes.</returns>
    static virtual ScalarWriter WriteScalars(ScalarWriter writer, TSelf message) => default;

    /// <summary>Prints the message, which may be a part of another one.</summary>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    static abstract void Print<TPrinter>(ref TPrinter printer, TSelf message)
        where TPrinter : struct, IPrinter, allows ref struct;

    /// <summary>Writes the message, which may be a part of another one, into a new array.</summary>
    /// <exception cref="InvalidOperationException">The message has more than 2 GiB, or is nested too deep, or a required field is missing.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    byte[] ToByteArray();

    /// <summary>Replaces the content of the message, which may be a part of another one, by a copy of the content of another message, which
    /// may use other memory. Views of sub-messages that were taken before still show the old content.</summary>
    /// <exception cref="InvalidOperationException">The source has more than 2 GiB, or is nested too deep, or lacks a required field. Or this
    /// message was not set in the field that the view was taken from.</exception>
    /// <exception cref="NotSupportedException">The type was not generated.</exception>
    /// <exception cref="ObjectDisposedException">One of the messages was released, cleared or parsed again.</exception>
    void CopyFrom(TSelf source) =>
        throw new NotSupportedException($"{TSelf.FullName} cannot be copied: its type was not generated from a .proto file.");
}

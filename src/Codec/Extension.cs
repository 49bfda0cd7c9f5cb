using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec;

/// <summary>Represents an extension of a message type: a field that is declared outside of the message. <see cref="ProtoExtensions"/> has
/// the methods that get and set it.</summary>
/// <remarks>The generator makes one for each extension of the compiled .proto files, with Google's names: <c>OrderExtensions.Priority</c>,
/// or <c>Order.Extensions.Priority</c> for one that is declared in a message. Thread safety: an instance does not change.</remarks>
/// <typeparam name="TTarget">The type of the extended message.</typeparam>
/// <typeparam name="TValue">The type of the value: a number, a bool, an enum, a string, an array of bytes or a
/// <see cref="Message{T}"/>.</typeparam>
public sealed class Extension<TTarget, TValue>
    where TTarget : struct, IExtendableMessage<TTarget>
{
    /// <summary>Initializes an extension. For generated code.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public Extension(int number, ExtensionType<TValue> type, TValue? defaultValue = default) =>
        (FieldNumber, Type, Default) = (number, type, defaultValue);

    /// <summary>Gets the number of the field.</summary>
    public int FieldNumber { get; }

    internal ExtensionType<TValue> Type { get; }

    internal TValue? Default { get; }
}

/// <summary>Represents a repeated extension of a message type.</summary>
/// <inheritdoc cref="Extension{TTarget, TValue}"/>
public sealed class RepeatedExtension<TTarget, TValue>
    where TTarget : struct, IExtendableMessage<TTarget>
{
    /// <summary>Initializes an extension. For generated code.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public RepeatedExtension(int number, ExtensionType<TValue> type, bool isPacked = false) =>
        (FieldNumber, Type, IsPacked) = (number, type, isPacked);

    /// <summary>Gets the number of the field.</summary>
    public int FieldNumber { get; }

    internal ExtensionType<TValue> Type { get; }

    internal bool IsPacked { get; }
}

/// <summary>Represents a generated message type that has numbers for extensions.</summary>
/// <typeparam name="TSelf">The message type.</typeparam>
[SuppressMessage("Design", "CA1000", Justification = "a generic owner asks its message type")]
public interface IExtendableMessage<TSelf> : ISlabMessage<TSelf>
    where TSelf : struct, IExtendableMessage<TSelf>
{
    /// <summary>Gets the unknown fields of a message, among which its extensions are.</summary>
    /// <param name="message">The message.</param>
    /// <param name="isChanged">Whether they will be changed.</param>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    /// <exception cref="InvalidOperationException">They will be changed, and the message was not set where the view was taken.</exception>
    static abstract UnknownFields GetUnknownFields(TSelf message, bool isChanged);
}

using System.ComponentModel;
using System.Text;

namespace ProtoBench.Codec.WellKnownTypes;

/// <summary>Provides methods that store messages in an <see cref="Any"/> and read them from it.</summary>
public static class AnyConversions
{
    /// <summary>Stores a message and its type in an Any. The previous content of the Any is replaced.</summary>
    /// <remarks>Allocates an array of the message's size.</remarks>
    /// <param name="any">The Any. It is unchanged if this method throws <see cref="InvalidOperationException"/>.</param>
    /// <param name="message">The message, which may be a part of another one.</param>
    /// <param name="prefix">The part of the type URL before the name of the type, with or without the slash between them.</param>
    /// <exception cref="InvalidOperationException">The message has more than 2 GiB, or is nested too deep, or a required field is missing.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the messages was released, cleared or parsed again.</exception>
    public static void Pack<T>(this Any any, T message, string prefix = "type.googleapis.com")
        where T : struct, ISlabMessage<T>
    {
        ArgumentNullException.ThrowIfNull(prefix);
        using var packed = Any.Rent();
        packed.Value.SetTypeUrl(prefix + (prefix.EndsWith('/') ? "" : "/") + T.FullName);
        packed.Value.SetValue(message.ToByteArray());
        any.CopyFrom(packed.Value);
    }

    /// <inheritdoc cref="Pack{T}(Any, T, string)"/>
    public static void Pack<T>(this Any any, Message<T> message, string prefix = "type.googleapis.com")
        where T : struct, ISlabMessage<T> => any.Pack(message.Value, prefix);

#pragma warning disable CA1034 // the analyzer takes the block for a type
    extension(Any)
    {
        /// <summary>Does not compile: an Any is part of a message.</summary>
        [Obsolete("An Any is part of a message. Set it there: order.MutableDetail().Pack(view). A message of its own is Any.Rent().", error: true)]
        [EditorBrowsable(EditorBrowsableState.Never)]
        public static Any Pack<T>(T message) => throw new NotSupportedException();
    }
#pragma warning restore CA1034

    /// <summary>Determines whether an Any contains a message of a type: whether its type URL ends with a slash and the name of the
    /// type.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public static bool Is<T>(this Any any)
        where T : struct, ISlabMessage<T>
    {
        var url = any.TypeUrl.Span;
        var slash = url.LastIndexOf((byte)'/');
        return slash >= 0 && Ascii.Equals(url[(slash + 1)..], T.FullName);
    }

    /// <summary>Parses a copy of the message in an Any, if the message has the type of the target.</summary>
    /// <param name="any">The Any, which must be in another message than the target.</param>
    /// <param name="target">The target of the parse. It is unchanged if the Any contains a message of another type.</param>
    /// <returns>Whether the message has the type of the target.</returns>
    /// <exception cref="ArgumentException">The Any is a part of the target. The target is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">One of the messages was released, or the Any's was cleared or parsed again.</exception>
    /// <inheritdoc cref="Message{T}.Parse(ReadOnlySpan{byte})" path="/exception"/>
    public static bool TryUnpack<T>(this Any any, Message<T> target)
        where T : struct, ISlabMessage<T>
    {
        if (!any.Is<T>()) return false;
        target.Parse(any.Value.Span);
        return true;
    }

    /// <summary>Parses a copy of the message in an Any.</summary>
    /// <param name="any">The Any, which must be in another message than the target.</param>
    /// <param name="target">The target of the parse.</param>
    /// <returns>The view of the message.</returns>
    /// <exception cref="InvalidOperationException">The Any contains a message of another type, or none. The target is
    /// unchanged.</exception>
    /// <inheritdoc cref="TryUnpack" path="/exception"/>
    public static T Unpack<T>(this Any any, Message<T> target)
        where T : struct, ISlabMessage<T>
    {
        if (!any.TryUnpack(target))
            throw new InvalidOperationException($"The Any has a message of the type URL '{any.TypeUrl}', and {T.FullName} was asked for.");
        return target.Value;
    }
}

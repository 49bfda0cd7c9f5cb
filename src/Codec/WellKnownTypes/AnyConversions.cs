using System.Text;

namespace ProtoBench.Codec.WellKnownTypes;

/// <summary>Stores messages in an <see cref="Any"/>, and reads them from there.</summary>
public static class AnyConversions
{
    /// <summary>Stores a message and its type. What the Any had is replaced.</summary>
    /// <remarks>Allocates an array of the message's size.</remarks>
    /// <param name="any">The Any. Nothing is changed if this throws <see cref="InvalidOperationException"/>.</param>
    /// <param name="message">The message, which may be a part of another one.</param>
    /// <param name="prefix">What stands in front of the name of the type, with or without the slash between them.</param>
    /// <exception cref="InvalidOperationException">The message has more than 2 GiB, or is nested too deep, or a required field is missing.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the messages was released, cleared or parsed again.</exception>
    public static void Pack<T>(this Any any, T message, string prefix = "type.googleapis.com")
        where T : struct, ISlabMessage<T>
    {
        ArgumentNullException.ThrowIfNull(prefix);
        var bytes = message.ToByteArray();
        any.SetTypeUrl(prefix + (prefix.EndsWith('/') ? "" : "/") + T.FullName);
        any.SetValue(bytes);
    }

    /// <summary>Whether the Any has a message of a type: whether its type URL ends with a slash and the name of the type.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public static bool Is<T>(this Any any)
        where T : struct, ISlabMessage<T>
    {
        var url = any.TypeUrl.Span;
        var slash = url.LastIndexOf((byte)'/');
        return slash >= 0 && Ascii.Equals(url[(slash + 1)..], T.FullName);
    }

    /// <summary>Parses the message of the Any, with a copy, if it is one of the target's type.</summary>
    /// <param name="any">The Any, in another message than the target.</param>
    /// <param name="target">Takes the message. It is as it was if the Any has one of another type.</param>
    /// <returns>Whether it is.</returns>
    /// <exception cref="ArgumentException">The Any is a part of the target, which is as it was.</exception>
    /// <exception cref="ObjectDisposedException">One of the messages was released, or the Any's was cleared or parsed again.</exception>
    /// <inheritdoc cref="Message{T}.Parse(ReadOnlySpan{byte})" path="/exception"/>
    public static bool TryUnpack<T>(this Any any, Message<T> target)
        where T : struct, ISlabMessage<T>
    {
        if (!any.Is<T>()) return false;
        target.Parse(any.Value.Span);
        return true;
    }

    /// <summary>Parses the message of the Any, with a copy.</summary>
    /// <param name="any">The Any, in another message than the target.</param>
    /// <param name="target">Takes the message.</param>
    /// <returns>The view of the message.</returns>
    /// <exception cref="InvalidOperationException">The Any has a message of another type, or none. The target is as it was.</exception>
    /// <inheritdoc cref="TryUnpack" path="/exception"/>
    public static T Unpack<T>(this Any any, Message<T> target)
        where T : struct, ISlabMessage<T>
    {
        if (!any.TryUnpack(target))
            throw new InvalidOperationException($"The Any has a message of the type URL '{any.TypeUrl}', and {T.FullName} was asked for.");
        return target.Value;
    }
}

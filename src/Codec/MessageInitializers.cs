namespace ProtoBench.Codec;

/// <summary>Provides methods that fill a message in the expression that creates it, as an object initializer does.</summary>
public static class MessageInitializers
{
    /// <summary>Passes the view to an action, and returns it: <c>order.AddLines().Fill(line => line.SetCount(2))</c>.</summary>
    /// <returns>The view. Views stay valid while the action changes other parts of their message.</returns>
    public static T Fill<T>(this T message, Action<T> fill)
        where T : struct, ISlabMessage<T>
    {
        ArgumentNullException.ThrowIfNull(fill);
        fill(message);
        return message;
    }

    /// <summary>Passes the content of a rented message to an action, and returns the message. If the action throws, the message is
    /// released.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public static Message<T> Fill<T>(this Message<T> message, Action<T> fill)
        where T : struct, ISlabMessage<T>
    {
        try
        {
            ArgumentNullException.ThrowIfNull(fill);
            fill(message.Value);
            return message;
        }
        catch
        {
            message.Dispose();
            throw;
        }
    }
}

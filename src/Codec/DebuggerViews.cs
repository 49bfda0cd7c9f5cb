using System.Diagnostics;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec;

/// <summary>Represents the debugger's view of a rented message.</summary>
sealed class MessageDebuggerView<T>(Message<T> message)
    where T : struct, ISlabMessage<T>
{
    /// <summary>Gets the content; null after the release.</summary>
    public T? Value => message.IsReleased ? null : message.Value;

    /// <summary>Gets the content in protobuf's text format, in one line.</summary>
    public string Text => message.IsReleased ? "" : message.Value.ToString()!;
}

/// <summary>Represents the debugger's view of a list of messages, or of a map.</summary>
sealed class MessageListDebuggerView<T>(MessageList<T> list)
    where T : struct, IListElement<T>
{
    [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
    public T[] Elements
    {
        get
        {
            var elements = new T[list.Count];
            for (var i = 0; i < elements.Length; i++) elements[i] = list[i];
            return elements;
        }
    }
}

/// <summary>Represents the debugger's view of a list of strings or bytes. Each element is a string or an array.</summary>
sealed class ListDebuggerView
{
    readonly Func<object[]> elements;

    public ListDebuggerView(BytesList list) => elements = () =>
    {
        var elements = new object[list.Count];
        for (var i = 0; i < elements.Length; i++) elements[i] = list[i].ToArray();
        return elements;
    };

    public ListDebuggerView(Utf8StringList list) => elements = () =>
    {
        var elements = new object[list.Count];
        for (var i = 0; i < elements.Length; i++) elements[i] = list[i].ToString();
        return elements;
    };

    [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
    public object[] Elements => elements();
}

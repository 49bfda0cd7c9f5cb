namespace ProtoBench.Codec;

/// <summary>What a type of views tells a <see cref="MessageList{T}"/> of them: that of a message, or of the entries of a map.</summary>
/// <typeparam name="TSelf">The type.</typeparam>
public interface IListElement<TSelf>
    where TSelf : struct, IListElement<TSelf>
{
    /// <summary>The view of the element at another index of the same storage, with the same stamp.</summary>
    TSelf At(int index);
}

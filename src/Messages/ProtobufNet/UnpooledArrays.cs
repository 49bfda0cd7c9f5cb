using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Pbn;

/// <summary>An array pool that keeps nothing: each array is new, and the garbage collector takes it.</summary>
public sealed class UnpooledArrays<T> : ArrayPool<T>
{
    UnpooledArrays()
    {
    }

    /// <summary>The pool. Any thread may use it.</summary>
    [SuppressMessage("Design", "CA1000", Justification = "an instance for each type argument is meant, as in ArrayPool<T>.Shared")]
    public static UnpooledArrays<T> Instance { get; } = new();

    /// <inheritdoc/>
    public override T[] Rent(int minimumLength) => new T[minimumLength];

    /// <inheritdoc/>
    public override void Return(T[] array, bool clearArray = false)
    {
    }
}

namespace ProtoBench.Allocators;

/// <summary>Thrown when a rent would take a pool over <see cref="SlabPoolOptions.MaxBytes"/>.</summary>
/// <remarks>The pool's limit is reached, and not that of the process: it is no <see cref="OutOfMemoryException"/>. A rent succeeds again when
/// slabs were returned.</remarks>
public sealed class SlabPoolExhaustedException : InvalidOperationException
{
    /// <summary>Makes an exception with its message.</summary>
    public SlabPoolExhaustedException(string message)
        : base(message)
    {
    }
}

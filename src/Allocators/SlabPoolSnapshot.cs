namespace ProtoBench.Allocators;

/// <summary>The statistics of a pool at one moment. Sizes are in bytes; counts run from the pool's creation unless they say
/// "now".</summary>
public readonly record struct SlabPoolSnapshot
{
    /// <summary>Bytes that owners have handed out from slabs, now. A slab rented by itself counts whole.</summary>
    public long LiveBytes { get; init; }

    /// <summary>References to counted slices, now.</summary>
    public long LiveSlices { get; init; }

    /// <summary>Bytes of all slabs, lent and idle, now.</summary>
    public long HeldBytes { get; init; }

    /// <summary>Bytes of the idle slabs, now.</summary>
    public long IdleBytes { get; init; }

    /// <summary>Bytes of lent slabs that hold nothing live, now. A small slice that is not released makes this number grow.</summary>
    public long SlackBytes => HeldBytes - IdleBytes - LiveBytes;

    /// <summary>Slabs that are lent, now.</summary>
    public int LentSlabs { get; init; }

    /// <summary>Slabs rented, of any size.</summary>
    public long Rents { get; init; }

    /// <summary>Rents that asked for more than a regular slab.</summary>
    public long OversizeRents { get; init; }

    /// <summary>Rents beyond the cap that were served all the same.</summary>
    public long UnpooledRents { get; init; }

    /// <summary>Slabs whose owner was collected without giving them back, such as one held by a thread that ended.</summary>
    public long StrandedSlabs { get; init; }

    /// <summary>Idle slabs that were dropped: by <see cref="SlabPool.Trim"/>, after their retention time, under memory pressure, to make
    /// room under <see cref="SlabPoolOptions.MaxBytes"/>, or because of <see cref="SlabPoolOptions.MaxIdleBytes"/>.</summary>
    public long TrimmedSlabs { get; init; }
}

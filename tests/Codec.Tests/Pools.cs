using ProtoBench.Allocators;

namespace ProtoBench.Codec.Tests;

public static class Pools
{
    /// <summary>Recycled over the shared pool, and over pools of the caller's own: plain, clearing and diagnostic.</summary>
    public static TheoryData<string> Kinds => ["recycled", "plain", "clearing", "diagnostic"];

    public static SlabPool? Create(string kind) => kind switch
    {
        "recycled" => null,
        "plain" => SlabPool.Create(new() { SlabSize = 8192 }),
        "clearing" => SlabPool.Create(new() { SlabSize = 8192, ClearOnReturn = true }),
        _ => new DiagnosticSlabPool(SlabPool.Create(new() { SlabSize = 8192 })),
    };

    public static Message<T> Rent<T>(SlabPool? pool)
        where T : struct, ISlabMessage<T> => pool is null ? Message<T>.Rent() : Message<T>.Rent(pool);
}

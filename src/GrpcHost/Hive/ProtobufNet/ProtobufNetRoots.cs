using Microsoft.Extensions.ObjectPool;
using ProtoBench.Allocators;
using ProtoBench.Rpc.Marshallers.ProtobufNet;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>The four ways to recycle the message objects of <see cref="ProtobufNetSlabCodec"/>, as <see cref="SlabRoots"/> has them for the
/// slab codec.</summary>
static class ProtobufNetRoots
{
    /// <summary>A marshaller that recycles message objects in one of these ways.</summary>
    /// <param name="root">One of <see cref="HiveCodecs.Roots"/>.</param>
    /// <param name="reset">Returns the leaves of a message to the slabs.</param>
    public static ProtobufNetSlabMarshaller<T> Create<T>(string root, Action<T> reset)
        where T : class, IDisposable, new() => root switch
        {
            "new" => new(reset, static () => new(), static message => message.Dispose()),
            "bag" => new(reset, new BagRecycler<T>(static () => new())),
            "objectpool" => Pooled(reset, new DefaultObjectPoolProvider().Create(new DefaultPooledObjectPolicy<T>())),
            _ => new(reset, ThreadStaticRecycler<T>.Instance),
        };

    static ProtobufNetSlabMarshaller<T> Pooled<T>(Action<T> reset, ObjectPool<T> pool)
        where T : class, IDisposable, new() => new(reset, pool.Get, pool.Return);
}

using Microsoft.Extensions.ObjectPool;
using ProtoBench.Allocators;
using ProtoBench.Rpc.Marshallers.ProtobufNet;

namespace ProtoBench.GrpcHost.Hive.ProtobufNet;

/// <summary>The four ways to recycle the message objects of <see cref="ProtobufNetSlabCodec"/>, as <see cref="SlabRoots"/> has them for the slab codec.</summary>
static class ProtobufNetRoots
{
    /// <summary>A marshaller that recycles message objects in one of these ways.</summary>
    /// <param name="root">One of <see cref="HiveCodecs.Roots"/>.</param>
    /// <param name="reset">Returns the leaves of a message to the slabs.</param>
    public static ProtobufNetSlabMarshaller<T> Create<T>(string root, Action<T> reset)
        where T : class, new()
    {
        var pool = new DefaultObjectPool<T>(new DefaultPooledObjectPolicy<T>());
        return root switch
        {
            "new" => new(reset, static () => new(), static _ => { }),
            "bag" => new(reset, new BagRecycler<T>(static () => new())),
            "objectpool" => new(reset, pool.Get, pool.Return),
            _ => new(reset, new ThreadStaticRecycler<T>(static () => new())),
        };
    }
}

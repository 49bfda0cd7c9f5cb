using Microsoft.Extensions.ObjectPool;
using ProtoBench.Allocators;
using ProtoBench.Codec;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>Where the roots of slab messages come from and go back to: the published study's question.</summary>
static class SlabRoots
{
    /// <param name="root">One of <see cref="HiveCodecs.Roots"/>.</param>
    public static SlabMarshaller<T> Create<T>(string root)
        where T : struct, IMessage<T> => root switch
        {
            "new" => new(New<T>, static message => message.Dispose()),
            "bag" => Bag<T>(),
            "objectpool" => ObjectPool<T>(),
            // the codec's own way: one spare per thread, and a bag behind it for messages that end on another thread
            _ => new(),
        };

    static Message<T> New<T>()
        where T : struct, IMessage<T> => Message<T>.Rent(SlabPool.Shared);

    static SlabMarshaller<T> Bag<T>()
        where T : struct, IMessage<T>
    {
        var bag = new BagRecycler<Message<T>>(New<T>);
        return new(bag.Rent, message =>
        {
            message.Clear();
            bag.Return(message);
        });
    }

    static SlabMarshaller<T> ObjectPool<T>()
        where T : struct, IMessage<T>
    {
        var pool = new DefaultObjectPool<Message<T>>(new Policy<T>());
        return new(pool.Get, pool.Return);
    }

    sealed class Policy<T> : PooledObjectPolicy<Message<T>>
        where T : struct, IMessage<T>
    {
        public override Message<T> Create() => New<T>();

        public override bool Return(Message<T> obj)
        {
            obj.Clear();
            return true;
        }
    }
}

using Microsoft.Extensions.ObjectPool;
using ProtoBench.Allocators;
using ProtoBench.Codec;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>The ways to recycle the root objects of slab messages, which the published study compares.</summary>
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
        var bag = new BagRecycler<Root<T>>(static () => new(New<T>()));
        return new(() => bag.Rent().Message, message =>
        {
            message.Clear();
            bag.Return(new(message));
        });
    }

    static SlabMarshaller<T> ObjectPool<T>()
        where T : struct, IMessage<T>
    {
        var pool = new DefaultObjectPool<Root<T>>(new Policy<T>());
        return new(() => pool.Get().Message, message => pool.Return(new(message)));
    }

    /// <summary>A handle as an object, which is what these two recyclers keep: one of 32 bytes for each release.</summary>
    sealed record Root<T>(Message<T> Message) : IDisposable
        where T : struct, IMessage<T>
    {
        public void Dispose() => Message.Dispose();
    }

    sealed class Policy<T> : PooledObjectPolicy<Root<T>>
        where T : struct, IMessage<T>
    {
        public override Root<T> Create() => new(New<T>());

        public override bool Return(Root<T> obj)
        {
            obj.Message.Clear();
            return true;
        }
    }
}

using System.Collections.Concurrent;
using ProtoBench.Codec;
using ProtoBench.Codec.WellKnownTypes;

namespace Catalog;

/// <summary>The products, as bytes: a message of its own for each would take a slab. Thread-safe.</summary>
sealed class Products
{
    readonly ConcurrentDictionary<string, byte[]> all = [];

    public bool TryRead(string id, Message<Product> target)
    {
        if (!all.TryGetValue(id, out var encoded)) return false;
        target.Parse(encoded);
        return true;
    }

    public void Store(string id, Message<Product> product)
    {
        product.Value.SetId(id);
        product.Value.MutableChanged().Set(DateTimeOffset.UtcNow);
        all[id] = product.ToByteArray();
    }
}

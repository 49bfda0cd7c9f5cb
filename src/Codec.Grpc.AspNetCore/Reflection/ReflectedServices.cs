using ProtoBench.Codec.Reflection;

namespace ProtoBench.Codec.Grpc.AspNetCore;

/// <summary>Contains the services of a host that reflection shows. Thread-safe.</summary>
/// <remarks>Only <c>AddSlabReflection</c> makes an instance. A trimmed program without it has no call of <see cref="Add{TService}"/>, and so
/// no descriptors.</remarks>
sealed class ReflectedServices
{
    readonly Lock gate = new();
    readonly Dictionary<Type, Func<ServiceDescriptor>> services = [];
    readonly List<FileDescriptor> files = [];
    ReflectedSchema? schema;

    public ReflectedSchema Schema
    {
        get
        {
            lock (gate) return schema ??= new([.. services.Values.Select(descriptor => descriptor())], files);
        }
    }

    public void Add<TService>()
        where TService : class, ISlabService
    {
        lock (gate)
        {
            if (services.TryAdd(typeof(TService), static () => TService.Descriptor)) schema = null;
        }
    }

    public void Add(IEnumerable<FileDescriptor> more)
    {
        lock (gate)
        {
            files.AddRange(more);
            schema = null;
        }
    }
}

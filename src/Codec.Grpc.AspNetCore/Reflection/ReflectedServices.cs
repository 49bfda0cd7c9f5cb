using ProtoBench.Codec.Reflection;

namespace ProtoBench.Codec.Grpc.AspNetCore;

/// <summary>Is told of the services of a host.</summary>
/// <remarks>A virtual method of a class that only <c>AddSlabReflection</c> makes: the native compiler leaves out its overrides in a program
/// that does not make one, and with them the descriptors of all services. It keeps methods that are not virtual.</remarks>
abstract class ServiceList
{
    public abstract void Add<TService>()
        where TService : class, ISlabService;
}

/// <summary>Contains the services of a host that reflection shows. Thread-safe.</summary>
sealed class ReflectedServices : ServiceList
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

    public override void Add<TService>()
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

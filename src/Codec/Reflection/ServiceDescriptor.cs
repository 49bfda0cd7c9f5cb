using System.Diagnostics;

namespace ProtoBench.Codec.Reflection;

/// <summary>Describes a service. Immutable and thread-safe.</summary>
[DebuggerDisplay("{FullName}")]
public sealed class ServiceDescriptor
{
    internal ServiceDescriptor(FileDescriptor file, string fullName, ServiceSource source,
        Func<MethodSource, (MessageDescriptor Input, MessageDescriptor Output)> find)
    {
        (File, Name, FullName) = (file, source.Name, fullName);
        Methods = Array.AsReadOnly<MethodDescriptor>([.. source.Methods.Select(one => new MethodDescriptor(this, one, find(one)))]);
    }

    /// <summary>Gets the name, as in <c>Orders</c>.</summary>
    public string Name { get; }

    /// <summary>Gets the name with the package, as in <c>shop.Orders</c>.</summary>
    public string FullName { get; }

    /// <summary>Gets the file that declares the service.</summary>
    public FileDescriptor File { get; }

    /// <summary>Gets the methods in the order of their declaration.</summary>
    public IReadOnlyList<MethodDescriptor> Methods { get; }
}

/// <summary>Describes a method of a service. Immutable and thread-safe.</summary>
[DebuggerDisplay("{FullName}")]
public sealed class MethodDescriptor
{
    internal MethodDescriptor(ServiceDescriptor service, MethodSource source, (MessageDescriptor Input, MessageDescriptor Output) types)
    {
        (Service, Name) = (service, source.Name);
        (InputType, OutputType) = types;
        (IsClientStreaming, IsServerStreaming) = (source.IsClientStreaming, source.IsServerStreaming);
    }

    /// <summary>Gets the name, as in <c>Place</c>.</summary>
    public string Name { get; }

    /// <summary>Gets the name with the service, as in <c>shop.Orders.Place</c>.</summary>
    public string FullName => $"{Service.FullName}.{Name}";

    /// <summary>Gets the service that has the method.</summary>
    public ServiceDescriptor Service { get; }

    /// <summary>Gets the message that a client sends.</summary>
    public MessageDescriptor InputType { get; }

    /// <summary>Gets the message that a server sends.</summary>
    public MessageDescriptor OutputType { get; }

    /// <summary>Gets a value that indicates whether a client sends any number of messages.</summary>
    public bool IsClientStreaming { get; }

    /// <summary>Gets a value that indicates whether a server sends any number of messages.</summary>
    public bool IsServerStreaming { get; }
}

using System.ComponentModel;
using ProtoBench.Codec.Reflection;

namespace ProtoBench.Codec.Grpc;

/// <summary>Represents a generated base class of a service.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface ISlabService
{
    /// <summary>Gets the descriptor of the service. It is made at the first use of its file.</summary>
    static abstract ServiceDescriptor Descriptor { get; }
}

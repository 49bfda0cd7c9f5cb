using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Codec.Grpc;

/// <summary>Marks the generated base class of a service, and names the class that binds its methods.</summary>
/// <param name="bindType">The class with the static method that takes a <see cref="SlabServiceBinder"/>.</param>
[AttributeUsage(AttributeTargets.Class, Inherited = false)]
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class SlabServiceAttribute([DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicMethods)] Type bindType)
    : Attribute
{
    /// <summary>Gets the class with the static method that takes a <see cref="SlabServiceBinder"/>.</summary>
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicMethods)]
    public Type BindType { get; } = bindType;
}

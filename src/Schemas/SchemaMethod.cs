using Google.Protobuf.Reflection;

namespace ProtoBench.Schemas;

/// <summary>A method of a gRPC service.</summary>
/// <param name="Service">The service's full name.</param>
/// <param name="Method">The method.</param>
public sealed record SchemaMethod(string Service, MethodDescriptorProto Method)
{
    /// <summary>How gRPC addresses it, without the leading slash: <c>acme.Orders/Place</c>.</summary>
    public string Path => $"{Service}/{Method.Name}";

    /// <summary>Full name of the request's message.</summary>
    public string Request => Method.InputType.TrimStart('.');

    /// <summary>Full name of the reply's message.</summary>
    public string Reply => Method.OutputType.TrimStart('.');

    /// <summary>One line for a list of methods, in the form of a .proto file.</summary>
    public override string ToString() =>
        $"{Path} ({(Method.ClientStreaming ? "stream " : "")}{Request}) returns ({(Method.ServerStreaming ? "stream " : "")}{Reply})";
}

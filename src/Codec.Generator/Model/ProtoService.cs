using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Naming;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>Represents a service, with the names of its stubs. The names are those of Grpc.Tools, unless C# requires others.</summary>
sealed class ProtoService
{
    /// <param name="file">The file that contains the service.</param>
    /// <param name="index">The index of the service in the file.</param>
    /// <param name="messages">All messages, by their names in descriptors.</param>
    public ProtoService(ProtoFile file, int index, IReadOnlyDictionary<string, ProtoMessage> messages)
    {
        File = file;
        Index = index;
        Descriptor = file.Descriptor.Service[index];
        Path = [FileDescriptorProto.ServiceFieldNumber, index];
        Name = Identifier.Escape(Descriptor.Name);
        Base = Descriptor.Name + "Base";
        Client = Descriptor.Name + "Client";
        var members = new NameScope(Descriptor.Name, Base, Client);
        DescriptorProperty = members.Take("Descriptor");
        BindMethod = members.Take("BindService");

        Methods = [.. Descriptor.Method.Select((method, i) => new ProtoMethod(
            method, [.. Path, ServiceDescriptorProto.MethodFieldNumber, i], messages[method.InputType], messages[method.OutputType]))];

        // a member cannot have the name of its class, and would hide an inherited member of the same name
        var inBase = new NameScope(Base);
        var inClient = new NameScope(Client, "CallInvoker", "ClientBaseConfiguration");
        foreach (var method in Methods)
        {
            method.Field = members.Take("method_" + method.Descriptor.Name);
            method.Handler = Identifier.Escape(inBase.Take(method.Descriptor.Name));
            method.Call = Identifier.Escape(inClient.Take(method.Descriptor.Name));
        }

        foreach (var method in Methods.Where(method => method.IsUnary)) method.AsyncCall = inClient.Take(method.Descriptor.Name + "Async");
    }

    public ProtoFile File { get; }

    public int Index { get; }

    public ServiceDescriptorProto Descriptor { get; }

    public IReadOnlyList<int> Path { get; }

    /// <summary>The class that contains all stubs of the service, escaped.</summary>
    public string Name { get; }

    /// <summary>The fully qualified name of that class.</summary>
    public string TypeName => File.Qualifier + Name;

    /// <summary>The full name in the schema, as in "shop.Shop".</summary>
    public string ProtoName => File.Descriptor.Package.Length == 0 ? Descriptor.Name : $"{File.Descriptor.Package}.{Descriptor.Name}";

    /// <summary>The base class of services.</summary>
    public string Base { get; }

    public string Client { get; }

    public string BindMethod { get; }

    /// <summary>The property with Google's description of the service, which gRPC reflection requires.</summary>
    public string DescriptorProperty { get; }

    public IReadOnlyList<ProtoMethod> Methods { get; }
}

/// <summary>Represents a method of a service.</summary>
sealed class ProtoMethod(MethodDescriptorProto descriptor, IReadOnlyList<int> path, ProtoMessage request, ProtoMessage response)
{
    public MethodDescriptorProto Descriptor { get; } = descriptor;

    public IReadOnlyList<int> Path { get; } = path;

    public ProtoMessage Request { get; } = request;

    public ProtoMessage Response { get; } = response;

    public bool IsUnary => !Descriptor.ClientStreaming && !Descriptor.ServerStreaming;

    /// <summary>The field with the description of the method.</summary>
    public string Field { get; set; } = "";

    /// <summary>The method that a service overrides.</summary>
    public string Handler { get; set; } = "";

    /// <summary>The method of the client; for a unary method the one that blocks.</summary>
    public string Call { get; set; } = "";

    /// <summary>The method of the client that does not block; for unary methods only.</summary>
    public string AsyncCall { get; set; } = "";
}

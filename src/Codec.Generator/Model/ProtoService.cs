using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Naming;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>A service, with the names of its stubs. They are those of Grpc.Tools, unless C# needs others.</summary>
sealed class ProtoService
{
    /// <param name="file">The file that it is in.</param>
    /// <param name="index">Its place among the services of the file.</param>
    /// <param name="messages">All messages, by the names that descriptors have.</param>
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

        // a member cannot have the name of its class, and hides one that the class inherits
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

    /// <summary>The class that all of its stubs are in, escaped.</summary>
    public string Name { get; }

    /// <summary>The name of that class from anywhere.</summary>
    public string TypeName => File.Qualifier + Name;

    /// <summary>The full name in the schema, as in "shop.Shop".</summary>
    public string ProtoName => File.Descriptor.Package.Length == 0 ? Descriptor.Name : $"{File.Descriptor.Package}.{Descriptor.Name}";

    /// <summary>The base class of services.</summary>
    public string Base { get; }

    public string Client { get; }

    public string BindMethod { get; }

    /// <summary>Google's description of the service, which reflection looks for.</summary>
    public string DescriptorProperty { get; }

    public IReadOnlyList<ProtoMethod> Methods { get; }
}

/// <summary>A method of a service.</summary>
sealed class ProtoMethod(MethodDescriptorProto descriptor, IReadOnlyList<int> path, ProtoMessage request, ProtoMessage response)
{
    public MethodDescriptorProto Descriptor { get; } = descriptor;

    public IReadOnlyList<int> Path { get; } = path;

    public ProtoMessage Request { get; } = request;

    public ProtoMessage Response { get; } = response;

    public bool IsUnary => !Descriptor.ClientStreaming && !Descriptor.ServerStreaming;

    /// <summary>The field that describes it.</summary>
    public string Field { get; set; } = "";

    /// <summary>The method that a service overrides.</summary>
    public string Handler { get; set; } = "";

    /// <summary>The client's method; of a unary method the one that blocks.</summary>
    public string Call { get; set; } = "";

    /// <summary>The client's method that does not block; for unary methods only.</summary>
    public string AsyncCall { get; set; } = "";
}

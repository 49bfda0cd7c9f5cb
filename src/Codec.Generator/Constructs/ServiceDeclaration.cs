using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the stubs of a service: a base class for servers, and a client.</summary>
sealed class ServiceDeclaration(ProtoService service)
{
    const string context = "core::ServerCallContext context";
    const string options = "core::CallOptions options";
    const string settings = "core::Metadata? headers = null, sys::DateTime? deadline = null, sys::Threading.CancellationToken cancellationToken = default";
    const string made = "new core::CallOptions(headers, deadline, cancellationToken)";

    public void Write(CodeWriter code)
    {
        var item = service.File.Item!;
        DocComment.Write(code, service.File.Source.CommentOf(service.Path),
            $"Contains the generated code of the service {service.ProtoName}.");
        if (service.Descriptor.Options?.Deprecated == true) code.Line("[sys::Obsolete]");
        code.Open($"{service.File.Access} static partial class {service.Name}");
        foreach (var method in service.Methods)
            code.Line($"static readonly grpc::SlabMethod<{Types(method)}> {method.Field} = "
                + $"new(core::MethodType.{Kind(method)}, \"{service.ProtoName}\", \"{method.Descriptor.Name}\");");
        if (service.Methods.Count > 0) code.Line();
        if (item.Services.HasFlag(Build.GrpcServices.Server)) Server(code);
        if (item.Services.HasFlag(Build.GrpcServices.Client)) Client(code);
        code.TrimEmptyLine();
        code.Close();
        code.Line();
    }

    void Server(CodeWriter code)
    {
        code.Line($"/// <summary>Registers the methods of <see cref=\"{service.Base}\"/>. Called by <c>MapGrpcService</c>.</summary>");
        code.Open($"public static void {service.BindMethod}(grpc::SlabServiceBinder binder)");
        foreach (var method in service.Methods)
        {
            var (first, second) = (method.Descriptor.ClientStreaming ? "requests" : "request",
                method.Descriptor.ServerStreaming ? "replies" : "reply");
            code.Line($"binder.{(method.IsUnary ? "Unary" : Kind(method))}<{service.TypeName}.{service.Base}, {Types(method)}>("
                + $"{method.Field}, nameof({service.TypeName}.{service.Base}.{method.Handler}),");
            code.Indent();
            code.Line($"static (service, {first}, {second}, context) => service.{method.Handler}({first}, {second}, context));");
            code.Unindent();
        }

        code.Close();
        code.Line();
        code.Line($"/// <summary>Represents the base class of implementations of {service.ProtoName}. A call owns its messages and "
            + $"releases them when it ends.</summary>");
        code.Line($"[grpc::SlabService(typeof({service.TypeName}))]");
        code.Open($"public abstract partial class {service.Base} : grpc::ISlabService");
        code.Member($"static codec::Reflection.ServiceDescriptor grpc::ISlabService.Descriptor => "
            + $"{service.File.Qualifier}{service.File.ReflectionClass}.Descriptor.Services[{service.Index}];");
        foreach (var method in service.Methods)
        {
            Head(code, method, "Handles a call of");
            code.Line($"public virtual {Result(method)} {method.Handler}({Request(method)}, {Reply(method)}, {context}) =>");
            code.Indent();
            code.Member("throw new core::RpcException(new core::Status(core::StatusCode.Unimplemented, \"\"));");
            code.Unindent();
        }

        code.TrimEmptyLine();
        code.Close();
        code.Line();
    }

    void Client(CodeWriter code)
    {
        const string configuration = "core::ClientBase.ClientBaseConfiguration configuration";
        code.Line($"/// <summary>Represents a client of {service.ProtoName}. The caller owns the requests and the replies. "
            + $"Thread-safe.</summary>");
        code.Open($"public partial class {service.Client} : core::ClientBase<{service.TypeName}.{service.Client}>");
        code.Line("/// <summary>Initializes a client that calls the service over a channel.</summary>");
        code.Member($"public {service.Client}(core::ChannelBase channel) : base(channel) {{ }}");
        code.Line("/// <summary>Initializes a client that calls the service with an invoker, for example one with interceptors.</summary>");
        code.Member($"public {service.Client}(core::CallInvoker callInvoker) : base(callInvoker) {{ }}");
        code.Line("/// <summary>Initializes a client without a channel. For derived classes in tests, which override the "
            + "methods.</summary>");
        code.Member($"protected {service.Client}() {{ }}");
        code.Line("/// <summary>Initializes a client with a configuration, as <c>WithHost</c> does. For derived classes.</summary>");
        code.Member($"protected {service.Client}({configuration}) : base(configuration) {{ }}");
        foreach (var method in service.Methods) Calls(code, method);
        code.Line("/// <inheritdoc/>");
        code.Line($"protected override {service.TypeName}.{service.Client} NewInstance({configuration}) => new(configuration);");
        code.Close();
        code.Line();
    }

    void Calls(CodeWriter code, ProtoMethod method)
    {
        var reply = method.Response.TypeName;
        if (method.IsUnary)
        {
            Call(code, method, method.Call, $"codec::Message<{reply}>", "Call");
            Call(code, method, method.AsyncCall, $"grpc::SlabUnaryCall<{reply}>", "CallAsync");
            return;
        }

        var kind = Kind(method);
        var types = method.Descriptor.ClientStreaming ? Types(method) : reply;
        Call(code, method, method.Call, $"grpc::Slab{kind}Call<{types}>", kind);
    }

    void Call(CodeWriter code, ProtoMethod method, string name, string result, string call)
    {
        var (parameter, argument) = method.Descriptor.ClientStreaming
            ? ("", "")
            : ($"codec::Message<{method.Request.TypeName}> request, ", "request, ");
        Head(code, method, "Calls");
        code.Line($"public virtual {result} {name}({parameter}{settings}) =>");
        code.Indent();
        // a method may have the name of a parameter, such as request or options
        code.Member($"this.{name}({argument}{made});");
        code.Unindent();
        Head(code, method, "Calls");
        code.Line($"public virtual {result} {name}({parameter}{options}) =>");
        code.Indent();
        code.Member($"{service.TypeName}.{method.Field}.{call}(CallInvoker, {argument}options);");
        code.Unindent();
        if (method.Descriptor.ClientStreaming) return;
        DocComment.Write(code, service.File.Source.CommentOf(method.Path), $"Calls the method {method.Descriptor.Name} with a request that is serialized already. It is not checked.");
        if (method.Descriptor.Options?.Deprecated == true) code.Line("[sys::Obsolete]");
        // "default" stays an empty message
        code.Line("[jit::OverloadResolutionPriority(-1)]");
        code.Line($"public virtual {result} {name}(sys::ReadOnlyMemory<byte> encoded, {options} = default) =>");
        code.Indent();
        code.Member($"{service.TypeName}.{method.Field}.{call}(CallInvoker, encoded, options);");
        code.Unindent();
    }

    void Head(CodeWriter code, ProtoMethod method, string action)
    {
        DocComment.Write(code, service.File.Source.CommentOf(method.Path), $"{action} the method {method.Descriptor.Name}.");
        if (method.Descriptor.Options?.Deprecated == true) code.Line("[sys::Obsolete]");
    }

    static string Kind(ProtoMethod method) => (method.Descriptor.ClientStreaming, method.Descriptor.ServerStreaming) switch
    {
        (false, false) => "Unary",
        (true, false) => "ClientStreaming",
        (false, true) => "ServerStreaming",
        _ => "DuplexStreaming",
    };

    static string Types(ProtoMethod method) => $"{method.Request.TypeName}, {method.Response.TypeName}";

    // if the reply is passed as an argument, a handler that completes synchronously needs no task object
    static string Result(ProtoMethod method) => "sys::Threading.Tasks." + (method.Descriptor.ServerStreaming ? "Task" : "ValueTask");

    static string Request(ProtoMethod method) =>
        method.Descriptor.ClientStreaming ? $"grpc::SlabStreamReader<{method.Request.TypeName}> requests" : $"{method.Request.TypeName} request";

    static string Reply(ProtoMethod method) =>
        method.Descriptor.ServerStreaming ? $"grpc::SlabStreamWriter<{method.Response.TypeName}> replies" : $"{method.Response.TypeName} reply";
}

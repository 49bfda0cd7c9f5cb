using ProtoBench.Codec.Grpc.AspNetCore.V1;
using ProtoBench.Codec.Reflection;

namespace ProtoBench.Codec.Grpc.AspNetCore;

/// <summary>Answers the requests of gRPC reflection from files and those that they import. Immutable and thread-safe.</summary>
sealed class ReflectedSchema
{
    readonly Dictionary<string, FileDescriptor> byName = [];
    readonly Dictionary<string, FileDescriptor> bySymbol = [];
    readonly Dictionary<(string Type, int Number), FileDescriptor> byExtension = [];
    readonly string[] services;

    /// <param name="services">The services of the host.</param>
    /// <param name="files">More files. Their services are listed, too.</param>
    public ReflectedSchema(IReadOnlyList<ServiceDescriptor> services, IReadOnlyList<FileDescriptor> files)
    {
        this.services = [.. services.Concat(files.SelectMany(file => file.Services)).Select(service => service.FullName).Distinct()
            .Order(StringComparer.Ordinal)];
        foreach (var file in services.Select(service => service.File).Concat(files).SelectMany(WithImports)) Add(file);
    }

    public void Answer(ServerReflectionRequest request, ServerReflectionResponse reply)
    {
        reply.SetValidHost(request.Host);
        reply.SetOriginalRequest(request);
        switch (request.MessageRequestCase)
        {
            case ServerReflectionRequest.MessageRequestOneofCase.ListServices:
                var list = reply.MutableListServicesResponse();
                foreach (var service in services) list.AddService().SetName(service);
                break;
            case ServerReflectionRequest.MessageRequestOneofCase.FileByFilename:
                var name = request.FileByFilename.ToString();
                Send(byName.GetValueOrDefault(name), reply, () => $"There is no file {name}.");
                break;
            case ServerReflectionRequest.MessageRequestOneofCase.FileContainingSymbol:
                var symbol = request.FileContainingSymbol.ToString();
                Send(bySymbol.GetValueOrDefault(symbol), reply, () => $"No file declares {symbol}.");
                break;
            case ServerReflectionRequest.MessageRequestOneofCase.FileContainingExtension:
                var (type, number) = (request.FileContainingExtension.ContainingType.ToString(),
                    request.FileContainingExtension.ExtensionNumber);
                Send(byExtension.GetValueOrDefault((type, number)), reply, () => $"No file extends {type} with the number {number}.");
                break;
            case ServerReflectionRequest.MessageRequestOneofCase.AllExtensionNumbersOfType:
                SendExtensions(request.AllExtensionNumbersOfType.ToString(), reply);
                break;
            default:
                Refuse(reply, StatusCode.InvalidArgument, "The request asks for nothing.");
                break;
        }
    }

    void SendExtensions(string type, ServerReflectionResponse reply)
    {
        if (!bySymbol.TryGetValue(type, out var file) || !Messages(file).Any(message => message.FullName == type))
        {
            Refuse(reply, StatusCode.NotFound, $"No file declares a message {type}.");
            return;
        }

        var answer = reply.MutableAllExtensionNumbersResponse();
        answer.SetBaseTypeName(type);
        var numbers = byExtension.Keys.Where(key => key.Type == type).Select(key => key.Number).Order();
        foreach (var number in numbers) answer.AddExtensionNumber(number);
    }

    static void Send(FileDescriptor? file, ServerReflectionResponse reply, Func<string> reason)
    {
        if (file is null)
        {
            Refuse(reply, StatusCode.NotFound, reason());
            return;
        }

        var answer = reply.MutableFileDescriptorResponse();
        foreach (var one in WithImports(file)) answer.AddFileDescriptorProto(one.SerializedData.Span);
    }

    static void Refuse(ServerReflectionResponse reply, StatusCode code, string reason)
    {
        var error = reply.MutableErrorResponse();
        error.SetErrorCode((int)code);
        error.SetErrorMessage(reason);
    }

    void Add(FileDescriptor file)
    {
        // two projects can have a copy of an import that only has options
        if (!byName.TryAdd(file.Name, file)) return;
        foreach (var symbol in Symbols(file)) bySymbol.TryAdd(symbol, file);
        foreach (var extension in file.Extensions.Concat(Messages(file).SelectMany(message => message.Extensions)))
            byExtension.TryAdd((extension.ContainingType.FullName, extension.FieldNumber), file);
    }

    static IEnumerable<string> Symbols(FileDescriptor file) =>
    [
        .. file.Services.SelectMany(service => service.Methods.Select(method => method.FullName).Prepend(service.FullName)),
        .. file.Extensions.Select(extension => extension.FullName),
        .. file.EnumTypes.SelectMany(Symbols),
        .. Messages(file).SelectMany(message => (IEnumerable<string>)
        [
            message.FullName,
            .. message.Fields.Select(field => field.FullName),
            .. message.Oneofs.Select(oneof => $"{message.FullName}.{oneof.Name}"),
            .. message.Extensions.Select(extension => extension.FullName),
            .. message.EnumTypes.SelectMany(Symbols),
        ]),
    ];

    // the values of an enum are in the scope of the enum
    static IEnumerable<string> Symbols(EnumDescriptor type)
    {
        var scope = type.FullName[..^type.Name.Length];
        return type.Values.Select(value => scope + value.Name).Prepend(type.FullName);
    }

    static IEnumerable<MessageDescriptor> Messages(FileDescriptor file)
    {
        var waiting = new Stack<MessageDescriptor>(file.MessageTypes);
        while (waiting.TryPop(out var message))
        {
            yield return message;
            foreach (var nested in message.NestedTypes) waiting.Push(nested);
        }
    }

    /// <summary>Gets a file, and the files that it imports, directly or not.</summary>
    static List<FileDescriptor> WithImports(FileDescriptor file)
    {
        List<FileDescriptor> all = [file];
        HashSet<string> seen = [file.Name];
        for (var i = 0; i < all.Count; i++) all.AddRange(all[i].Dependencies.Where(import => seen.Add(import.Name)));
        return all;
    }
}

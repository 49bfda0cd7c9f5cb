using ProtoBench.Results;
using ProtoBench.Schemas;

namespace ProtoBench.New;

/// <summary>Represents the method that the user chose.</summary>
/// <param name="Service">The full name of the service; null for the only one.</param>
/// <param name="Method">The name of the method; null for the only one.</param>
sealed record ServiceChoice(string? Service, string? Method)
{
    /// <summary>Reads the options. A method may have the form <c>acme.Orders/Place</c>, as in the load client.</summary>
    /// <exception cref="UsageException">Thrown when two services are named.</exception>
    public static ServiceChoice Read(string? service, string? method)
    {
        service = service?.TrimStart('.');
        if (method?.TrimStart('/').Split('/') is not [var before, var name])
            return new(service, method);
        return service is null || service == before
            ? new(before, name) : throw new UsageException($"--method {method} is not a method of the service {service}");
    }

    /// <summary>Finds the method.</summary>
    /// <exception cref="UsageException">Thrown when there is none, or the choice is ambiguous. The message lists the existing
    /// methods.</exception>
    public SchemaMethod Find(ProtoSchema schema)
    {
        SchemaMethod[] all = [.. schema.Methods];
        string[] services = [.. all.Select(method => method.Service).Distinct()];
        var service = Service ?? services switch
        {
            [] => throw new UsageException("the .proto files have no service with a method"),
            [var only] => only,
            _ => throw new UsageException($"the .proto files have several services, name one with --service: {List(services)}"),
        };
        SchemaMethod[] methods = [.. all.Where(method => method.Service == service)];
        if (methods.Length == 0)
            throw new UsageException($"the .proto files have no service {service} with a method; they have {List(services)}");
        var names = List(methods.Select(method => method.Method.Name));
        var found = Method is { } name
            ? methods.FirstOrDefault(method => method.Method.Name == name)
                ?? throw new UsageException($"the service {service} has no method {name}; it has {names}")
            : methods is [var single]
                ? single : throw new UsageException($"the service {service} has several methods, name one with --method: {names}");
        return found.Method is { ClientStreaming: false, ServerStreaming: false }
            ? found : throw new UsageException($"{found}: only methods with one request and one reply can be measured");
    }

    static string List(IEnumerable<string> names) => string.Join(", ", names) is { Length: > 0 } list ? list : "none";
}

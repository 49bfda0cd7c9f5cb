using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using ProtoBench.Schemas;

namespace ProtoBench;

static class NewVerb
{
    public static Command Create()
    {
        var folder = new Argument<string>("folder") { Description = "the project's folder, which must not exist" };
        var protos = Arguments.Many("--proto", "the .proto files");
        var includes = Arguments.Many("--proto-path -I --import-paths",
            "folders in which imports are looked up; default: the folder of each .proto file");
        var classes = Arguments.Many("--classes",
            "in place of --proto: .cs files, a .csproj or a .dll with a class of protobuf-net, which is measured with its own attributes");
        var ownType = Arguments.Option<string?>("--type", "the class, such as Acme.Order, or Order if no other has this name");
        var message =
            Arguments.Option<string?>("--message", "the message, such as acme.Order, or Order if no other has this name; not needed with --service");
        var service = Arguments.Option<string?>("--service",
            "measure calls over gRPC too: the service, such as acme.Orders; without a name the only one");
        service.Arity = ArgumentArity.ZeroOrOne;
        var method = Arguments.Option<string?>("--method",
            "the service's method, with one request and one reply; not needed if there is only one");
        var replies =
            Arguments.Many("--reply", "captured replies of the method, in the forms of --payload; without it, --synthesize makes them");
        var payloads = Arguments.Many("--payload", $"captured messages: files, or folders of them. {PayloadFiles.Forms}");
        var count = Arguments.Option("--synthesize", "the number of random messages to make", Arguments.AtLeast1);
        var seed = Arguments.Option("--seed", "seed of the random messages", byDefault: 1);
        var elements = Arguments.Option("--elements", "elements of each repeated field in random messages: FEWEST..MOST",
            Range, new SizeRange(0, 8));
        var lengths = Arguments.Option("--length", "bytes of each string in random messages: SHORTEST..LONGEST, short ones more often",
            Range, new SizeRange(1, 64));
        var command = new Command("new", "Make a benchmark project for your own message: from .proto files or classes, and captured or random payloads")
        {
            folder, protos, includes, message, classes, ownType, payloads, service, method, replies, count, seed, elements, lengths,
        };
        command.SetAction(async (parsed, stop) =>
        {
            try
            {
                var (fewest, most) = parsed.GetValue(elements);
                var (shortest, longest) = parsed.GetValue(lengths);
                var choice = parsed.GetResult(service) is null && parsed.GetValue(method) is null
                    ? null : ServiceChoice.Read(parsed.GetValue(service), parsed.GetValue(method));
                if (choice is null && parsed.GetValue(replies) is { Length: > 0 })
                    throw new UsageException("--reply is for the replies of a service: name it with --service");
                Check(parsed.GetValue(protos) is { Length: > 0 }, parsed.GetValue(classes) is { Length: > 0 },
                    parsed.GetValue(ownType) is not null, choice is not null || parsed.GetValue(message) is not null);
                var request = new NewRequest(
                    parsed.GetRequiredValue(folder), parsed.GetValue(protos) ?? [], parsed.GetValue(includes) ?? [],
                    parsed.GetValue(message), choice, parsed.GetValue(payloads) ?? [], parsed.GetValue(replies) ?? [],
                    parsed.GetValue(count), new(parsed.GetValue(seed), fewest, most, shortest, longest))
                {
                    Classes = parsed.GetValue(classes) ?? [],
                    OwnType = parsed.GetValue(ownType),
                };
                await NewProject.WriteAsync(request, parsed.InvocationConfiguration.Output,
                    warning => parsed.InvocationConfiguration.Error.WriteLine("warning: " + warning), stop);
                return ExitCode.Done;
            }
            catch (SchemaException e)
            {
                throw new UsageException(e.Message, e);
            }
        });
        return command;
    }

    static void Check(bool hasProto, bool hasClasses, bool hasType, bool hasMessage)
    {
        if (hasProto == hasClasses)
            throw new UsageException("name either .proto files with --proto, or classes with --classes");
        if (hasType != hasClasses)
            throw new UsageException(hasType ? "--type is a class of --classes" : "name the class with --type, such as Acme.Order");
        if (hasClasses && hasMessage)
            throw new UsageException("--message, --service and --method are of .proto files: name a class with --type");
    }

    static SizeRange Range(ArgumentResult result) => Arguments.Read<SizeRange>(result, "a range", "0..8", text =>
        text.Split("..") is [var least, var most]
        && int.TryParse(least, NumberStyles.None, CultureInfo.InvariantCulture, out var low)
        && int.TryParse(most, NumberStyles.None, CultureInfo.InvariantCulture, out var high) && low <= high
            ? new(low, high) : null);

    /// <summary>Represents a range in the form that users type, so that the help shows defaults in this form.</summary>
    readonly record struct SizeRange(int Least, int Most)
    {
        public override string ToString() => $"{Least}..{Most}";
    }
}

/// <param name="Service">The full name of the service; null for the only one.</param>
sealed record ServiceChoice(string? Service, string? Method)
{
    /// <summary>Reads the options. A method may have the form <c>acme.Orders/Place</c>, as in the load client.</summary>
    public static ServiceChoice Read(string? service, string? method)
    {
        service = service?.TrimStart('.');
        if (method?.TrimStart('/').Split('/') is not [var before, var name])
            return new(service, method);
        return service is null || service == before
            ? new(before, name) : throw new UsageException($"--method {method} is not a method of the service {service}");
    }

    public SchemaMethod Find(ProtoSchema schema)
    {
        SchemaMethod[] all = [.. schema.Methods];
        string[] services = [.. all.Select(method => method.Service).Distinct()];
        var ends = services.Where(full => full == Service || full.EndsWith("." + Service, StringComparison.Ordinal)).ToArray();
        var service = (ends is [var end] ? end : Service) ?? services switch
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

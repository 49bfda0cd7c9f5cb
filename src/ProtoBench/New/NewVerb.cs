using System.CommandLine;
using System.Globalization;
using ProtoBench.Results;
using ProtoBench.Schemas;
using ProtoBench.Verbs;

namespace ProtoBench.New;

/// <summary>Represents the verb <c>new</c>, which creates a benchmark project for a message of the user.</summary>
static class NewVerb
{
    /// <summary>Creates the verb with its options.</summary>
    public static Command Create()
    {
        var folder = new Argument<string>("folder") { Description = "the project's folder, which must not exist" };
        var protos = Many("--proto", "the .proto files", required: true);
        var includes =
            Many("--proto-path", "folders in which imports are looked up; default: the folder of each .proto file", required: false);
        includes.Aliases.Add("-I");
        includes.Aliases.Add("--import-paths");
        var message = new Option<string?>("--message")
        {
            Description = "full name of the message, such as acme.Order; not needed with --service",
        };
        var service = new Option<string?>("--service")
        {
            Arity = ArgumentArity.ZeroOrOne,
            Description = "measure calls over gRPC too: the service, such as acme.Orders; without a name the only one",
        };
        var method = new Option<string?>("--method")
        {
            Description = "the service's method, with one request and one reply; not needed if there is only one",
        };
        var replies = Many("--reply", "captured replies of the method, in the forms of --payload; without it, --synthesize makes them",
            required: false);
        var payloads = Many("--payload", $"captured messages: files, or folders of them. {PayloadFiles.Forms}", required: false);
        var count = new Option<int>("--synthesize") { Description = "the number of random messages to make", CustomParser = result => OptionValue.Whole(result, "--synthesize", 1) };
        var seed = new Option<int>("--seed") { Description = "seed of the random messages", DefaultValueFactory = _ => 1 };
        var elements = new Option<SizeRange>("--elements")
        {
            Description = "elements of each repeated field in random messages: FEWEST..MOST",
            CustomParser = result => OptionValue.Read(result, "--elements", "a range such as 0..8", Range),
            DefaultValueFactory = _ => new(0, 8),
        };
        var lengths = new Option<SizeRange>("--length")
        {
            Description = "bytes of each string in random messages: SHORTEST..LONGEST, short ones more often",
            CustomParser = result => OptionValue.Read(result, "--length", "a range such as 0..8", Range),
            DefaultValueFactory = _ => new(1, 64),
        };
        var command = new Command("new", "Make a benchmark project for your own message: from .proto files and captured or random payloads")
        {
            folder, protos, includes, message, payloads, service, method, replies, count, seed, elements, lengths,
        };
        command.SetAction((parsed, stop) => Guarded.RunAsync(parsed, async (output, _) =>
        {
            try
            {
                var (fewest, most) = parsed.GetValue(elements);
                var (shortest, longest) = parsed.GetValue(lengths);
                var choice = parsed.GetResult(service) is null && parsed.GetValue(method) is null
                    ? null : ServiceChoice.Read(parsed.GetValue(service), parsed.GetValue(method));
                if (choice is null && parsed.GetValue(replies) is { Length: > 0 })
                    throw new UsageException("--reply is for the replies of a service: name it with --service");
                var request = new NewRequest(
                    parsed.GetRequiredValue(folder), parsed.GetRequiredValue(protos), parsed.GetValue(includes) ?? [],
                    parsed.GetValue(message), choice, parsed.GetValue(payloads) ?? [], parsed.GetValue(replies) ?? [],
                    parsed.GetValue(count),
                    new()
                    {
                        Seed = parsed.GetValue(seed),
                        FewestElements = fewest,
                        MostElements = most,
                        ShortestString = shortest,
                        LongestString = longest
                    });
                await NewProject.WriteAsync(request, output, stop);
                return ExitCode.Done;
            }
            catch (SchemaException e)
            {
                throw new UsageException(e.Message, e);
            }
        }));
        return command;
    }

    static Option<string[]> Many(string name, string description, bool required) =>
        new(name) { Required = required, AllowMultipleArgumentsPerToken = true, Description = description };

    static SizeRange? Range(string text) =>
        text.Split("..") is [var least, var most]
        && int.TryParse(least, NumberStyles.None, CultureInfo.InvariantCulture, out var low)
        && int.TryParse(most, NumberStyles.None, CultureInfo.InvariantCulture, out var high) && low <= high
            ? new(low, high) : null;

    /// <summary>Represents a range in the form that users type, so that the help shows defaults in this form.</summary>
    readonly record struct SizeRange(int Least, int Most)
    {
        public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Least}..{Most}");
    }
}

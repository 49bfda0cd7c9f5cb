using System.CommandLine;
using System.Globalization;
using System.Text;
using System.Text.Json;

namespace ProtoBench.GrpcHost;

/// <summary>The options of a command in a JSON file, with the names of ghz. Those of the command line win.</summary>
sealed class ConfigFile(ParseResult given, string file, TextWriter notes)
{
    const string optionName = "--config";

    // of ghz: they change its report, or how it connects, but not the load
    static readonly string[] withoutEffect =
    [
        "name", "tags", "debug", "output", "format", "skipFirst", "count-errors", "cpus", "connect-timeout", "dial-timeout",
        "duration-stop", "max-send-message-size",
    ];

    // of ghz: they belong to the schedules that are refused
    static readonly string[] ofSchedules =
    [
        "load-start", "load-end", "load-step", "load-step-duration", "load-max-duration", "concurrency-start", "concurrency-end",
        "concurrency-step", "concurrency-step-duration", "concurrency-max-duration",
    ];

    static readonly Dictionary<string, string> renamed = new()
    {
        ["host"] = "--target",
        ["data-file"] = "--data",
        ["binary-file"] = "--payload",
        ["max-duration"] = "--duration",
        ["qps"] = "--rate",
        ["importPaths"] = "--proto-path",
    };

    // In the options of a report, and in files made of them, ghz has these as numbers of nanoseconds.
    static readonly string[] durations = ["timeout", "duration", "max-duration", "stream-interval", "keepalive"];

    // of ghz: what does the same here
    static readonly Dictionary<string, string> refused = new()
    {
        ["async"] = "--rate sends calls independent of the replies",
        ["load-schedule"] = "--rate 100..2000:100 has steps",
        ["concurrency-schedule"] = "--concurrency 1..64:8 has steps",
        ["stream-call-duration"] = "--messages round has streams that last for a round",
        ["stream-dynamic-messages"] = "the messages of --data differ from call to call",
        ["reflect-metadata"] = "--metadata is sent with reflection too",
        ["metadata-file"] = "write its content as metadata",
        ["disable-template-functions"] = "{{ }} in --data is always a value",
        ["disable-template-data"] = "{{ }} in --data is always a value",
    };

    // of which a command has one
    static readonly string[][] alternatives = [["--data", "--payload"], ["--proto", "--protoset"], ["--tls", "--insecure"]];

    readonly List<string> options = [];
    readonly List<string> faults = [];
    string? total;
    string? rate;
    string? duration;
    string? longest;

    public static Option<string?> Create() => Arguments.Option<string?>(
        optionName, "a JSON file with options, as of ghz; those of the command line win; means TLS, unless it has insecure");

    /// <summary>Returns the options of the file of <c>--config</c> that the command line does not have; none without that file.</summary>
    public static IReadOnlyList<string> Read(ParseResult given, TextWriter notes)
    {
        if (given.Errors.Count > 0 || Find(given, optionName) is not Option<string?> option || given.GetValue(option) is not { } file)
            return [];
        if (!File.Exists(file))
            throw new UsageException($"{file}: there is no such file");
        var config = new ConfigFile(given, file, notes);
        // the process that has started this one has read it
        if (!config.IsGiven("--client-process"))
            config.Read(File.ReadAllBytes(file));
        return config.options;
    }

    void Read(ReadOnlySpan<byte> json)
    {
        if (json.StartsWith(Encoding.UTF8.Preamble))
            json = json[3..];
        var reader = new Utf8JsonReader(json);
        try
        {
            if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
                throw new UsageException($"{file} is not a JSON object with options");
            while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
            {
                var before = json[..(int)reader.TokenStartIndex];
                var at = $"{file}({1 + before.Count((byte)'\n')},{before.Length - before.LastIndexOf((byte)'\n')})";
                var name = reader.GetString()!;
                reader.Read();
                try
                {
                    Take(name, JsonElement.ParseValue(ref reader), at);
                }
                catch (UsageException e)
                {
                    faults.Add(e.Message);
                }
            }

            reader.Read();
        }
        catch (JsonException e)
        {
            throw new UsageException($"{file}({1 + e.LineNumber},{1 + e.BytePositionInLine}): {e.Message.Split(" Path:")[0].Split(" LineNumber:")[0]}", e);
        }

        if (faults.Count > 0)
            throw new UsageException(string.Join(Environment.NewLine, faults));
        End();
    }

    /// <param name="at">The place in the file.</param>
    void Take(string name, JsonElement value, string at)
    {
        var option = Find(given, renamed.GetValueOrDefault(name, "--" + name));
        var isOption = option is { Hidden: false } && option.Name != optionName
            && (value.ValueKind != JsonValueKind.Object || name is "data" or "metadata");
        var isIgnored = withoutEffect.Contains(name) || ofSchedules.Contains(name);
        var isRefused = refused.TryGetValue(name, out var instead);
        if (!isIgnored && !isRefused && !isOption)
            throw new UsageException(
                $"{at}: '{name}' is not an option of {given.CommandResult.Command.Name}, or its value has another form");
        var text = durations.Contains(name) && value.ValueKind == JsonValueKind.Number && value.TryGetDecimal(out var nanoseconds)
            ? (nanoseconds / 1_000_000_000).ToString("0.#########", CultureInfo.InvariantCulture) + "s" : Text(value);
        switch (name)
        {
            case "data" when value.ValueKind is JsonValueKind.Object or JsonValueKind.Array:
                Add("--data", value.GetRawText());
                break;
            case "metadata" when value.ValueKind == JsonValueKind.Object:
                foreach (var entry in value.EnumerateObject())
                    Add("--metadata", Metadata(entry, at));
                break;
            case "timeout" when IsDefault(text, value):
                Add("--timeout", "none");
                break;
            case not ("warmup" or "seed") when IsDefault(text, value) || ofSchedules.Contains(name):
                break;
            case var _ when isIgnored:
                notes.WriteLine($"note: {at}: '{name}' has no effect here");
                break;
            case var _ when isRefused:
                throw new UsageException($"{at}: '{name}' of ghz is not here: {instead}");
            case "data-file":
                Add("--data", "@" + text);
                break;
            case "total":
                total = text;
                break;
            case "rps" or "qps":
                rate = text;
                break;
            case "duration":
                duration = text;
                break;
            case "max-duration":
                longest = text;
                break;
            case var _ when value.ValueKind == JsonValueKind.Array:
                foreach (var one in value.EnumerateArray())
                    Add(option!.Name, Text(one));
                break;
            default:
                Add(option!.Name, text);
                break;
        }
    }

    /// <summary>Adds what several names set together.</summary>
    void End()
    {
        // in ghz a duration replaces the number, and a max-duration does not
        if (longest is null && (duration is not null || IsGiven("--duration")))
            total = null;
        duration = longest ?? duration;
        var perSecond = IsGiven("--rate") ? given.GetResult(Find(given, "--rate")!)!.Tokens[0].Value : rate;
        if (total is not null && perSecond is not null)
        {
            // in ghz a rate limits the closed loop; a time ends the open loop
            if (duration is null && Arguments.Number(perSecond) is > 0 and var number && Arguments.Number(total) is { } calls)
                duration = (calls / number).ToString("0.######", CultureInfo.InvariantCulture) + "s";
            total = null;
        }

        if (total is not null)
            Add("--requests", total);
        if (rate is not null)
            Add("--rate", rate);
        if (duration is not null)
            Add("--duration", duration);
        if (!options.Exists(option => option.StartsWith("--insecure", StringComparison.Ordinal) || option == "--tls"))
            Add("--tls", "");
    }

    void Add(string name, string value)
    {
        var same = alternatives.FirstOrDefault(names => names.Contains(name)) ?? [name];
        if (!same.Any(IsGiven))
            options.Add(value.Length == 0 ? name : $"{name}={value}");
    }

    bool IsGiven(string name) => Find(given, name) is { } option && given.GetResult(option) is { Implicit: false };

    static Option? Find(ParseResult given, string name) =>
        given.CommandResult.Command.Options.FirstOrDefault(option => option.Name == name || option.Aliases.Contains(name));

    static string Metadata(JsonProperty entry, string at)
    {
        var text = Text(entry.Value);
        TargetOptions.RefuseTemplate(text, $"{at}: ");
        // ghz has the bytes, and the option has base64
        var isBinary = entry.Name.EndsWith(Grpc.Core.Metadata.BinaryHeaderSuffix, StringComparison.Ordinal);
        return $"{entry.Name}={(isBinary ? Convert.ToBase64String(Encoding.UTF8.GetBytes(text)) : text)}";
    }

    /// <summary>A flag has no text.</summary>
    static string Text(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => value.GetString()!,
        JsonValueKind.Number => value.GetRawText(),
        _ => "",
    };

    /// <summary>ghz writes such a value for an option that is not set.</summary>
    static bool IsDefault(string text, JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.True or JsonValueKind.Object => false,
        JsonValueKind.Array => value.GetArrayLength() == 0,
        _ => text is "" or "0" or "const" || Arguments.TryDuration(text) == TimeSpan.Zero,
    };
}

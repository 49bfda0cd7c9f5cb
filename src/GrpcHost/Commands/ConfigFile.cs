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
        "name", "tags", "debug", "skipFirst", "count-errors", "cpus", "connect-timeout", "dial-timeout",
        "duration-stop", "max-send-message-size",
    ];

    // of ghz: a schedule has these names after load- or concurrency-
    static readonly string[] ofSchedules =
    [
        "schedule", "start", "end", "step", "step-duration", "max-duration",
    ];

    static readonly Dictionary<string, string> renamed = new()
    {
        ["host"] = "--target",
        ["data-file"] = "--data",
        ["binary-file"] = "--payload",
        ["max-duration"] = "--duration",
        ["qps"] = "--rate",
        ["importPaths"] = "--proto-path",
        ["metadata-file"] = "--metadata",
    };

    // In the options of a report, and in files made of them, ghz has these as numbers of nanoseconds.
    static readonly string[] durations =
    [
        "timeout", "duration", "max-duration", "stream-interval", "load-step-duration", "load-max-duration", "concurrency-step-duration",
        "concurrency-max-duration", "keepalive",
    ];

    // of ghz: what does the same here
    static readonly Dictionary<string, string> refused = new()
    {
        ["async"] = "--rate sends calls independent of the replies",
        ["stream-call-duration"] = "--messages round has streams that last for a round",
        ["stream-dynamic-messages"] = "the messages of --data differ from call to call",
        ["reflect-metadata"] = "--metadata is sent with reflection too",
        ["disable-template-functions"] = "{{ }} in --data is always a value",
        ["disable-template-data"] = "{{ }} in --data is always a value",
    };

    // of which a command has one
    static readonly string[][] alternatives = [["--data", "--payload"], ["--proto", "--protoset"], ["--tls", "--insecure"]];

    readonly List<string> options = [];
    readonly List<string> faults = [];
    readonly Dictionary<string, string> schedules = [];
    (string? File, string? Format, string At) output;
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

        End();
        if (faults.Count > 0)
            throw new UsageException(string.Join(Environment.NewLine, faults));
    }

    /// <param name="at">The place in the file.</param>
    void Take(string name, JsonElement value, string at)
    {
        var option = Find(given, renamed.GetValueOrDefault(name, "--" + name));
        var isOption = option is { Hidden: false } && option.Name != optionName
            && (value.ValueKind != JsonValueKind.Object || name is "data" or "metadata");
        var isSchedule = ofSchedules.Any(part => name == "load-" + part || name == "concurrency-" + part) && value.ValueKind != JsonValueKind.Object;
        var isOutput = name is "output" or "format";
        var isIgnored = withoutEffect.Contains(name);
        var isRefused = refused.TryGetValue(name, out var instead);
        if (!isIgnored && !isRefused && !isOption && !isSchedule && !isOutput)
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
                Add("--metadata", value.GetRawText());
                break;
            case "timeout" when IsDefault(text, value):
                Add("--timeout", "none");
                break;
            case not ("warmup" or "seed") when IsDefault(text, value):
                break;
            case var _ when isSchedule:
                schedules[name] = text;
                break;
            case "output":
                output = (text, output.Format, at);
                break;
            case "format":
                output = (output.File, text, at);
                break;
            case var _ when isIgnored:
                notes.WriteLine($"note: {at}: '{name}' has no effect here");
                break;
            case var _ when isRefused:
                throw new UsageException($"{at}: '{name}' of ghz is not here: {instead}");
            case "data-file" or "metadata-file":
                Add(renamed[name], "@" + text);
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
                duration = Seconds(TimeSpan.FromSeconds(calls / number));
            total = null;
        }

        if (schedules.Count > 0)
            AddSchedule();
        if (total is not null)
            Add("--requests", total);
        if (rate is not null)
            Add("--rate", rate);
        if (duration is not null)
            Add("--duration", duration);
        if (output != default)
            AddOutput();
        if (!options.Exists(option => option.StartsWith("--insecure", StringComparison.Ordinal) || option == "--tls"))
            Add("--tls", "");
    }

    /// <summary>Adds the steps of a schedule. In ghz they are parts of one run, and here each is a round.</summary>
    void AddSchedule()
    {
        var kind = schedules.ContainsKey("load-schedule") ? "load-" : "concurrency-";
        // without it, ghz has a constant load
        if (!schedules.TryGetValue(kind + "schedule", out var schedule))
            return;
        var (isStep, isLoad) = (schedule == "step", kind == "load-");
        var length = isStep ? Arguments.TryDuration(Value("step-duration")) : TimeSpan.FromSeconds(1);
        var limit = Arguments.TryDuration(Value("max-duration"));
        if (!(isStep || schedule == "line") || !int.TryParse(Value("start"), CultureInfo.InvariantCulture, out var start) || start <= 0
            || !int.TryParse(Value("step"), CultureInfo.InvariantCulture, out var step) || step == 0 || length is not { } each || each <= TimeSpan.Zero)
        {
            faults.Add($"{file}: the {kind}schedule '{schedule}' of ghz needs {kind}start and {kind}step above 0"
                + (isStep ? $", and {kind}step-duration" : "; schedules are step, line and const"));
            return;
        }

        var steps = limit / each;
        if (!int.TryParse(Value("end"), CultureInfo.InvariantCulture, out var end))
            end = steps is { } all ? Math.Max(1, start + (step * ((int)Math.Ceiling(all) - 1))) : 0;
        if (end <= 0 || Math.Sign(end - start) == -Math.Sign(step))
        {
            faults.Add($"{file}: the {kind}schedule never ends: it needs {kind}end, or {kind}max-duration");
            return;
        }

        if (total is not null || duration is not null || rate is not null)
            notes.WriteLine($"note: {file}: the {kind}schedule sets the load and how long it takes, so 'total', 'duration' and 'rps' have no effect");
        (total, rate) = (null, null);
        var isLine = isLoad && !isStep;
        duration = Seconds(isLine ? each * ((end - start) / (double)step) : each);
        options.RemoveAll(option => option.StartsWith(isLoad ? "--rate" : "--concurrency", StringComparison.Ordinal));
        Add(isLoad ? "--rate" : "--concurrency", isLine ? $"{start}..{end}" : $"{start}..{end}:{Math.Abs(step)}");

        string Value(string name) => schedules.GetValueOrDefault(kind + name, "");
    }

    /// <summary>Adds the file that a pipeline reads after ghz.</summary>
    void AddOutput()
    {
        switch (output)
        {
            case (null, "summary", _) or (null, null, _):
                break;
            case (null, _, _):
                notes.WriteLine($"note: {output.At}: 'format' has no effect without 'output': the terminal has the figures of this program");
                break;
            case (_, "html", _):
                Add("--html", output.File);
                break;
            case (_, "json" or "pretty" or "csv", _):
                Add("--calls", output.File);
                Add("--calls-format", output.Format == "csv" ? "csv" : CallFile.Json);
                break;
            default:
                faults.Add($"{output.At}: 'output' is written with the 'format' json, pretty, csv or html, and not '{output.Format ?? "summary"}'");
                break;
        }
    }

    static string Seconds(TimeSpan time) => time.TotalSeconds.ToString("0.######", CultureInfo.InvariantCulture) + "s";

    void Add(string name, string value)
    {
        var same = alternatives.FirstOrDefault(names => names.Contains(name)) ?? [name];
        if (!same.Any(IsGiven))
            options.Add(value.Length == 0 ? name : $"{name}={value}");
    }

    bool IsGiven(string name) => Find(given, name) is { } option && given.GetResult(option) is { Implicit: false };

    static Option? Find(ParseResult given, string name) =>
        given.CommandResult.Command.Options.FirstOrDefault(option => option.Name == name || option.Aliases.Contains(name));

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

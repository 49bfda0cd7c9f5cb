using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.Globalization;
using System.Text.RegularExpressions;

namespace ProtoBench.GrpcHost;

/// <summary>Prints default values as users type them: 3s instead of 00:00:03, and commas between the values of a list.</summary>
sealed partial class TypedDefaultsHelp(HelpAction help) : SynchronousCommandLineAction
{
    public static void Use(RootCommand root)
    {
        foreach (var option in root.Options.OfType<HelpOption>().Where(option => option.Action is HelpAction))
            option.Action = new TypedDefaultsHelp((HelpAction)option.Action!);
    }

    // who asks for help has not given the required options yet
    public override bool ClearsParseErrors => true;

    public override int Invoke(ParseResult parseResult)
    {
        var configuration = parseResult.InvocationConfiguration;
        var output = configuration.Output;
        using var text = new StringWriter();
        configuration.Output = text;
        var exitCode = help.Invoke(parseResult);
        configuration.Output = output;
        output.Write(Default().Replace(text.ToString(), found => found.Groups[1].Value + Typed(found.Groups[2].Value) + "]"));
        return exitCode;
    }

    static string Typed(string value) =>
        TimeSpan.TryParseExact(value, "c", CultureInfo.InvariantCulture, out var time) && value.Contains(':', StringComparison.Ordinal)
            ? $"{time.TotalSeconds}s"
            : value.Replace('|', ',');

    // on a narrow terminal, a line break may follow the colon
    [GeneratedRegex(@"(\[default:\s+)([^\]]*)\]")]
    private static partial Regex Default();
}

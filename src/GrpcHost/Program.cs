using System.CommandLine;
using ProtoBench.GrpcHost;
using ProtoBench.GrpcHost.Commands;

var root = new RootCommand(Help.Text)
{
    HostCommand.Create(),
    LoadCommand.Create(),
    RunCommand.Create(),
    SweepCommand.Create(),
    GcModesCommand.Create(),
    SettingsCommand.Create(),
    SettingOptions.Client(),
    WorkerCommand.Create(),
    DriveCommand.Create(),
    MergeCommand.Create(),
};
TypedDefaultsHelp.Use(root);
var parsed = root.Parse(args.Length == 0 ? ["--help"] : args);
if (parsed.Errors.Count > 0)
{
    // the library's own words for an unknown command are "Required command was not provided."; some of its messages are several lines
    var fault = parsed.UnmatchedTokens is [var token, ..]
        ? $"'{token}' is neither a command nor an option here: --help lists them"
        : string.Join(' ', parsed.Errors[0].Message.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
    await Console.Error.WriteLineAsync(fault);
    return ExitCode.Usage;
}

try
{
    // after Ctrl-C: time for calls that are under way, and for the report of what was measured
    return await parsed.InvokeAsync(new() { EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = TimeSpan.FromSeconds(30) });
}
catch (RunException e)
{
    await Console.Error.WriteLineAsync(e.Message);
    return e.ExitCode;
}
catch (Exception e) when (e is IOException or UnauthorizedAccessException)
{
    // the run is done and printed, but a file of it cannot be written
    await Console.Error.WriteLineAsync(e.Message);
    return ExitCode.Failed;
}

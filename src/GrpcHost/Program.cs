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
    // The library's message for an unknown command is "Required command was not provided." Some of its messages have several lines.
    var fault = parsed.UnmatchedTokens is [var token, ..]
        ? $"'{token}' is neither a command nor an option here: --help lists them"
        : string.Join(' ', parsed.Errors[0].Message.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
    await Console.Error.WriteLineAsync(fault);
    return ExitCode.Usage;
}

try
{
    // After Ctrl-C, calls in progress need time to end, and the report of the measured part needs time to be written.
    return await parsed.InvokeAsync(new() { EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = TimeSpan.FromSeconds(30) });
}
catch (RunException e)
{
    await Console.Error.WriteLineAsync(e.Message);
    return e.ExitCode;
}
catch (Exception e) when (e is IOException or UnauthorizedAccessException)
{
    // the run has ended and its report is printed, but one of its files cannot be written
    await Console.Error.WriteLineAsync(e.Message);
    return ExitCode.Failed;
}

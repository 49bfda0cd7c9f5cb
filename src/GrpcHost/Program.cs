using System.CommandLine;
using ProtoBench.GrpcHost;
using ProtoBench.GrpcHost.Commands;

var root = new RootCommand(Help.Text)
{
    HostCommand.Create(),
    LoadCommand.Create(),
    RunCommand.Create(),
    SweepCommand.Create(),
};
var parsed = root.Parse(args.Length == 0 ? ["--help"] : args);
if (parsed.Errors.Count > 0)
{
    await Console.Error.WriteLineAsync(parsed.Errors[0].Message);
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

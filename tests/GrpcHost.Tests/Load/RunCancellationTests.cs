using System.Diagnostics;
using System.Runtime.InteropServices;
using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Tests;

public class RunCancellationTests
{
    const int sigint = 2;

    [Fact]
    public async Task Ctrl_C_ends_the_round_prints_what_was_measured_and_says_partial()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "finds the hosts of a run in /proc");
        var file = Path.GetTempFileName();
        using var run =
            TheProgram.Start("run", "--codec", "raw", "--payload", "empty", "--duration", "500ms", "--rounds", "1000", "--warmup", "0s",
                "--out", file);
        try
        {
            var errors = run.StandardError.ReadToEndAsync();
            var output = await ReadUntilAsync(run, "qps ") + await ReadUntilAsync(run, "Ready to send");
            // Ctrl-C of a terminal reaches the hosts of a run too, and the run still needs them
            var hosts = Children(run);
            Assert.Single(hosts);
            foreach (var process in hosts.Append(run.Id))
                Interrupt(process);
            output += await run.StandardOutput.ReadToEndAsync().WaitAsync(TheProgram.Limit);
            await run.WaitForExitAsync().WaitAsync(TheProgram.Limit);

            Assert.True(run.ExitCode == 130, $"{run.ExitCode}: {await errors}");
            Assert.Contains(" s) partial\n", output, StringComparison.Ordinal);
            Assert.Contains("  note: stopped early: partial\n", output, StringComparison.Ordinal);
            var result = LoadResultFile.Read(file);
            Assert.True(result.Partial);
            var rounds = result.Variants.Single().Rounds;
            Assert.InRange(rounds.Count, 2, 999);
            Assert.Equal(rounds.Count, output.Split("successful rate ").Length - 1);
            Assert.All(rounds, round => Assert.Empty(round.FailedByStatus));
        }
        finally
        {
            if (!run.HasExited)
                run.Kill(entireProcessTree: true);
            File.Delete(file);
        }
    }

    [Fact]
    public async Task A_run_that_was_stopped_before_its_first_round_says_so()
    {
        await using var host = await Host.StartAsync(new() { Payload = HivePayload.Empty() });
        var plan = new LoadPlan { Payload = HivePayload.Empty(), Requests = 10 };
        await using var session = new LoadSession(new(Rpc.RpcTransports.All[0], "google", "threadstatic"), host.Endpoint, plan);
        var refusal =
            await Assert.ThrowsAnyAsync<RunException>(() =>
                new LoadRun(plan, [session], TextWriter.Null).RunAsync(new CancellationToken(canceled: true)));
        Assert.Equal(ExitCode.Stopped, refusal.ExitCode);
    }

    static async Task<string> ReadUntilAsync(Process run, string start)
    {
        var lines = "";
        while (await run.StandardOutput.ReadLineAsync().WaitAsync(TheProgram.Limit) is { } line)
        {
            lines += line + "\n";
            if (line.StartsWith(start, StringComparison.Ordinal))
                return lines;
        }

        throw new InvalidOperationException($"the run ended before it said '{start}':\n{lines}");
    }

    static int[] Children(Process run) =>
        [.. Directory.GetDirectories($"/proc/{run.Id}/task")
            .SelectMany(task => File.ReadAllText(Path.Combine(task, "children")).Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Select(id => int.Parse(id))];

    // One process by its own id: the command of this name takes "-INT -123" for "all processes" in some of its versions.
    static void Interrupt(int process)
    {
        Assert.True(process > 1);
        Assert.Equal(0, Kill(process, sigint));
    }

    [DllImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int Kill(int process, int signal);
}

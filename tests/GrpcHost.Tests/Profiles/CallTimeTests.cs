using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Tests;

public sealed class CallTimeTests : IDisposable
{
    readonly string file = Path.GetTempFileName();

    public void Dispose() => File.Delete(file);

    [Fact]
    public async Task A_sample_counts_for_the_innermost_frame_that_belongs_to_a_part()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "there is no awk");
        const string map = "(perf-7.map)";
        const string google = $"instance void [Google.Protobuf] Google.Protobuf.Collections.RepeatedField`1[X]::WriteTo(X)[Tier1] {map}";
        const string kestrel = $"instance void [Microsoft.AspNetCore.Server.Kestrel.Core] Http2Connection::ProcessFrameAsync() {map}";
        const string copy = "__memmove_evex (/usr/lib/libc.so.6)";
        const string worker = ".NET TP Worker ";
        const string runtime = "[unknown] (/usr/share/dotnet/libcoreclr.so)";
        (string Part, string[] Sample)[] samples =
        [
            ("codec", [worker, copy, google, kestrel]),
            ("framing", [worker, copy, kestrel, google]),
            ("framing", [worker, runtime, "[unknown] (/usr/share/dotnet/Microsoft.AspNetCore.Server.Kestrel.Core.dll)"]),
            ("sockets", [worker, "_copy_from_iter ([kernel.kallsyms])", "tcp_sendmsg_locked ([kernel.kallsyms])", kestrel]),
            ("sockets", [".NET Sockets", $"instance void [System.Net.Sockets] System.Net.Sockets.SocketAsyncEngine::EventLoop() {map}"]),
            ("handover", [worker, "finish_task_switch.isra.0 ([kernel.kallsyms])", "tcp_recvmsg ([kernel.kallsyms])", kestrel]),
            ("handover", [worker, $"instance void [System.Private.CoreLib] System.Threading.ThreadPoolWorkQueue::Dispatch() {map}", kestrel]),
            ("collector", [worker, runtime, "[unknown] (/usr/share/dotnet/libclrgcexp.so)", google]),
            ("collector", [".NET Server GC", "clear_page_erms ([kernel.kallsyms])"]),
            ("handler", [worker, $"instance class X [GrpcHost] ProtoBench.GrpcHost.GoogleHiveService::Answer(class X) {map}", kestrel]),
            ("handler", [worker, $"class [ProtoBench.Messages] X [GrpcHost] ProtoBench.GrpcHost.GoogleHiveService::Make(class X) {map}", kestrel]),
            ("codec", [worker, google, $"instance class X [GrpcHost] ProtoBench.GrpcHost.GoogleHiveService::Answer(class X) {map}"]),
            ("other", [worker, $"instance bool [GrpcHost] ProtoBench.GrpcHost.GoogleHiveService::IsRight(class X) {map}"]),
            ("other", [worker, runtime]),
            ("jit", [".NET Tiered Com", runtime]),
            ("jit", [worker, "[unknown] (/usr/share/dotnet/libclrjit.so)", google]),
        ];
        var profile = samples.SelectMany(sample =>
            sample.Sample.Select((line, i) => i == 0 ? line : $"\t    7f00{i:x8} {line}").Append(""));
        await File.WriteAllLinesAsync(file, profile);
        Assert.Equal(
            samples.GroupBy(sample => sample.Part).Select(group => $"{group.Key} {group.Count()}").Order(StringComparer.Ordinal),
            (await AwkAsync("call-time.awk")).Split('\n', StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task The_picture_of_the_documents_is_that_of_the_saved_table()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "there is no awk");
        var table = SavedTable.Read(Path.Combine(Golden.Root, "results", "intel-r-xeon-r-processor", "CallTime.json"));
        await File.WriteAllTextAsync(file, table.ToMarkdown());
        var picture = await File.ReadAllTextAsync(Path.Combine(Golden.Root, "docs", "results", "call-time.svg"));
        Assert.Equal(picture, await AwkAsync("call-time-picture.awk"));
        var rows = (await File.ReadAllLinesAsync(file)).Where(line => line.StartsWith("| hive", StringComparison.Ordinal)
            || line.StartsWith("| 1KB", StringComparison.Ordinal)).ToList();
        Assert.Equal(8, rows.Count);
        Assert.All(rows, row => Assert.Equal(100,
            row.Split('|').Where(cell => cell.EndsWith(" % ", StringComparison.Ordinal)).Sum(cell => double.Parse(cell.Trim(' ', '%'),
                System.Globalization.CultureInfo.InvariantCulture)), 0.5));
    }

    async Task<string> AwkAsync(string script)
    {
        await using var awk = new ScriptProcess("awk", "-f", Path.Combine(Golden.Root, "eng", script), file);
        var (exitCode, output) = await awk.EndAsync(TheProgram.Limit);
        Assert.True(exitCode == 0, output);
        return output;
    }
}

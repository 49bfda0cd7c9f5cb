using System.ComponentModel;
using System.Diagnostics;
using System.Text;

namespace ProtoBench.Schemas;

/// <summary>Runs the protoc that is copied to the folder of this library.</summary>
static class Protoc
{
    static readonly string folder = Path.Combine(AppContext.BaseDirectory, "protoc");

    /// <summary>Gets the folder with the .proto files of the well-known types.</summary>
    public static string WellKnownTypes { get; } = Path.Combine(folder, "include");

    /// <summary>Runs protoc with <paramref name="input"/> on its standard input.</summary>
    /// <returns>Its standard output.</returns>
    /// <exception cref="SchemaException">Thrown when protoc failed. The message is the first line of its errors.</exception>
    public static async Task<byte[]> RunAsync(IEnumerable<string> arguments, ReadOnlyMemory<byte> input, CancellationToken stop)
    {
        var path = Path.Combine(folder, OperatingSystem.IsWindows() ? "protoc.exe" : "protoc");
        var start = new ProcessStartInfo(path, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardErrorEncoding = Encoding.UTF8,
        };
        using var protoc = Start(start);
        try
        {
            var output = new MemoryStream();
#pragma warning disable CA2025 // both are awaited below, or end with the process, before it is disposed
            var reading = protoc.StandardOutput.BaseStream.CopyToAsync(output, stop);
            var errors = protoc.StandardError.ReadToEndAsync(stop);
#pragma warning restore CA2025
            await FeedAsync(protoc.StandardInput, input, stop);
            await reading;
            var said = await errors;
            await protoc.WaitForExitAsync(stop);
            return protoc.ExitCode == 0 ? output.ToArray() : throw new SchemaException(FirstLine(said));
        }
        finally
        {
            if (!protoc.HasExited)
                protoc.Kill();
        }
    }

    static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception e)
        {
            throw new SchemaException($"protoc cannot be started: {e.Message}", e);
        }
    }

    static async Task FeedAsync(StreamWriter to, ReadOnlyMemory<byte> input, CancellationToken stop)
    {
        try
        {
            await to.BaseStream.WriteAsync(input, stop);
            to.Close();
        }
        catch (IOException)
        {
            // protoc ends before it has read everything if it finds an error, which its exit code and its errors report
        }
    }

    static string FirstLine(string said)
    {
        var lines = said.Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        return lines.FirstOrDefault(line => !line.Contains("warning:", StringComparison.OrdinalIgnoreCase))
            ?? "protoc failed without saying why";
    }
}

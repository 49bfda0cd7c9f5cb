using System.ComponentModel;
using System.Diagnostics;
using ProtoBench.Codec.Generator.Build;

namespace ProtoBench.Schemas;

/// <summary>Runs the protoc that is copied to the folder of this library.</summary>
static class Protoc
{
    static readonly string folder = Path.Combine(AppContext.BaseDirectory, "protoc");

    public static string WellKnownTypes { get; } = Path.Combine(folder, "include");

    /// <exception cref="SchemaException">Thrown when protoc failed. The message is the first line of its errors.</exception>
    public static async Task<byte[]> RunAsync(IEnumerable<string> arguments, ReadOnlyMemory<byte> input, CancellationToken stop)
    {
        try
        {
            var start = new ProcessStartInfo(Path.Combine(folder, OperatingSystem.IsWindows() ? "protoc.exe" : "protoc"), arguments);
            var (exit, output, errors) = await ProtocProcess.RunAsync(start, input, stop);
            return exit == 0 ? output : throw new SchemaException(
                errors.FirstOrDefault(line => !line.Contains("warning:", StringComparison.OrdinalIgnoreCase))
                ?? "protoc failed without saying why");
        }
        catch (Win32Exception e)
        {
            throw new SchemaException($"protoc cannot be started: {e.Message}", e);
        }
    }
}

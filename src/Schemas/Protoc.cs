using System.ComponentModel;
using System.Diagnostics;
using ProtoBench.Codec.Generator.Build;

namespace ProtoBench.Schemas;

/// <summary>Runs the protoc that is copied to the folder of this library.</summary>
static class Protoc
{
    static readonly string folder = Path.Combine(AppContext.BaseDirectory, "protoc");

    /// <summary>The folder with the .proto files of the well-known types.</summary>
    public static string WellKnownTypes { get; } = Path.Combine(folder, "include");

    /// <summary>Runs protoc with <paramref name="input"/> on its standard input.</summary>
    /// <exception cref="SchemaException">protoc failed. The message is the first line of its errors.</exception>
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

using System.Diagnostics;
using System.Text;

namespace ProtoBench.Codec.Generator.Build;

/// <summary>Runs protoc. The project Schemas compiles this file and the reader of descriptors too, so that a .proto file is read in one way
/// in a build and at run time. Schemas does not use the generator's model, which needs a newer Google.Protobuf than the oldest that is
/// measured.</summary>
static class ProtocProcess
{
    /// <param name="arguments">Where protoc is, its arguments, and its working directory.</param>
    /// <param name="input">Its standard input.</param>
    /// <param name="stop">Ends protoc.</param>
    /// <returns>The exit code, the standard output, and the lines of the standard error.</returns>
    /// <exception cref="System.ComponentModel.Win32Exception">protoc cannot be started.</exception>
    public static async Task<(int Exit, byte[] Output, string[] Errors)> RunAsync(ProcessStartInfo arguments,
        ReadOnlyMemory<byte> input = default, CancellationToken stop = default)
    {
        arguments.RedirectStandardInput = arguments.RedirectStandardOutput = arguments.RedirectStandardError = true;
        arguments.StandardErrorEncoding = Encoding.UTF8;
        using var protoc = Process.Start(arguments)!;
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
            return (protoc.ExitCode, output.ToArray(),
                said.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries));
        }
        finally
        {
            if (!protoc.HasExited) protoc.Kill();
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
}

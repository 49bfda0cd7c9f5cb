using System.Diagnostics;
using System.Reflection;

namespace ProtoBench.Testing;

/// <summary>protoc itself as an encoder and decoder: an implementation that shares no code with anything under test.</summary>
static class Protoc
{
    static readonly string path =
        typeof(Protoc).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(fact => fact.Key == "Protoc").Value!;

    public static byte[] Encode(string proto, string message, string text) =>
        Run($"--encode={message}", proto, System.Text.Encoding.UTF8.GetBytes(text));

    public static string Decode(string proto, string message, byte[] wire) =>
        System.Text.Encoding.UTF8.GetString(Run($"--decode={message}", proto, wire));

    static byte[] Run(string verb, string proto, byte[] input) =>
        RunAsync(verb, proto, input).WaitAsync(TimeSpan.FromMinutes(5)).GetAwaiter().GetResult();

    static async Task<byte[]> RunAsync(string verb, string proto, byte[] input)
    {
        var start = new ProcessStartInfo(path, [verb, "--proto_path=" + Path.Combine(Golden.Root, "protos"), proto])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var protoc = Process.Start(start)!;
        var output = new MemoryStream();
        var reading = protoc.StandardOutput.BaseStream.CopyToAsync(output);
        var errors = protoc.StandardError.ReadToEndAsync();
        await protoc.StandardInput.BaseStream.WriteAsync(input);
        protoc.StandardInput.Close();
        await reading;
        var said = await errors;
        await protoc.WaitForExitAsync();
        Assert.True(protoc.ExitCode == 0, said);
        return output.ToArray();
    }
}

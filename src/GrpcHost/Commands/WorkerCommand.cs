using System.CommandLine;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace ProtoBench.GrpcHost;

static class WorkerCommand
{
    public static Command Create()
    {
        var listen = Arguments.Option(
            "--listen", "the IP address to bind; 0.0.0.0 accepts drivers and clients from other machines", byDefault: "127.0.0.1");
        // workers of other languages have the names with underscores
        var driverPort = Arguments.Option("--driver-port --driver_port", "the port for the driver; 0 is a free one", Arguments.Port, 10000);
        var serverPort = Arguments.Option<int?>(
            "--server-port --server_port", "the port of the server under load, in place of the one that the driver asks for",
            result => Arguments.Port(result));
        var certificate = Arguments.Option<string?>(
            "--certificate", "the certificate of a server with TLS, as a PEM file; without it one is created for each server");
        var key = Arguments.Option<string?>("--key", "the private key of --certificate, as a PEM file");
        var hdr = Arguments.Option<string?>("--hdr", "appends the histogram of each client, with three digits, to an HdrHistogram log");
        var untilStdinEnds = new Option<bool>("--until-stdin-ends") { Hidden = true };
        var command = new Command("worker", "Waits for a driver of gRPC's own benchmarks, and is its server or client, until QuitWorker.")
        {
            listen, driverPort, serverPort, certificate, key, hdr, untilStdinEnds,
        };
        command.SetAction(async (parsed, cancellationToken) =>
        {
            if (parsed.GetValue(hdr) is { } file)
                ResultFiles.Check(file);
            using var pem = Certificate(parsed.GetValue(certificate), parsed.GetValue(key));
            var settings = new WorkerSettings(
                parsed.GetValue(listen)!, parsed.GetValue(driverPort), parsed.GetValue(serverPort), pem, parsed.GetValue(hdr));
            await using var worker = await Worker.StartAsync(settings, Console.Out);
            await Console.Out.WriteLineAsync(ChildProcess.Announce(worker.Endpoint));
            await Console.Out.FlushAsync(cancellationToken);
            await Task.WhenAny(
                worker.Quit,
                parsed.GetValue(untilStdinEnds)
                    ? ChildProcess.ParentEndsAsync() : Task.Delay(Timeout.Infinite, cancellationToken));
            return ExitCode.Done;
        });
        return command;
    }

    static X509Certificate2? Certificate(string? certificate, string? key)
    {
        if (certificate is null && key is null)
            return null;
        if (certificate is null || key is null)
            throw new UsageException("--certificate and --key go together");
        try
        {
            return X509Certificate2.CreateFromPemFile(certificate, key);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException or ArgumentException)
        {
            throw new UsageException($"{certificate} and {key}: {e.Message}", e);
        }
    }
}

using System.IO.Compression;
using Grpc.Net.Compression;

namespace ProtoBench.Rpc;

/// <summary>What Kestrel, SocketsHttpHandler and grpc-dotnet can be told. Null leaves a setting as the stack has it. The transports on
/// grpc-dotnet apply all of it; <c>http2</c> and <c>http1</c> only what belongs to Kestrel and SocketsHttpHandler, and <c>socket</c>
/// nothing.</summary>
public sealed record RpcTuning
{
    /// <summary>The names of <see cref="Compression"/>.</summary>
    public static IReadOnlyList<string> Compressions { get; } = ["gzip", "deflate", BrotliCompression.Name];

    /// <summary>Kestrel's windows of HTTP/2 in bytes, for a stream and for a connection: at least 65,535.</summary>
    public int? ServerWindow { get; init; }

    /// <summary>The window with which a client's stream begins, in bytes: 65,535 to 16 MiB. SocketsHttpHandler enlarges it where the round
    /// trip and the transfer call for it.</summary>
    public int? ClientWindow { get; init; }

    /// <summary>Whether a client opens another connection when the streams of the first are used up.</summary>
    public bool? MultipleConnections { get; init; }

    /// <summary>Whether Kestrel runs its code on the thread that waits for the sockets. A handler that blocks it blocks other
    /// connections.</summary>
    public bool InlineScheduling { get; init; }

    /// <summary>The queues over which Kestrel spreads its connections; 0 is the thread pool alone.</summary>
    public int? IoQueues { get; init; }

    /// <summary>How messages are compressed in both directions, by a name of <see cref="Compressions"/>; null for not at all.</summary>
    public string? Compression { get; init; }

    /// <summary>Whether a client has a retry policy: up to three attempts of a call that ends with UNAVAILABLE.</summary>
    public bool Retries { get; init; }

    /// <summary>What is set, in words; null for nothing.</summary>
    public string? InWords
    {
        get
        {
            string?[] parts =
            [
                ServerWindow is { } server ? $"Kestrel's windows of {server} bytes" : null,
                ClientWindow is { } client ? $"client's windows of {client} bytes at first" : null,
                MultipleConnections is { } several ? $"{(several ? "more connections when streams run out" : "one connection")}" : null,
                InlineScheduling ? "UnsafePreferInlineScheduling" : null,
                IoQueues is { } queues ? $"IOQueueCount {queues}" : null,
                Compression,
                Retries ? "a retry policy" : null,
            ];
            var text = string.Join(", ", parts.OfType<string>());
            return text.Length == 0 ? null : text;
        }
    }
}

/// <summary>Brotli, which grpc-dotnet does not bring. Gzip and deflate are its own.</summary>
sealed class BrotliCompression : ICompressionProvider
{
    public const string Name = "br";

    public string EncodingName => Name;

    public Stream CreateCompressionStream(Stream stream, CompressionLevel? compressionLevel) =>
        new BrotliStream(stream, compressionLevel ?? CompressionLevel.Fastest, leaveOpen: true);

    public Stream CreateDecompressionStream(Stream stream) => new BrotliStream(stream, CompressionMode.Decompress, leaveOpen: true);
}

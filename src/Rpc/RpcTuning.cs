using System.IO.Compression;
using Grpc.Net.Compression;

namespace ProtoBench.Rpc;

/// <summary>Represents settings of Kestrel, SocketsHttpHandler and grpc-dotnet. Null keeps the value of the stack. The transports on
/// grpc-dotnet apply all settings. <c>http2</c> and <c>http1</c> apply those of Kestrel and SocketsHttpHandler only, and <c>socket</c>
/// applies none.</summary>
public sealed record RpcTuning
{
    /// <summary>Gets the valid values of <see cref="Compression"/>.</summary>
    public static IReadOnlyList<string> Compressions { get; } = ["gzip", "deflate", BrotliCompression.Name];

    /// <summary>Kestrel's HTTP/2 windows in bytes, for a stream and for a connection: at least 65,535.</summary>
    public int? ServerWindow { get; init; }

    /// <summary>The initial window of a client's stream in bytes: 65,535 to 16 MiB. SocketsHttpHandler enlarges it when round trip and
    /// transfer rate need it.</summary>
    public int? ClientWindow { get; init; }

    /// <summary>Whether a client opens another connection when the streams of the first are used up.</summary>
    public bool? MultipleConnections { get; init; }

    /// <summary>Whether Kestrel runs its code on the thread that waits for the sockets. A handler that blocks this thread then also blocks
    /// other connections.</summary>
    public bool InlineScheduling { get; init; }

    /// <summary>The number of queues over which Kestrel distributes its connections; 0 for the thread pool alone.</summary>
    public int? IoQueues { get; init; }

    /// <summary>The compression of messages in both directions, one of <see cref="Compressions"/>; null for none.</summary>
    public string? Compression { get; init; }

    /// <summary>Whether a client has a retry policy: up to three attempts of a call that ends with UNAVAILABLE.</summary>
    public bool Retries { get; init; }

    /// <summary>Gets a text with the settings that are not null; null for none.</summary>
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

/// <summary>Represents Brotli, which grpc-dotnet does not include. It includes gzip and deflate.</summary>
sealed class BrotliCompression : ICompressionProvider
{
    public const string Name = "br";

    public string EncodingName => Name;

    public Stream CreateCompressionStream(Stream stream, CompressionLevel? compressionLevel) =>
        new BrotliStream(stream, compressionLevel ?? CompressionLevel.Fastest, leaveOpen: true);

    public Stream CreateDecompressionStream(Stream stream) => new BrotliStream(stream, CompressionMode.Decompress, leaveOpen: true);
}

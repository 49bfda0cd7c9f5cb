using System.IO.Compression;
using Grpc.Net.Compression;

namespace ProtoBench.Rpc;

/// <summary>The limits of what a transport accepts. Every transport enforces them exactly.</summary>
public sealed record RpcLimits
{
    /// <summary>Kestrel, SocketsHttpHandler and grpc-dotnet keep their own values. The limits of this type do not apply.</summary>
    public static RpcLimits LibraryDefaults { get; } = new() { AreLibraryDefaults = true };

    /// <summary>The largest message that is read, in bytes, without the frame around it. A larger one ends its call, and no other, with
    /// RESOURCE_EXHAUSTED. 4 MiB is the default of gRPC implementations.</summary>
    public int MaxReceiveBytes { get; init; } = 4 * 1024 * 1024;

    /// <summary>The highest number of concurrent calls on one connection. HttpClient queues calls beyond the limit, which distorts their
    /// latencies; the socket transport's server refuses them with RESOURCE_EXHAUSTED. 100 is Kestrel's default. Kestrel closes a connection
    /// that opens and resets streams when twice this number are still in progress, so a higher limit weakens this protection.</summary>
    public int MaxStreamsPerConnection { get; init; } = 100;

    /// <summary>Bytes that a host holds, over all calls, of messages of which a part has arrived, without the frames around them. A call
    /// that would exceed it ends with RESOURCE_EXHAUSTED. Complete messages do not count. Clients have no such limit.</summary>
    public long MaxPartialBytes { get; init; } = 512L * 1024 * 1024;

    /// <summary>How long a host waits for the rest of a message of which a part has arrived. It then ends the call with RESOURCE_EXHAUSTED.
    /// This happens at most twice this time after the first part.</summary>
    public TimeSpan PartialTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Bytes that a host on Kestrel holds for one connection, most of them responses that the peer does not read. Above it, calls
    /// on this connection end with UNAVAILABLE. Each call that runs at that moment may add one more response.</summary>
    public long MaxBufferedBytesPerConnection { get; init; } = 256L * 1024 * 1024;

    /// <summary>The same limit over all connections. While a host holds more, all calls end with UNAVAILABLE.</summary>
    public long MaxBufferedBytes { get; init; } = 1024L * 1024 * 1024;

    /// <summary>How long a host on Kestrel keeps a connection without a call in progress, or one that has not sent its first bytes. A
    /// client is idle between two rounds of a run, and it does not ping: gRPC servers end connections that ping while idle (grpc/grpc,
    /// doc/keepalive.md).</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromHours(1);

    /// <summary>How long a host on Kestrel keeps responses that the peer does not read, or parts of requests that no handler reads. A
    /// connection that holds more than 256 KiB for this time is closed, at most twice this time after the first byte. Kestrel's minimum
    /// data rate for responses does not apply while an HTTP/2 window is closed.</summary>
    public TimeSpan UnreadTimeout { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>How long a server waits for calls in progress when it is disposed: see <see cref="IRpcServer"/>.</summary>
    public TimeSpan ShutdownTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>The settings of the libraries that a run changes. They also apply to <see cref="LibraryDefaults"/>.</summary>
    public RpcTuning Tuning { get; init; } = new();

    internal bool AreLibraryDefaults { get; private init; }
}

/// <summary>Null keeps the value of the stack. The transports on grpc-dotnet apply all settings, <c>http2</c> and <c>http1</c> those of
/// Kestrel and SocketsHttpHandler, and <c>socket</c> none.</summary>
public sealed record RpcTuning
{
    /// <summary>The valid values of <see cref="Compression"/>.</summary>
    public static IReadOnlyList<string> Compressions { get; } = ["gzip", "deflate", BrotliCompression.Name];

    /// <summary>Kestrel's HTTP/2 windows in bytes, for a stream and for a connection: at least 65,535.</summary>
    public int? ServerWindow { get; init; }

    /// <summary>A client's initial stream window in bytes: 65,535 to 16 MiB. SocketsHttpHandler enlarges it when needed.</summary>
    public int? ClientWindow { get; init; }

    /// <summary>Whether a client opens another connection when the streams of the first are used up.</summary>
    public bool? MultipleConnections { get; init; }

    /// <summary>Kestrel runs on the thread that waits for the sockets: a handler that blocks it blocks other connections too.</summary>
    public bool InlineScheduling { get; init; }

    /// <summary>The number of queues over which Kestrel distributes its connections; 0 for the thread pool alone.</summary>
    public int? IoQueues { get; init; }

    /// <summary>The compression of messages in both directions, one of <see cref="Compressions"/>; null for none.</summary>
    public string? Compression { get; init; }

    /// <summary>Whether a client has a retry policy: up to three attempts of a call that ends with UNAVAILABLE. With grpc-dotnet 2.85 some
    /// calls with a stream of requests then never end (eng/upstream/grpc-dotnet-request-streams).</summary>
    public bool Retries { get; init; }

    /// <summary>After how long a silence a client asks with a PING, and how long it waits for the answer: at least a second. Only while
    /// calls are in progress, because servers end connections that ping when idle. Null for never.</summary>
    public TimeSpan? KeepAlive { get; init; }

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
                KeepAlive is { } silence ? $"a PING after {silence.TotalSeconds:0.###} s without a byte" : null,
            ];
            var text = string.Join(", ", parts.OfType<string>());
            return text.Length == 0 ? null : text;
        }
    }
}

sealed class BrotliCompression : ICompressionProvider
{
    public const string Name = "br";

    public string EncodingName => Name;

    public Stream CreateCompressionStream(Stream stream, CompressionLevel? compressionLevel) =>
        new BrotliStream(stream, compressionLevel ?? CompressionLevel.Fastest, leaveOpen: true);

    public Stream CreateDecompressionStream(Stream stream) => new BrotliStream(stream, CompressionMode.Decompress, leaveOpen: true);
}

using System.Diagnostics;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Threading.Tasks.Sources;
using Grpc.Core;

namespace ProtoBench.GrpcHost;

/// <summary>The socket of a connection, with or without TLS. It never blocks once it is open. Not thread-safe.</summary>
/// <param name="socket">The connected socket, which this object owns.</param>
class Http2Link(Socket socket, RpcEndpoint endpoint) : IDisposable
{
    static readonly TimeSpan patience = TimeSpan.FromSeconds(10);

    public Socket Socket => socket;

    public RpcEndpoint Endpoint => endpoint;

    public virtual string? Tls => null;

    /// <summary>Which of the endpoint's addresses it is; null if the endpoint has none.</summary>
    public IPEndPoint? Address { get; private set; }

    public TimeSpan ConnectTime { get; private set; }

    /// <summary>Whether there may be bytes that were read from the socket and not received yet.</summary>
    public virtual bool Buffers => false;

    /// <summary>Whether there are bytes that were sent and not written to the socket yet.</summary>
    public virtual bool HasUnsent => false;

    /// <summary>Opens a connection. Blocks for at most ten seconds for each wait, except for the resolution of a name.</summary>
    /// <exception cref="RpcException">Thrown when no server answers, or the server is not the expected one.</exception>
    public static Http2Link Open(RpcEndpoint endpoint)
    {
        if (endpoint.Addresses is not { } addresses)
            return Open(endpoint, null);
        foreach (var address in addresses.SkipLast(1))
        {
            try
            {
                return Open(endpoint, address);
            }
            catch (RpcException)
            {
                // the next address may answer
            }
        }

        return Open(endpoint, addresses[^1]);
    }

    static Http2Link Open(RpcEndpoint endpoint, IPEndPoint? address)
    {
        var began = Stopwatch.GetTimestamp();
        var socket = endpoint.UnixSocket is null
            ? new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true }
            : new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            // The connection uses no asynchronous operations, because these would wake the runtime's socket thread for each receive.
            using (new Timer(_ => socket.Dispose(), null, patience, Timeout.InfiniteTimeSpan))
            {
                if (address is not null)
                    socket.Connect(address);
                else if (endpoint.UnixSocket is { } path)
                    socket.Connect(new UnixDomainSocketEndPoint(path));
                else
                    socket.Connect(endpoint.Host, endpoint.Port);
            }

            var link = endpoint.Tls ? TlsLink.Authenticate(socket, endpoint, patience) : new Http2Link(socket, endpoint);
            socket.Blocking = false;
            link.Address = address;
            link.ConnectTime = Stopwatch.GetElapsedTime(began);
            return link;
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            socket.Dispose();
            var cause = e as SocketException ?? new SocketException((int)SocketError.TimedOut);
            throw TransportFailure.OfConnection(new IOException(e.Message, cause), endpoint)!;
        }
        catch (Exception e) when (e is AuthenticationException or IOException)
        {
            socket.Dispose();
            throw TransportFailure.OfConnection(
                new HttpRequestException(HttpRequestError.SecureConnectionError, inner: e), endpoint)!;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <returns>Their number; 0 at the end of the connection, -1 if there are none now.</returns>
    public virtual int Receive(Span<byte> target)
    {
        var received = socket.Receive(target, SocketFlags.None, out var error);
        return error switch
        {
            SocketError.Success => received,
            SocketError.WouldBlock => -1,
            _ => throw new SocketException((int)error),
        };
    }

    public virtual int Send(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty)
            return 0;
        var sent = socket.Send(bytes, SocketFlags.None, out var error);
        return error switch
        {
            SocketError.Success => sent,
            SocketError.WouldBlock => 0,
            _ => throw new SocketException((int)error),
        };
    }

    public virtual void Dispose()
    {
        socket.Dispose();
        GC.SuppressFinalize(this);
    }
}

/// <summary>The reads of SslStream wait until the loop has found bytes on the socket, and continue in the loop's thread.</summary>
sealed class TlsLink : Http2Link
{
    // a TLS record has at most 16 KiB
    readonly byte[] plain = new byte[16 * 1024];
    readonly SocketStream records;
    readonly SslStream secure;
    ValueTask<int> reading;
    bool isReading;
    int start;
    int end;

    TlsLink(Socket socket, RpcEndpoint endpoint, SocketStream records, SslStream secure)
        : base(socket, endpoint)
    {
        (this.records, this.secure) = (records, secure);
        Tls = $"{secure.SslProtocol} {secure.NegotiatedCipherSuite}";
    }

    public override string Tls { get; }

    public override bool Buffers => true;

    public override bool HasUnsent => records.HasUnsent;

    public static TlsLink Authenticate(Socket socket, RpcEndpoint endpoint, TimeSpan patience)
    {
        (socket.ReceiveTimeout, socket.SendTimeout) = ((int)patience.TotalMilliseconds, (int)patience.TotalMilliseconds);
        var records = new SocketStream(socket);
        var secure = new SslStream(records);
        try
        {
            var options = new SslClientAuthenticationOptions { ApplicationProtocols = [SslApplicationProtocol.Http2] };
            HttpConnection.SetTrust(options, endpoint);
            secure.AuthenticateAsClient(options);
            if (secure.NegotiatedApplicationProtocol != SslApplicationProtocol.Http2)
                throw new AuthenticationException("the server does not offer HTTP/2 (ALPN h2)");
            return new(socket, endpoint, records, secure);
        }
        catch
        {
            secure.Dispose();
            throw;
        }
    }

    public override int Receive(Span<byte> target)
    {
        if (start == end)
        {
            if (isReading)
                records.GoOn();
            else
#pragma warning disable CA2012 // the result is awaited once, when it is completed
                (reading, isReading) = (secure.ReadAsync(plain), true);
#pragma warning restore CA2012
            if (!reading.IsCompleted)
                return -1;
            isReading = false;
            (start, end) = (0, reading.Result);
            if (end == 0)
                return 0;
        }

        var part = plain.AsSpan(start, Math.Min(end - start, target.Length));
        part.CopyTo(target);
        start += part.Length;
        return part.Length;
    }

    public override int Send(ReadOnlySpan<byte> bytes)
    {
        // encrypted bytes must be sent, so nothing more is encrypted while the socket is full
        records.Flush();
        if (HasUnsent)
            return 0;
        if (!bytes.IsEmpty)
            secure.Write(bytes);
        return bytes.Length;
    }

    public override void Dispose()
    {
        secure.Dispose();
        base.Dispose();
    }

    sealed class SocketStream(Socket socket) : Stream, IValueTaskSource<int>
    {
        ManualResetValueTaskSourceCore<int> arrived; // continues in the thread that completes it
        Memory<byte> wanted;
        bool isWaiting;
        byte[] unsent = new byte[64 * 1024];
        int start;
        int end;

        public bool HasUnsent => end > start;

        public override bool CanRead => true;

        public override bool CanWrite => true;

        public override bool CanSeek => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        /// <summary>Continues a waiting read, because bytes may have arrived.</summary>
        public void GoOn()
        {
            if (!isWaiting || TryRead(wanted.Span) is not { } read)
                return;
            isWaiting = false;
            arrived.SetResult(read);
        }

        /// <summary>Reads with blocking, during the handshake.</summary>
        public override int Read(Span<byte> buffer)
        {
            try
            {
                return socket.Receive(buffer, SocketFlags.None);
            }
            catch (SocketException e)
            {
                throw new IOException(e.Message, e);
            }
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (TryRead(buffer.Span) is { } read)
                return new(read);
            arrived.Reset();
            (wanted, isWaiting) = (buffer, true);
            return new(this, arrived.Version);
        }

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            if (unsent.Length - end < buffer.Length)
                Array.Resize(ref unsent, Math.Max(2 * unsent.Length, end + buffer.Length));
            buffer.CopyTo(unsent.AsSpan(end));
            end += buffer.Length;
            Flush();
        }

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override void Flush()
        {
            while (HasUnsent)
            {
                var sent = socket.Send(unsent.AsSpan(start, end - start), SocketFlags.None, out var error);
                if (error is not (SocketError.Success or SocketError.WouldBlock))
                    throw new IOException("the connection is lost", new SocketException((int)error));
                start += sent;
                if (sent == 0)
                    return;
            }

            (start, end) = (0, 0);
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        int IValueTaskSource<int>.GetResult(short token) => arrived.GetResult(token);

        ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => arrived.GetStatus(token);

        void IValueTaskSource<int>.OnCompleted(
            Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
            arrived.OnCompleted(continuation, state, token, flags);

        int? TryRead(Span<byte> target)
        {
            var read = socket.Receive(target, SocketFlags.None, out var error);
            return error switch
            {
                SocketError.Success => read,
                SocketError.WouldBlock => null,
                _ => throw new IOException("the connection is lost", new SocketException((int)error)),
            };
        }
    }
}

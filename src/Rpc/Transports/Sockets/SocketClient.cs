using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Clients;
using ProtoBench.Rpc.Connections;

namespace ProtoBench.Rpc.Transports.Sockets;

/// <summary>The client of <see cref="SocketServer"/>: one connection, opened by
/// the first call, and again by the first call after it was lost.</summary>
public sealed class SocketClient(RpcEndpoint endpoint, RpcLimits? limits = null) : IRpcClient
{
    readonly RpcLimits limits = limits ?? new();
    readonly ConcurrentDictionary<string, byte[]> paths = new(StringComparer.Ordinal);
    readonly SemaphoreSlim opening = new(1, 1);
    SocketSession? session;
    RpcConnectionFacts facts = new();

    /// <inheritdoc/>
    public RpcConnectionFacts Connection => Volatile.Read(ref facts);

    /// <inheritdoc/>
    public async ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, TRequest request, RpcCallOptions? call = null, CancellationToken cancellationToken = default)
    {
        if (call?.Headers is { Entries: [_, ..] })
            throw new RpcException(RpcStatus.Unimplemented, "this transport carries no metadata");
        using var deadline = CallDeadline.Start(call?.Timeout, cancellationToken);
        try
        {
            var open = session is { IsOpen: true } current ? current : await OpenAsync(deadline.Token);
            return await open.CallAsync(paths.GetOrAdd(method.Path, Encode), method, request, deadline.Token);
        }
        catch (Exception e) when (e is not RpcException)
        {
            // HttpClient, for which these words were made, wraps what the socket and TLS throw
            throw TransportFailure.ToRpc(e is SocketException or AuthenticationException ? new IOException(e.Message, e) : e, deadline,
                endpoint);
        }
    }

    /// <inheritdoc/>
    public IRpcStream<TRequest, TResponse> Stream<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, RpcCallOptions? call = null, CancellationToken cancellationToken = default) =>
        throw new RpcException(RpcStatus.Unimplemented, "this transport has no streams");

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (session is { } open)
            await open.DisposeAsync();
        opening.Dispose();
    }

    static byte[] Encode(string path)
    {
        var bytes = Encoding.UTF8.GetBytes(path);
        return bytes.Length <= byte.MaxValue
            ? bytes : throw new RpcException(RpcStatus.InvalidArgument, "a method's path has at most 255 bytes");
    }

    async ValueTask<SocketSession> OpenAsync(CancellationToken cancellationToken)
    {
        await opening.WaitAsync(cancellationToken);
        try
        {
            if (session is { IsOpen: true } opened)
                return opened;
            var began = Stopwatch.GetTimestamp();
            var socket = endpoint.UnixSocket is null
                ? new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true }
                : new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            try
            {
                if (endpoint.UnixSocket is { } path)
                    await socket.ConnectAsync(new UnixDomainSocketEndPoint(path), cancellationToken);
                else
                    await socket.ConnectAsync(endpoint.Host, endpoint.Port, cancellationToken);
                Stream stream = new NetworkStream(socket, ownsSocket: true);
                string? tls = null;
                if (endpoint.Thumbprint is not null)
                    (stream, tls) = await SecureAsync(stream, cancellationToken);
                facts = facts with
                {
                    Protocol = "socket",
                    Opened = facts.Opened + 1,
                    ConnectTime = Stopwatch.GetElapsedTime(began),
                    Tls = tls
                };
                return session = new(new(socket, stream, limits));
            }
            catch
            {
                socket.Dispose();
                throw;
            }
        }
        finally
        {
            opening.Release();
        }
    }

    async Task<(Stream Stream, string Tls)> SecureAsync(Stream stream, CancellationToken cancellationToken)
    {
        var secure = new SslStream(stream);
        try
        {
            await secure.AuthenticateAsClientAsync(
                new SslClientAuthenticationOptions
                {
                    TargetHost = endpoint.Host,
                    // neither chain nor name is asked: the certificate is this one, or it is refused
                    RemoteCertificateValidationCallback = (_, certificate, _, _) =>
                        certificate is not null
                        && string.Equals(SelfSignedCertificate.Thumbprint(certificate), endpoint.Thumbprint,
                            StringComparison.OrdinalIgnoreCase),
                },
                cancellationToken);
            return (secure, $"{secure.SslProtocol} {secure.NegotiatedCipherSuite}");
        }
        catch
        {
            await secure.DisposeAsync();
            throw;
        }
    }
}

using System.Net.Sockets;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>A connection that opens streams and resets them at once (CVE-2023-44487).</summary>
public class RapidResetTests
{
    const string path = "/acme.Orders/Watch";
    const int cancel = 8;
    const int ack = 1;

    /// <summary>The handlers do not end with their streams. So the number of streams until Kestrel closes the connection does not depend on
    /// the speed of the machine: twice those that may be open, and 20 that are refused with ENHANCE_YOUR_CALM.</summary>
    [Fact]
    public async Task The_host_closes_the_connection_after_a_bounded_number_of_streams()
    {
        const int bound = 1_000;
        const int perPing = 20;
        var released = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var method = new RpcMethod<ReadOnlyMemory<byte>, ReadOnlyMemory<byte>>(path, new BytesMarshaller(), new BytesMarshaller());
        await using var host = await Host.StartAsync(new()
        {
            Payload = HivePayload.Empty(),
            Prepared = RpcHandler.Stream(method, async _ => await released.Task),
        });
        try
        {
            using var peer = new FramePeer(await ConnectAsync(host.Endpoint));
            await peer.WriteAsync(FramePeer.Preface);
            await peer.SendAsync(Frames.Settings, 0, 0);
            var streams = 0;
            while (streams < bound && await IsOpenAsync(peer, streams, perPing))
                streams += perPing;
            Assert.InRange(streams, 2 * new RpcLimits().MaxStreamsPerConnection, bound - perPing);

            await using var other = new GrpcDotnetClient(host.Endpoint);
            Assert.Equal(2, (await other.UnaryAsync(ControlService.Snapshot, new SnapshotRequest())).Connections);
        }
        finally
        {
            released.SetResult();
        }
    }

    /// <summary>A ping, which the host reads after the streams, says whether the connection is open.</summary>
    static async Task<bool> IsOpenAsync(FramePeer peer, int before, int streams)
    {
        byte[] headers =
        [
            .. Frames.Header(":method", "POST"), .. Frames.Header(":scheme", "http"), .. Frames.Header(":path", path),
            .. Frames.Header(":authority", "localhost"), .. Frames.Header("te", "trailers"),
            .. Frames.Header("content-type", "application/grpc"),
        ];
        try
        {
            for (var i = before; i < before + streams; i++)
            {
                await peer.SendAsync(Frames.Headers, Frames.EndHeaders, (2 * i) + 1, headers);
                await peer.SendAsync(Frames.Reset, 0, (2 * i) + 1, Frames.Number(cancel));
            }

            await peer.SendAsync(Frames.Ping, 0, 0, new byte[8]);
            while (await peer.ReadFrameAsync() is { } frame)
            {
                if (frame is { Type: Frames.Ping, Flags: ack })
                    return true;
            }
        }
        catch (IOException)
        {
            // the host has closed the connection
        }

        return false;
    }

    static async Task<Socket> ConnectAsync(RpcEndpoint endpoint)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(endpoint.Host, endpoint.Port);
        return socket;
    }
}

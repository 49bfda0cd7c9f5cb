using System.Net.Sockets;
using ProtoBench.GrpcHost;

namespace ProtoBench.Fuzz;

/// <summary>An input is what a server sends. The load client throws nothing, ends each call once, and keeps no more than its limits. The
/// first byte chooses how many bytes arrive at a time.</summary>
static class Http2Target
{
    const int maxReplyBytes = 1 << 20;

    static readonly IReadOnlyList<(string, string)> headers =
    [
        (":method", "POST"), (":scheme", "http"), (":path", "/acme.Orders/Place"), (":authority", "localhost"), ("te", "trailers"),
        ("content-type", "application/grpc"),
    ];

    public static void Run(byte[] input)
    {
        if (input.Length == 0) return;
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        var link = new Bytes(socket, input[1..], input[0] == 0 ? int.MaxValue : input[0]);
        var ended = new HashSet<Http2Call>();
        using var connection = new Http2Connection(link, maxReplyBytes, call =>
        {
            if (!ended.Add(call)) throw new FindingException("a call ended twice");
        });
        connection.Open();
        var calls = Enumerable.Range(0, 4).Select(i =>
            new Http2Call { Headers = headers, Request = new byte[30_000 * i], IsStreaming = i % 2 != 0, KeepsReply = i > 1 }).ToList();
        foreach (var call in calls) connection.Begin(call);
        while (connection.Lost is null)
        {
            connection.Flush();
            connection.Receive();
        }

        if (connection.InProgress != 0 || ended.Count != calls.Count) throw new FindingException($"{connection.InProgress} calls never end");
        if (calls.Any(call => call.Reply.Length > input.Length)) throw new FindingException("a reply has more bytes than arrived");
    }

    sealed class Bytes(Socket socket, byte[] input, int step) : Http2Link(socket, new() { Host = "localhost", Port = 1 })
    {
        int at;

        public override int Receive(Span<byte> target)
        {
            var length = Math.Min(Math.Min(step, target.Length), input.Length - at);
            input.AsSpan(at, length).CopyTo(target);
            at += length;
            return length;
        }

        public override int Send(ReadOnlySpan<byte> bytes) => Math.Min(bytes.Length, Math.Max(step, 1000));
    }
}

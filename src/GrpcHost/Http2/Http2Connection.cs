using System.Buffers;
using System.Buffers.Binary;
using System.Net.Sockets;
using System.Text;
using Grpc.Core;

namespace ProtoBench.GrpcHost;

/// <summary>Specifies the codes of RST_STREAM and GOAWAY (RFC 9113, section 7).</summary>
enum Http2Error
{
    None = 0,
    Protocol = 1,
    FlowControl = 3,
    FrameSize = 6,
    RefusedStream = 7,
    Cancel = 8,
    Compression = 9,
    EnhanceYourCalm = 11,
}

/// <summary>Thrown when the peer violates the protocol. The connection cannot be used any more.</summary>
sealed class Http2Exception(Http2Error error, string message) : Exception(message)
{
    public Http2Error Error => error;
}

/// <summary>A client's HTTP/2 connection for gRPC calls. It never blocks. Its owner calls <see cref="Receive"/> when bytes have arrived and
/// <see cref="Flush"/> after calls were begun. A successful call allocates nothing. Not thread-safe.</summary>
/// <param name="link">The connection, which this object owns.</param>
/// <param name="ended">Called once for each call when it has ended. It must not begin calls.</param>
/// <param name="keepAlive">See <see cref="RpcTuning.KeepAlive"/>.</param>
sealed class Http2Connection(Http2Link link, int maxReplyBytes, Action<Http2Call> ended, TimeSpan? keepAlive = null) : IDisposable
{
    /// <summary>The number of bytes that the peer may send on a stream before it must wait.</summary>
    public const int StreamWindow = 1024 * 1024;

    /// <summary>The number of bytes that the peer may send on all streams before it must wait.</summary>
    public const int ConnectionWindow = 64 * 1024 * 1024;

    public const string DeadlinePassed = "the deadline has passed";

    const int defaultWindow = 65_535;
    // in nanoseconds
    const long pingPatience = 1_000_000_000;

    // servers end connections with more pings (grpc/grpc, doc/keepalive.md), and a slow one would get one for each call
    const long betweenPings = 10_000_000_000;

    // the least that a server should take (RFC 9113, section 6.5.2); it resets streams beyond its limit, and their calls would fail
    const int streamsBeforeSettings = 100;
    internal const int NoStatus = -1;
    const int head = 9;
    const int mostPerFrame = 16 * 1024;
    const int mostHeaderBytes = 64 * 1024;
    const int mostHeaderFrames = 64;
    const int mostReceives = 16;
    const int mostSends = 4;

    // enough for one send; more frames are created when these bytes are sent
    const int enoughOutput = 256 * 1024;

    // the limit of answers to pings and settings, for a peer that does not read them
    const int mostOutput = 4 * enoughOutput;

    readonly Dictionary<int, Http2Call> open = [];
    readonly Queue<(Http2Call Call, int Use)> waiting = [];
    readonly Queue<(Http2Call Call, int Use)> blocked = [];
    readonly HpackDecoder decoder = new();
    readonly HpackEncoder encoder = new();
    readonly ArrayBufferWriter<byte> differing = new();
    readonly byte[] input = new byte[256 * 1024];
    byte[] output = new byte[64 * 1024];
    int inputStart;
    int inputEnd;
    int outputStart;
    int outputEnd;

    Http2Call? oldest;
    Http2Call? youngest;
    int nextStream = 1;
    long peerWindow = defaultWindow;
    long peerStreamWindow = defaultWindow;
    long peerStreams = streamsBeforeSettings;
    long receiveWindow = ConnectionWindow;

    IReadOnlyList<(string Name, string Value)>? repeated;
    byte[] repeatedBlock = [];

    // a header block whose end has not arrived
    int blockStream;
    bool blockEndsStream;
    byte[] blockBytes = [];
    int blockLength;
    int blockFrames;

    // whether the peer still answers is asked after a call without an answer, and after a silence
    readonly long longestSilence = keepAlive is { } silence ? silence.Ticks * 100 : long.MaxValue;
    long pingDeadline = long.MaxValue;
    long nextPing = long.MinValue;
    long heardAt;
    bool holdsCalls;
    string farewell = "";

    bool hasSettings;
    bool isLeaving;
    bool hasMore;

    /// <summary>The status and text with which the calls of a lost connection fail; null while the connection is usable.</summary>
    public (StatusCode Status, string Message)? Lost { get; private set; }

    /// <summary>Whether calls may be begun: the connection is not lost, and the peer has not sent GOAWAY.</summary>
    public bool TakesCalls => Lost is null && !isLeaving;

    public int InProgress { get; private set; }

    /// <summary>The number of streams that the peer takes at a time; null if it has set none, or has not said yet.</summary>
    public long? PeerStreams => hasSettings && peerStreams < long.MaxValue ? peerStreams : null;

    /// <summary>Whether there are bytes that the socket has not accepted yet, or was not given yet.</summary>
    public bool WantsToSend => outputEnd > outputStart || link.HasUnsent || hasMore;

    /// <summary>Whether bytes were read and not handled yet: the socket does not signal them.</summary>
    public bool MayHoldMore { get; private set; }

    public long NextDeadline => Math.Min(oldest?.Deadline ?? long.MaxValue, Math.Min(pingDeadline, SilenceEnds));

    public Socket Socket => link.Socket;

    public Http2Connection Open(long now = 0)
    {
        heardAt = now;
        var preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8;
        preface.CopyTo(Output(preface.Length));
        ReadOnlySpan<(ushort Id, int Value)> settings = [(2, 0), (4, StreamWindow)]; // no push; the window of a stream
        var frame = Frame(6 * settings.Length, FrameType.Settings, 0, 0);
        foreach (var (id, value) in settings)
        {
            BinaryPrimitives.WriteUInt16BigEndian(frame, id);
            BinaryPrimitives.WriteInt32BigEndian(frame[2..], value);
            frame = frame[6..];
        }

        WindowUpdate(0, ConnectionWindow - defaultWindow);
        return this;
    }

    /// <summary>Begins a call. <see cref="Flush"/> sends it as soon as the peer allows it.</summary>
    public void Begin(Http2Call call)
    {
        call.Begin();
        call.Connection = this;
        InProgress++;
        Link(call);
        if (waiting.Count == 0 && MayStart)
            Start(call);
        else
            waiting.Enqueue((call, call.Uses));
    }

    /// <summary>Sends what a stream of requests has become due. <see cref="Flush"/> follows.</summary>
    public void Continue(Http2Call call)
    {
        if (Lost is null && call.StreamId != 0 && !call.IsBlocked)
            Write(call);
    }

    public void Flush()
    {
        if (Lost is not null)
            return;
        try
        {
            hasMore = false;
            for (var sends = 0; sends == 0 || Unsent > 0 || hasMore; sends++)
            {
                while (waiting.Count > 0 && TakesCalls && MayStart && Unsent < enoughOutput)
                {
                    var (call, use) = waiting.Dequeue();
                    if (call.Uses == use && call.StreamId == 0)
                        Start(call);
                }

                for (var i = blocked.Count; i > 0 && peerWindow > 0 && Unsent < enoughOutput; i--)
                {
                    var (call, use) = blocked.Dequeue();
                    if (call.Uses != use || call.StreamId == 0)
                        continue;
                    call.IsBlocked = false;
                    Write(call);
                }

                // a stream whose peer is fast would never let the others have their turn
                hasMore = Unsent >= enoughOutput;
                var sent = sends < mostSends ? link.Send(output.AsSpan(outputStart, Unsent)) : 0;
                outputStart += sent;
                if (sent == 0)
                    return;
            }

            (outputStart, outputEnd) = (0, 0);
        }
        catch (Exception e) when (e is SocketException or IOException)
        {
            // the peer may have sent the reason before it closed the connection
            Receive();
            Fail(StatusCode.Unavailable, LostMessage(e), null);
        }
    }

    public void Receive(long now = 0)
    {
        if (Lost is not null)
            return;
        try
        {
            for (var i = 0; i < mostReceives; i++)
            {
                var room = input.AsSpan(inputEnd);
                var received = link.Receive(room);
                MayHoldMore = received > 0 && (received == room.Length || link.Buffers);
                if (received < 0)
                    return;
                if (received == 0)
                {
                    Fail(StatusCode.Unavailable, LostMessage(), null);
                    return;
                }

                inputEnd += received;
                (pingDeadline, holdsCalls, heardAt) = (long.MaxValue, false, Math.Max(heardAt, now));
                while (HandleFrame())
                {
                }

                if (inputStart == inputEnd)
                {
                    (inputStart, inputEnd) = (0, 0);
                }
                else if (input.Length - inputStart < head + mostPerFrame)
                {
                    input.AsSpan(inputStart, inputEnd - inputStart).CopyTo(input);
                    (inputStart, inputEnd) = (0, inputEnd - inputStart);
                }

                if (!MayHoldMore)
                    return;
            }
        }
        catch (Http2Exception e)
        {
            Fail(hasSettings ? StatusCode.Internal : StatusCode.Unavailable, hasSettings ? e.Message : LostMessage(), e.Error);
        }
        catch (Exception e) when (e is SocketException or IOException)
        {
            Fail(StatusCode.Unavailable, LostMessage(e), null);
        }
    }

    /// <summary>Ends the calls whose deadlines have passed, and asks the peer for a sign of life. Without one the connection is lost, so
    /// that it does not keep the next calls.</summary>
    public void Expire(long now)
    {
        var asks = false;
        while (oldest is { } call && call.Deadline <= now)
        {
            asks |= call.StreamId != 0;
            End(call, nameof(StatusCode.DeadlineExceeded), DeadlinePassed, Http2Error.Cancel);
        }

        if (pingDeadline <= now)
        {
            Fail(StatusCode.Unavailable, $"the connection to {link.Endpoint} was lost: {TransportFailure.NoAnswerToPing}", null);
        }
        else if (asks && Lost is null && now >= nextPing)
        {
            Frame(8, FrameType.Ping, 0, 0).Clear();
            (pingDeadline, nextPing, holdsCalls) = (Math.Min(pingDeadline, now + pingPatience), now + betweenPings, true);
        }
        else if (SilenceEnds <= now)
        {
            Frame(8, FrameType.Ping, 0, 0).Clear();
            pingDeadline = now + longestSilence;
        }
    }

    /// <summary>Ends a call that has succeeded so far, if it has not ended.</summary>
    public void Finish(Http2Call call)
    {
        if (call.Messages > 0 && open.GetValueOrDefault(call.StreamId) == call)
            End(call, null, "", Http2Error.Cancel);
    }

    public void Cancel(string failure)
    {
        while (oldest is { } call)
            End(call, failure, "cancelled by the caller", Http2Error.Cancel);
    }

    /// <summary>Removes the calls that were not sent because the peer allows no more streams. They are not ended.</summary>
    public void TakeWaiting(ICollection<Http2Call> target)
    {
        while (waiting.TryDequeue(out var entry))
        {
            if (entry.Call.Uses != entry.Use || entry.Call.StreamId != 0)
                continue;
            Unlink(entry.Call);
            target.Add(entry.Call);
        }
    }

    public void Dispose() => link.Dispose();

    int Unsent => outputEnd - outputStart;

    // Calls wait until something arrives after the ping of a deadline, because a peer that does not answer would keep them too. A silence
    // alone is no reason for a doubt, and calls that waited for its ping would have another latency.
    bool MayStart => open.Count < peerStreams && !holdsCalls;

    long SilenceEnds => longestSilence == long.MaxValue || InProgress == 0 || pingDeadline < long.MaxValue || Lost is not null
        ? long.MaxValue : heardAt + longestSilence;

    string LostMessage(Exception? failure = null) =>
        hasSettings ? $"the connection to {link.Endpoint} was lost{farewell}" : TransportFailure.NoHandshake(link.Endpoint, failure);

    void Start(Http2Call call)
    {
        call.StreamId = nextStream;
        if (nextStream > int.MaxValue - 2)
            isLeaving = true; // all stream numbers are used, so the next calls need another connection
        else
            nextStream += 2;
        (call.SendWindow, call.ReceiveWindow) = (peerStreamWindow, StreamWindow);
        open.Add(call.StreamId, call);
        WriteHeaders(call);
        Write(call);
    }

    void WriteHeaders(Http2Call call)
    {
        var block = repeatedBlock;
        if (!ReferenceEquals(repeated, call.Headers))
        {
            block = encoder.Encode(call.Headers, out var isRepeatable);
            (repeated, repeatedBlock) = isRepeatable ? (call.Headers, block) : (null, []);
        }

        ReadOnlySpan<byte> all = block;
        if (!call.MoreHeaders.IsEmpty)
        {
            differing.ResetWrittenCount();
            differing.Write(block);
            differing.Write(call.MoreHeaders.Span);
            all = differing.WrittenSpan;
        }

        var first = Math.Min(all.Length, mostPerFrame);
        all[..first].CopyTo(Frame(first, FrameType.Headers, first == all.Length ? Flags.EndHeaders : 0, call.StreamId));
        for (var at = first; at < all.Length;)
        {
            var next = Math.Min(all.Length - at, mostPerFrame);
            var flags = at + next == all.Length ? Flags.EndHeaders : 0;
            all.Slice(at, next).CopyTo(Frame(next, FrameType.Continuation, flags, call.StreamId));
            at += next;
        }
    }

    /// <summary>Writes what is due and the windows allow. Messages that are due at a time share a frame.</summary>
    void Write(Http2Call call)
    {
        while (!call.IsClosed && (call.Written < call.Length || call.IsLast || call.TryAdvance()))
        {
            var room = (int)Math.Min(mostPerFrame, Math.Min(call.SendWindow, peerWindow));
            if ((room <= 0 && call.Written < call.Length) || Unsent >= enoughOutput)
            {
                if (!call.IsBlocked)
                    blocked.Enqueue((call, call.Uses));
                call.IsBlocked = true;
                return;
            }

            if (call.IsLast)
                room = Math.Min(room, call.Length - call.Written);
            var start = Unsent;
            var frame = Frame(Math.Max(0, room), FrameType.Data, 0, call.StreamId);
            var length = Fill(call, frame);
            outputEnd += length - frame.Length;
            call.IsClosed = call.IsLast && call.Written == call.Length;
            var header = output.AsSpan(outputStart + start);
            BinaryPrimitives.WriteInt32BigEndian(header, (length << 8) | (int)FrameType.Data);
            header[4] = (byte)(call.IsClosed ? Flags.EndStream : 0);
            peerWindow -= length;
            call.SendWindow -= length;
        }
    }

    static int Fill(Http2Call call, Span<byte> frame)
    {
        var left = frame;
        Span<byte> prefix = stackalloc byte[5];
        prefix[0] = (byte)(call.IsCompressed ? 1 : 0);
        // an end without a message has nothing to write
        while (call.Written < call.Length && !left.IsEmpty)
        {
            if (call.Written < 5)
            {
                BinaryPrimitives.WriteInt32BigEndian(prefix[1..], call.Request.Length);
                var part = prefix.Slice(call.Written, Math.Min(5 - call.Written, left.Length));
                part.CopyTo(left);
                left = left[part.Length..];
                call.Written += part.Length;
            }

            // a window of a few bytes may end within the prefix
            if (call.Written >= 5)
            {
                var rest = call.Request.Span[(call.Written - 5)..];
                rest = rest[..Math.Min(rest.Length, left.Length)];
                rest.CopyTo(left);
                left = left[rest.Length..];
                call.Written += rest.Length;
            }

            if (call.Written == call.Length && !call.IsLast)
                call.TryAdvance();
        }

        return frame.Length - left.Length;
    }

    bool HandleFrame()
    {
        var length = inputEnd - inputStart - head;
        if (length < 0)
            return false;
        var start = input.AsSpan(inputStart, head);
        var size = (int)(BinaryPrimitives.ReadUInt32BigEndian(start) >> 8);
        if (size > mostPerFrame)
            throw new Http2Exception(Http2Error.FrameSize, $"the server sent a frame of {size} bytes");
        if (size > length)
            return false;
        var payload = input.AsSpan(inputStart + head, size);
        inputStart += head + size;
        Handle((FrameType)start[3], start[4], BinaryPrimitives.ReadInt32BigEndian(start[5..]) & int.MaxValue, payload);
        return true;
    }

    void Handle(FrameType type, int flags, int stream, ReadOnlySpan<byte> payload)
    {
        if (!hasSettings && type != FrameType.Settings)
            throw Broken("its first frame is not SETTINGS");
        if (blockStream != 0 && (type != FrameType.Continuation || stream != blockStream))
            throw Broken("a header block is interrupted");
        var isOfConnection = type is FrameType.Settings or FrameType.Ping or FrameType.GoAway;
        if (type is not FrameType.WindowUpdate and <= FrameType.Continuation && isOfConnection != (stream == 0))
            throw Broken($"a frame {type} on stream {stream}");
        // a stream that this client has not begun
        if (type is <= FrameType.Continuation and not FrameType.Priority && stream != 0 && (stream % 2 == 0 || stream >= nextStream))
            throw Broken($"a frame {type} on stream {stream}, which was not opened");
        switch (type)
        {
            case FrameType.Data:
                HandleData(flags, stream, payload);
                break;
            case FrameType.Headers:
                payload = WithoutPadding(flags, payload);
                if ((flags & Flags.Priority) != 0)
                    payload = payload.Length >= 5 ? payload[5..] : throw new Http2Exception(Http2Error.FrameSize, "the server sent a broken HEADERS");
                (blockStream, blockEndsStream, blockLength, blockFrames) = (stream, (flags & Flags.EndStream) != 0, 0, 0);
                HandleBlock(flags, payload);
                break;
            case FrameType.Continuation:
                if (blockStream == 0)
                    throw Broken("CONTINUATION without HEADERS");
                HandleBlock(flags, payload);
                break;
            case FrameType.Reset:
                Check(payload.Length == 4, type);
                if (open.TryGetValue(stream, out var reset))
                {
                    var code = BinaryPrimitives.ReadUInt32BigEndian(payload);
                    reset.IsUnprocessed = code == (uint)Http2Error.RefusedStream;
                    End(reset, TransportFailure.StatusOf(code).ToString(), $"the peer reset the call with HTTP/2 code {code}", null);
                }

                break;
            case FrameType.Settings:
                HandleSettings(flags, payload);
                break;
            case FrameType.Ping:
                Check(payload.Length == 8, type);
                if ((flags & Flags.Ack) == 0)
                {
                    Control();
                    payload.CopyTo(Frame(8, FrameType.Ping, Flags.Ack, 0));
                }

                break;
            case FrameType.GoAway:
                Check(payload.Length >= 8, type);
                if (payload[8..].SequenceEqual("too_many_pings"u8))
                    farewell = ": " + TransportFailure.TooManyPings;
                HandleGoAway(BinaryPrimitives.ReadInt32BigEndian(payload) & int.MaxValue,
                    BinaryPrimitives.ReadUInt32BigEndian(payload[4..]));
                break;
            case FrameType.WindowUpdate:
                Check(payload.Length == 4, type);
                HandleWindowUpdate(stream, BinaryPrimitives.ReadInt32BigEndian(payload) & int.MaxValue);
                break;
            case FrameType.Push:
                throw Broken("it pushes, which is switched off");
            case FrameType.Priority:
                Check(payload.Length == 5, type);
                break;
            default:
                break; // extensions are ignored (RFC 9113, section 5.5)
        }
    }

    void HandleData(int flags, int stream, ReadOnlySpan<byte> payload)
    {
        var length = payload.Length;
        receiveWindow -= length;
        if (receiveWindow < 0)
            throw new Http2Exception(Http2Error.FlowControl, "the server sent more than the window of the connection");
        if (receiveWindow < ConnectionWindow / 2)
        {
            WindowUpdate(0, (int)(ConnectionWindow - receiveWindow));
            receiveWindow = ConnectionWindow;
        }

        payload = WithoutPadding(flags, payload);
        if (!open.TryGetValue(stream, out var call))
            return; // the call has ended on this side, and the peer does not know yet
        call.ReceiveWindow -= length;
        if (call.ReceiveWindow < 0)
            Break(call, Http2Error.FlowControl, "the server sent more than the window of the stream");
        else if (!call.HasHeaders)
            Break(call, Http2Error.Protocol, "the server sent data before headers");
        else if (!Read(call, payload))
            return; // the call has ended
        else if ((flags & Flags.EndStream) != 0)
            Complete(call);
        else if (call.ReceiveWindow < StreamWindow / 2)
        {
            WindowUpdate(stream, (int)(StreamWindow - call.ReceiveWindow));
            call.ReceiveWindow = StreamWindow;
        }
    }

    /// <returns>False if the messages are not allowed, and the call has ended.</returns>
    bool Read(Http2Call call, ReadOnlySpan<byte> data)
    {
        if (call.HttpStatus != 200 || !call.IsGrpc)
            return true; // for example the error page of a proxy
        while (!data.IsEmpty)
        {
            if (call.PrefixBytes < 5)
            {
                if (call.PrefixBytes == 0 && data.Length >= 5 && data[0] == 0)
                {
                    (call.PrefixBytes, call.MessageLeft) = (4, BinaryPrimitives.ReadUInt32BigEndian(data));
                    data = data[4..];
                }

                if (call.PrefixBytes > 0)
                    call.MessageLeft = (call.MessageLeft << 8) | data[0];
                else if (data[0] == 1 && call.Encoding is "gzip" or "deflate")
                    call.IsMessageCompressed = true;
                else if (data[0] != 0)
                    return Refuse(call, data[0]);
                data = data[1..];
                if (++call.PrefixBytes < 5)
                    continue;
                if (!call.IsStreaming && call.Messages > 0)
                    return Break(call, Http2Error.Cancel, "the reply has more than one message");
                if (call.MessageLeft > maxReplyBytes)
                    return TooLarge(call, $"of {call.MessageLeft} bytes");
            }
            else
            {
                var part = data[..(int)Math.Min(call.MessageLeft, (uint)data.Length)];
                if (call.IsMessageCompressed)
                    call.TakeCompressed(part);
                else
                    call.Take(part);
                call.MessageLeft -= (uint)part.Length;
                data = data[part.Length..];
            }

            if (call.MessageLeft == 0)
            {
                if (call.IsMessageCompressed && !Decompress(call))
                    return false;
                call.Messages++;
                call.PrefixBytes = 0;
                if (!call.Received())
                {
                    End(call, null, "", Http2Error.Cancel);
                    return false;
                }
            }
        }

        return true;
    }

    bool Decompress(Http2Call call)
    {
        call.IsMessageCompressed = false;
        try
        {
            return call.TryDecompress(maxReplyBytes) || TooLarge(call, "that was compressed");
        }
        catch (InvalidDataException)
        {
            return Break(call, Http2Error.Cancel, $"a message of the reply is not {call.Encoding}");
        }
    }

    bool TooLarge(Http2Call call, string what)
    {
        End(call, nameof(StatusCode.ResourceExhausted), $"a message {what} is larger than the limit of {maxReplyBytes}", Http2Error.Cancel);
        return false;
    }

    bool Refuse(Http2Call call, byte flag)
    {
        if (flag == 1 && call.Encoding is { } encoding)
        {
            End(call, nameof(StatusCode.Unimplemented), $"the reply is compressed with {encoding}, which this client does not read", Http2Error.Cancel);
            return false;
        }

        return Break(call, Http2Error.Cancel, $"a message of the reply begins with the flag {flag}");
    }

    void HandleBlock(int flags, ReadOnlySpan<byte> part)
    {
        var isLast = (flags & Flags.EndHeaders) != 0;
        if (!isLast || blockLength > 0)
        {
            // frames are counted too, because any number of empty ones could follow
            if (blockLength + part.Length > mostHeaderBytes || ++blockFrames > mostHeaderFrames)
                throw new Http2Exception(Http2Error.EnhanceYourCalm, $"the server sent more than {mostHeaderBytes} bytes of headers");
            if (blockBytes.Length == 0)
                blockBytes = new byte[mostHeaderBytes];
            part.CopyTo(blockBytes.AsSpan(blockLength));
            blockLength += part.Length;
            part = blockBytes.AsSpan(0, blockLength);
        }

        if (!isLast)
            return;
        var stream = blockStream;
        blockStream = 0;
        open.TryGetValue(stream, out var call);
        var isTrailer = call is { HasHeaders: true };
        // also if the call has ended on this side, because the block changes the table
        for (var isFirst = true; decoder.TryRead(ref part, isFirst, out var name, out var value); isFirst = false)
        {
            if (call is not null)
                Take(call, name, value);
        }

        if (call is null)
            return;
        if (!isTrailer && call.HttpStatus is >= 100 and < 200 && !blockEndsStream)
        {
            call.HttpStatus = 0; // informational, so the final headers follow
            return;
        }

        if (call.HttpStatus == 0)
            Break(call, Http2Error.Protocol, "the server sent headers without :status");
        else if (isTrailer && !blockEndsStream)
            Break(call, Http2Error.Protocol, "the server sent trailers before the end");
        else if (blockEndsStream)
            Complete(call);
        else
            (call.HasHeaders, call.GrpcStatus) = (true, NoStatus); // only the status at the end is used
    }

    static void Take(Http2Call call, ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        if (name.SequenceEqual(":status"u8))
            call.HttpStatus = Utf8Number(value) ?? 0;
        else if (name.SequenceEqual("grpc-status"u8))
            call.GrpcStatus = Utf8Number(value) ?? NoStatus;
        else if (name.SequenceEqual("grpc-message"u8))
            call.GrpcMessage = value.IsEmpty ? null : Encoding.UTF8.GetString(value);
        else if (name.SequenceEqual("content-type"u8))
            call.IsGrpc = value.StartsWith("application/grpc"u8);
        else if (name.SequenceEqual("grpc-encoding"u8) && !value.SequenceEqual("identity"u8))
            call.Encoding = Encoding.UTF8.GetString(value);
    }

    static int? Utf8Number(ReadOnlySpan<byte> text) =>
        System.Buffers.Text.Utf8Parser.TryParse(text, out int number, out var read) && read == text.Length && number >= 0 ? number : null;

    void Complete(Http2Call call)
    {
        // the request is incomplete, so the stream is also ended on this side
        Http2Error? reset = call.IsClosed ? null : Http2Error.Cancel;
        if (call.GrpcStatus == NoStatus && call.HttpStatus != 200)
            End(call, StatusOfHttp(call.HttpStatus).ToString(), $"the server answered with the HTTP status {call.HttpStatus}", reset);
        else if (!call.IsGrpc && call.GrpcStatus <= 0)
            End(call, nameof(StatusCode.Unknown), "the reply is not gRPC by its content-type", reset);
        else if (call.GrpcStatus == NoStatus)
            End(call, nameof(StatusCode.Unknown), "the reply has no grpc-status", reset);
        else if (call.GrpcStatus != 0)
            End(call, ((StatusCode)call.GrpcStatus).ToString(), call.GrpcMessage is { } text ? Uri.UnescapeDataString(text) : "the call failed without a message", reset);
        else if (call.PrefixBytes > 0)
            End(call, nameof(StatusCode.Internal), "the reply ends in the middle of a message", reset);
        else if (!call.IsStreaming && call.Messages == 0)
            End(call, nameof(StatusCode.Internal), "the reply has no message", reset);
        else
            End(call, null, "", reset);
    }

    void HandleSettings(int flags, ReadOnlySpan<byte> payload)
    {
        if ((flags & Flags.Ack) != 0)
        {
            Check(payload.IsEmpty, FrameType.Settings);
            return;
        }

        Check(payload.Length % 6 == 0, FrameType.Settings);
        if (!hasSettings)
            peerStreams = long.MaxValue; // unless these settings have a number
        for (; !payload.IsEmpty; payload = payload[6..])
        {
            var value = BinaryPrimitives.ReadUInt32BigEndian(payload[2..]);
            switch (BinaryPrimitives.ReadUInt16BigEndian(payload))
            {
                case 1:
                    encoder.Allow(value);
                    repeated = null;
                    break;
                case 2 when value != 0:
                    throw Broken("it pushes, which is switched off");
                case 3:
                    peerStreams = value;
                    break;
                case 4 when value > int.MaxValue:
                    throw new Http2Exception(Http2Error.FlowControl, $"the server sent a window of {value} bytes");
                case 4:
                    // also for open streams, whose windows may become negative (RFC 9113, section 6.9.2)
                    for (var call = oldest; call is not null; call = call.Newer)
                    {
                        call.SendWindow += value - peerStreamWindow;
                        if (call.SendWindow > int.MaxValue)
                            throw new Http2Exception(Http2Error.FlowControl, "the server made a window too large");
                    }

                    peerStreamWindow = value;
                    break;
                case 5 when value is < mostPerFrame or > 0xFF_FFFF:
                    throw Broken($"it allows frames of {value} bytes");
                default:
                    break; // frames are never larger than 16 KiB; unknown settings are ignored
            }
        }

        hasSettings = true;
        Control();
        Frame(0, FrameType.Settings, Flags.Ack, 0);
    }

    void HandleGoAway(int last, uint code)
    {
        isLeaving = true;
        for (var call = oldest; call is not null;)
        {
            var next = call.Newer;
            if (call.StreamId > last)
            {
                call.IsUnprocessed = true;
                End(call, nameof(StatusCode.Unavailable), $"the server leaves the connection with HTTP/2 code {code}, and has not taken the call{farewell}", null);
            }

            call = next;
        }
    }

    void HandleWindowUpdate(int stream, int more)
    {
        if (stream == 0)
        {
            peerWindow += more;
            if (more == 0 || peerWindow > int.MaxValue)
                throw new Http2Exception(more == 0 ? Http2Error.Protocol : Http2Error.FlowControl, $"the server made a window larger by {more} bytes");
        }
        else if (open.TryGetValue(stream, out var call))
        {
            call.SendWindow += more;
            if (more == 0 || call.SendWindow > int.MaxValue)
                Break(call, more == 0 ? Http2Error.Protocol : Http2Error.FlowControl, $"the server made a window larger by {more} bytes");
        }
    }

    bool Break(Http2Call call, Http2Error error, string why)
    {
        End(call, nameof(StatusCode.Internal), why, error);
        return false;
    }

    /// <param name="reset">The code to reset its stream with; null if the peer has ended it.</param>
    void End(Http2Call call, string? failure, string message, Http2Error? reset)
    {
        if (call.StreamId != 0)
        {
            open.Remove(call.StreamId);
            if (reset is { } error && Lost is null)
                BinaryPrimitives.WriteInt32BigEndian(Frame(4, FrameType.Reset, 0, call.StreamId), (int)error);
        }

        Unlink(call);
        (call.Failure, call.Message, call.IsClosed) = (failure, message, true);
        ended(call);
    }

    /// <summary>Keeps the order of deadlines: a call that another connection had before has an earlier one.</summary>
    void Link(Http2Call call)
    {
        var older = youngest;
        while (older is not null && older.Deadline > call.Deadline)
            older = older.Older;
        call.Older = older;
        call.Newer = older is null ? oldest : older.Newer;
        if (call.Older is null)
            oldest = call;
        else
            call.Older.Newer = call;
        if (call.Newer is null)
            youngest = call;
        else
            call.Newer.Older = call;
    }

    void Unlink(Http2Call call)
    {
        if (call.Older is null)
            oldest = call.Newer;
        else
            call.Older.Newer = call.Newer;
        if (call.Newer is null)
            youngest = call.Older;
        else
            call.Newer.Older = call.Older;
        (call.Older, call.Newer) = (null, null);
        call.Uses++; // entries of queues become stale
        InProgress--;
    }

    void Fail(StatusCode status, string message, Http2Error? error)
    {
        if (Lost is not null)
            return;
        if (error is { } code)
        {
            var frame = Frame(8, FrameType.GoAway, 0, 0);
            BinaryPrimitives.WriteInt32BigEndian(frame, 0);
            BinaryPrimitives.WriteInt32BigEndian(frame[4..], (int)code);
            try
            {
                link.Send(output.AsSpan(outputStart, Unsent));
            }
            catch (Exception e) when (e is SocketException or IOException)
            {
                // the peer has closed the connection
            }
        }

        (Lost, pingDeadline) = ((status, message), long.MaxValue);
        (outputStart, outputEnd) = (0, 0);
        while (oldest is { } call)
        {
            call.IsUnprocessed = call.StreamId == 0;
            End(call, status.ToString(), message, null);
        }

        link.Dispose();
    }

    void WindowUpdate(int stream, int more) => BinaryPrimitives.WriteInt32BigEndian(Frame(4, FrameType.WindowUpdate, 0, stream), more);

    /// <summary>A peer that sends many control frames and does not read the answers ends its connection.</summary>
    void Control()
    {
        if (Unsent > mostOutput)
            throw new Http2Exception(Http2Error.EnhanceYourCalm, "the server sends pings or settings, and does not read the answers");
    }

    Span<byte> Frame(int length, FrameType type, int flags, int stream)
    {
        var frame = Output(head + length);
        BinaryPrimitives.WriteInt32BigEndian(frame, (length << 8) | (int)type);
        frame[4] = (byte)flags;
        BinaryPrimitives.WriteInt32BigEndian(frame[5..], stream);
        return frame[head..];
    }

    Span<byte> Output(int length)
    {
        if (output.Length - outputEnd < length)
        {
            var unsent = output.AsSpan(outputStart, Unsent);
            var target = output.Length - unsent.Length < length ? new byte[Math.Max(2 * output.Length, unsent.Length + length)] : output;
            unsent.CopyTo(target);
            (output, outputStart, outputEnd) = (target, 0, unsent.Length);
        }

        outputEnd += length;
        return output.AsSpan(outputEnd - length, length);
    }

    static ReadOnlySpan<byte> WithoutPadding(int flags, ReadOnlySpan<byte> payload)
    {
        if ((flags & Flags.Padded) == 0)
            return payload;
        if (payload.IsEmpty || payload[0] >= payload.Length)
            throw Broken("more padding than its frame has bytes");
        return payload[1..^payload[0]];
    }

    static void Check(bool hasLength, FrameType type)
    {
        if (!hasLength)
            throw new Http2Exception(Http2Error.FrameSize, $"the server sent a frame {type} of a wrong length");
    }

    static Http2Exception Broken(string why) => new(Http2Error.Protocol, $"the server broke the protocol: {why}");

    /// <summary>Returns the status of a reply that is not gRPC (grpc/grpc, doc/http-grpc-status-mapping.md).</summary>
    static StatusCode StatusOfHttp(int status) => status switch
    {
        400 => StatusCode.Internal,
        401 => StatusCode.Unauthenticated,
        403 => StatusCode.PermissionDenied,
        404 => StatusCode.Unimplemented,
        429 or 502 or 503 or 504 => StatusCode.Unavailable,
        _ => StatusCode.Unknown,
    };

    enum FrameType
    {
        Data = 0,
        Headers = 1,
        Priority = 2,
        Reset = 3,
        Settings = 4,
        Push = 5,
        Ping = 6,
        GoAway = 7,
        WindowUpdate = 8,
        Continuation = 9,
    }

    static class Flags
    {
        public const int Ack = 1;
        public const int EndStream = 1;
        public const int EndHeaders = 4;
        public const int Padded = 8;
        public const int Priority = 32;
    }
}

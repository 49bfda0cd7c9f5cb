using Grpc.Core;

namespace ProtoBench.GrpcHost;

/// <summary>The requests of the event loop and the expected replies. Thread-safe.</summary>
abstract class PreparedCalls
{
    /// <summary>The path: <c>package.Service/Method</c>.</summary>
    public abstract string Path { get; }

    public virtual Metadata? Metadata => null;

    /// <summary>The encoding of all requests; null if they are not compressed.</summary>
    public virtual string? Encoding => null;

    public virtual bool IsStreaming => false;

    public virtual bool StreamsRequests => false;

    public virtual StreamPlan Stream => StreamPlan.None;

    /// <summary>Whether the bytes of some replies are checked, in addition to the number and the length of their messages.</summary>
    public virtual bool ChecksBytes => false;

    /// <summary>Sets the request of a call that does not stream it, and what only this call has of the metadata.</summary>
    /// <param name="number">The number of the call in its round, from 0.</param>
    public abstract void Begin(Http2Call call, long number);

    /// <summary>The message of a stream of requests, by the numbers of the call and of the message in it, from 0.</summary>
    public virtual ReadOnlyMemory<byte> Message(long call, long number) => throw new NotSupportedException("these calls stream no requests");

    public abstract bool IsRight(Http2Call call);

    public IReadOnlyList<(string Name, string Value)> Headers(RpcEndpoint endpoint, TimeSpan? timeout) =>
    [
        (":method", "POST"), (":scheme", endpoint.Tls ? "https" : "http"), (":path", "/" + Path), (":authority", endpoint.Url.Authority),
        ("te", "trailers"), ("content-type", "application/grpc"), ("user-agent", "protobench-event-loop"),
        ("grpc-accept-encoding", Encoding is null ? "identity" : $"identity,{Encoding}"),
        .. Encoding is { } encoding ? [("grpc-encoding", encoding)] : Array.Empty<(string, string)>(),
        .. timeout is { } time ? [("grpc-timeout", Timeout(time))] : Array.Empty<(string, string)>(),
        .. Metadata is null ? [] : Entries(Metadata),
    ];

    protected static IEnumerable<(string Name, string Value)> Entries(Metadata metadata) => metadata.Select(entry =>
        (entry.Key, entry.IsBinary ? Convert.ToBase64String(entry.ValueBytes).TrimEnd('=') : entry.Value));

    /// <summary>Formats a time limit with at most eight digits, rounded up.</summary>
    internal static string Timeout(TimeSpan time)
    {
        (char Unit, long Ticks)[] units =
            [('u', TimeSpan.TicksPerMicrosecond), ('m', TimeSpan.TicksPerMillisecond), ('S', TimeSpan.TicksPerSecond)];
        var (unit, ticks) = units.FirstOrDefault(one => time.Ticks <= 99_999_999 * one.Ticks, units[^1]);
        return $"{Math.Min(99_999_999, (time.Ticks + ticks - 1) / ticks)}{unit}";
    }
}

/// <param name="Messages">The messages that the client sends in a call; of a stream of replies only, those that it receives.</param>
/// <param name="UntilRound">Whether the end of the round ends a stream.</param>
/// <param name="Interval">Nanoseconds from one message to the next; 0 for as fast as the server takes them.</param>
/// <param name="Outstanding">The messages of a duplex stream that wait for an answer, above which it sends no more.</param>
sealed record StreamPlan(long Messages = long.MaxValue, bool UntilRound = false, long Interval = 0, long Outstanding = long.MaxValue)
{
    public static StreamPlan None { get; } = new();
}

/// <summary>One thread, so that no call waits for another. One send carries all calls that are due, one receive many replies.</summary>
/// <param name="loops">The number of loops, which share connections, callers and the schedule.</param>
sealed class EventLoop(RpcEndpoint endpoint, RpcLimits? limits, int connections, int index, int loops) : IDisposable
{
    // every byte is compared in one of this number of replies
    const int deepEvery = 64;

    // the time in nanoseconds after which the loop notices that it must stop, or that a connection is open
    const long noticeAfter = 50_000_000;
    const long openingNoticeAfter = 500_000;

    readonly MachineClock clock = MachineClock.Sleeping;
    readonly Lane[] lanes =
        [.. Enumerable.Range(0, connections).Where(one => one % loops == index).Select(one => new Lane(endpoint.OfConnection(one)))];
    readonly List<Http2Connection> live = [];
    readonly List<LoadCall> ready = [];
    readonly List<LoadCall> callers = [];
    readonly List<Http2Call> moved = [];
    readonly List<LoadCall> refused = [];
    readonly Readiness readiness = new();
    // of streams of requests: those that wait for the time of a message, and those that waited for an answer
    readonly PriorityQueue<LoadCall, long> timers = new();
    readonly List<LoadCall> answered = [];
    StreamPlan stream = StreamPlan.None;
    bool streams;
    bool isOver;
    CallSchedule schedule = null!;
    PreparedCalls calls = null!;
    IReadOnlyList<(string Name, string Value)> headers = [];
    TimeSpan? timeout;
    long now;
    int inProgress;
    int created;
    int nextLane;
    bool abandons;

    public int InProgress => inProgress;

    /// <summary>The statistics of the calls of the round that have ended. Another thread may read their number.</summary>
    public CallStatistics Statistics { get; private set; } = new();

    public IEnumerable<CallerShare> Callers => callers.Select(call => call.Made == 0
        ? new CallerShare(schedule.Start, schedule.Start, 0, 0) : new CallerShare(call.FirstSent, call.LastEnd, call.Made, call.CheckedNs));

    /// <summary>The calls of the open loop in this round; null in a closed loop.</summary>
    public DueTimes? Times { get; private set; }

    public long LargestBacklog { get; private set; }

    /// <summary>The highest number of calls in progress: an ended call is reused before one is created.</summary>
    public int MostInFlight => created;

    public long WaitedNs { get; private set; }

    public int Opened { get; private set; }

    /// <summary>With whether the server has answered.</summary>
    public (string Status, string Message, bool IsAnswer)? FirstFailure { get; private set; }

    public IEnumerable<Http2Link> Links => lanes.Select(lane => lane.Link).OfType<Http2Link>();

    /// <summary>The number of streams that the server takes on a connection; null if it has set none, or has not said yet.</summary>
    public long? PeerStreams => live.Count == 0 ? null : live[^1].PeerStreams;

    public async Task OpenAsync(CancellationToken cancellationToken)
    {
        foreach (var lane in lanes)
            Use(lane, await lane.OpenAsync().WaitAsync(cancellationToken));
    }

    /// <summary>Makes the calls of a schedule. Blocks the calling thread until the last of them has ended.</summary>
    /// <param name="concurrency">The number of callers of the closed loop, over all loops.</param>
    public void Run(PreparedCalls prepared, CallSchedule work, int concurrency, TimeSpan? limit = null)
    {
        Readiness.PrepareThread();
        streams = prepared.IsStreaming || prepared.StreamsRequests;
        stream = prepared.Stream;
        // the first call of a connection is in no round
        if (stream.UntilRound && work.Last == long.MaxValue && work.Requests < long.MaxValue)
            stream = stream with { Messages = 1, UntilRound = false };
        // a call that lasts for a round has no other limit
        if (streams && stream.UntilRound)
            limit = null;
        if (headers.Count == 0 || (timeout, calls) != (limit, prepared))
            headers = prepared.Headers(endpoint, limit);
        (schedule, calls, timeout) = (work, prepared, limit);
        (Statistics, LargestBacklog, WaitedNs, FirstFailure) = (new(work.Start, work.Log?.Begin()), 0, 0, null);
        (inProgress, created, abandons, isOver) = (0, 0, false, false);
        callers.Clear();
        ready.Clear();
        timers.Clear();
        answered.Clear();
        refused.Clear();
        Times = work.Arrivals is null ? null : new(work, index, loops);
        if (Times is null)
        {
            for (var caller = 0; caller < concurrency; caller++)
            {
                if (caller % connections % loops == index)
                    callers.Add(new(this) { Lane = lanes[caller % connections / loops] });
            }

            ready.AddRange(callers);
        }

        now = clock.Now;
        // handles bytes that have arrived since the last round, because a connection may have been closed
        foreach (var connection in live)
            connection.Receive(now);
        Sweep();
        Loop();
    }

    public static ClockFacts MeasureClock(bool spin)
    {
        Readiness.PrepareThread();
        var (clock, readiness) = (MachineClock.Sleeping, new Readiness());
        return WakeUp.Measure(clock, time => Pause(clock, readiness, time, spin), spin);
    }

    public void Dispose()
    {
        foreach (var connection in live)
            connection.Dispose();
    }

    void Loop()
    {
        while (true)
        {
            if (Times is null)
            {
                BeginReady();
            }
            else
            {
                now = clock.Now;
                BeginDue(Times);
            }

            if (streams)
                ContinueStreams();
            foreach (var connection in live)
                connection.Flush();
            Sweep();
            if (inProgress == 0 && (Times is null ? ready.Count == 0 : Times.Due == long.MaxValue))
                return;
            if (schedule.Cancellation.AbandonToken.IsCancellationRequested)
            {
                abandons = true;
                EndAll(CallStatistics.NotEnded);
                return;
            }

            if (now >= schedule.GiveUp)
                EndAll(CallStatistics.NotEnded);
            else
                Wait();
            now = clock.Now;
            for (var i = 0; i < live.Count; i++)
            {
                var connection = live[i];
                if (readiness.IsReady(i) || connection.MayHoldMore)
                    connection.Receive(now);
                if (connection.NextDeadline <= now)
                    connection.Expire(now);
            }
        }
    }

    void BeginReady()
    {
        foreach (var call in ready)
        {
            if (schedule.TryBegin(now, out var taken))
            {
                call.Number = taken;
                // A caller sends immediately, so its latency includes the time that the loop spends on other callers.
                var sent = Math.Max(now, call.Free);
                Begin(call, sent, sent);
            }
        }

        ready.Clear();
    }

    void BeginDue(DueTimes open)
    {
        if (open.Due < long.MaxValue && schedule.Cancellation.Token.IsCancellationRequested)
            open.Stop(now);
        for (var backlog = 1; open.TryTake(now, inProgress, out var due); backlog++)
        {
            LargestBacklog = Math.Max(LargestBacklog, backlog);
            LoadCall call;
            if (ready.Count > 0)
            {
                call = ready[^1];
                ready.RemoveAt(ready.Count - 1);
            }
            else
            {
                call = new(this) { Lane = lanes[nextLane] };
                created++;
            }

            call.Lane = lanes[nextLane];
            nextLane = (nextLane + 1) % lanes.Length;
            call.Number = open.Attempted;
            Begin(call, due, now);
        }
    }

    void ContinueStreams()
    {
        if (stream.UntilRound && !isOver && (now >= schedule.Last || schedule.Cancellation.Token.IsCancellationRequested))
        {
            isOver = true;
            foreach (var call in callers)
            {
                if (call.StreamsRequests)
                    call.Connection?.Continue(call);
                else
                    call.Connection?.Finish(call);
            }
        }

        while (timers.TryPeek(out var call, out var due) && due <= now)
        {
            timers.Dequeue();
            call.IsTimed = false;
            call.Connection?.Continue(call);
        }

        foreach (var call in answered)
            call.Connection?.Continue(call);
        answered.Clear();
    }

    void Begin(LoadCall call, long intended, long sent)
    {
        inProgress++;
        (call.Intended, call.Sent) = (intended, sent);
        call.Headers = headers;
        call.IsStreaming = calls.IsStreaming;
        call.StreamsRequests = calls.StreamsRequests;
        call.IsCompressed = calls.Encoding is not null;
        calls.Begin(call, call.Number);
        if (streams)
            call.BeginStream(sent);
        call.KeepsReply = calls.ChecksBytes && call.Number % deepEvery == 0;
        call.Deadline = timeout is { } time ? now + (time.Ticks * 100) : long.MaxValue;
        call.IsResent = false;
        if (call.Made == 0)
            call.FirstSent = sent;
        Assign(call);
    }

    /// <summary>Sends calls again that the server has not processed, once and at once, as clients of gRPC do (transparent retry, gRFC
    /// A6).</summary>
    void Resend()
    {
        foreach (var call in refused)
        {
            Statistics.Resent++;
            if (call.StreamsRequests)
                call.BeginStream(now);
            Assign(call);
        }

        refused.Clear();
    }

    static void Assign(LoadCall call)
    {
        if (call.Lane.Connection is { TakesCalls: true } connection)
        {
            connection.Begin(call);
            return;
        }

        call.Lane.Waiting.Add(call);
        call.Lane.Opening ??= call.Lane.OpenAsync();
    }

    void Ended(Http2Call ended)
    {
        var call = (LoadCall)ended;
        if (call is { IsUnprocessed: true, IsResent: false } && call.Deadline > now && !abandons)
        {
            call.IsResent = true;
            refused.Add(call);
            return;
        }

        inProgress--;
        ready.Add(call);
        if (abandons)
            return;
        var failure = call.Failure;
        // a status that arrives after the deadline may be handled before the deadline is
        if (failure is not null and not CallStatistics.NotEnded && clock.Now >= call.Deadline)
            (failure, call.Message) = (nameof(StatusCode.DeadlineExceeded), Http2Connection.DeadlinePassed);
        var checkedAt = now;
        if (failure is null)
        {
            var right = calls.IsRight(call);
            if (call.KeepsReply)
            {
                checkedAt = clock.Now;
                call.CheckedNs += checkedAt - now;
                call.Free = checkedAt;
            }

            if (!right)
                (failure, call.Message) = (CallStatistics.WrongReply, "the reply is not the expected one");
        }

        if (failure is not null)
            FirstFailure ??= (failure, call.Message, call.HttpStatus != 0);
        Statistics.Count(new(call.Intended, call.Sent, now, checkedAt), failure, schedule.WindowEnd,
            failure is CallStatistics.NotEnded or CallStatistics.WrongReply ? null : call.Message, schedule.Expected);
        if (failure is not null || !streams)
            schedule.OnEnd?.Invoke(now - Math.Min(call.Intended, call.Sent), failure);
        call.Made++;
        call.LastEnd = now;
    }

    void EndAll(string failure)
    {
        foreach (var connection in live)
            connection.Cancel(failure);
        foreach (var lane in lanes)
            EndWaiting(lane, failure, "");
    }

    void EndWaiting(Lane lane, string failure, string message)
    {
        foreach (var call in lane.Waiting)
        {
            (call.Failure, call.Message, call.IsUnprocessed) = (failure, message, false);
            Ended(call);
        }

        lane.Waiting.Clear();
    }

    /// <summary>Replaces connections that are lost or on which the server has sent GOAWAY.</summary>
    void Sweep()
    {
        Resend();
        var changed = false;
        for (var i = live.Count - 1; i >= 0; i--)
        {
            var connection = live[i];
            if (connection.TakesCalls)
                continue;
            connection.TakeWaiting(moved);
            foreach (var call in moved)
                Assign((LoadCall)call);
            moved.Clear();
            if (connection.InProgress > 0)
                continue;
            connection.Dispose();
            live.RemoveAt(i);
            changed = true;
        }

        foreach (var lane in lanes)
        {
            if (lane.Opening is { IsCompleted: true } opening)
            {
                lane.Opening = null;
                if (opening.IsCompletedSuccessfully)
                {
                    Use(lane, opening.Result);
                    foreach (var call in lane.Waiting)
                        lane.Connection!.Begin(call);
                    lane.Waiting.Clear();
                }
                else
                {
                    var failure = opening.Exception!.InnerException as RpcException;
                    EndWaiting(lane, (failure?.StatusCode ?? StatusCode.Internal).ToString(),
                        failure?.Message ?? opening.Exception.Message);
                }
            }
        }

        if (changed)
            readiness.Watch(live.Select(connection => connection.Socket));
    }

    void Use(Lane lane, Http2Link link)
    {
        lane.Link = link;
        var known = limits ?? new();
        lane.Connection = new Http2Connection(link, known.MaxReceiveBytes, Ended, known.Tuning.KeepAlive).Open(clock.Now);
        live.Add(lane.Connection);
        lane.Connection.Flush();
        Opened++;
        readiness.Watch(live.Select(connection => connection.Socket));
    }

    void Wait()
    {
        // a call that waits for another one to end needs no timer
        var until = Math.Min(now + noticeAfter, Math.Min(Times is null or { Waits: true } ? long.MaxValue : Times.Due, schedule.GiveUp));
        if (stream.UntilRound && !isOver)
            until = Math.Min(until, schedule.Last);
        if (timers.TryPeek(out _, out var due))
            until = Math.Min(until, due);
        var mayHoldMore = ready.Count > 0 && Times is null;
        for (var i = 0; i < live.Count; i++)
        {
            var connection = live[i];
            until = Math.Min(until, connection.NextDeadline);
            mayHoldMore |= connection.MayHoldMore;
            readiness.WaitToSend(i, connection.WantsToSend);
        }

        foreach (var lane in lanes)
        {
            if (lane.Opening is not null)
                until = Math.Min(until, now + openingNoticeAfter);
        }

        if (mayHoldMore)
        {
            readiness.Wait(0);
            return;
        }

        var began = clock.Now;
        Pause(clock, readiness, until, schedule.Spin);
        WaitedNs += clock.Now - began;
    }

    static void Pause(MachineClock clock, Readiness readiness, long until, bool spin)
    {
        if (spin)
        {
            while (!readiness.Wait(0) && clock.Now < until)
                Thread.SpinWait(20);
        }
        else
        {
            readiness.Wait(Math.Max(0, until - clock.Now));
        }
    }

    sealed class Lane(RpcEndpoint endpoint)
    {
        public Http2Connection? Connection { get; set; }

        public Http2Link? Link { get; set; }

        public Task<Http2Link>? Opening { get; set; }

        public List<LoadCall> Waiting { get; } = [];

        public Task<Http2Link> OpenAsync() => Task.Run(() => Http2Link.Open(endpoint));
    }

    sealed class LoadCall(EventLoop loop) : Http2Call
    {
        // with more unanswered messages, the times to the answers are not known
        const int mostTimes = 1 << 20;

        long messagesSent;
        long due;
        long last;
        bool isPaired;
        long[] sentAt = new long[16];

        public required Lane Lane { get; set; }

        public long Number { get; set; }

        public long Intended { get; set; }

        public long Sent { get; set; }

        public long Free { get; set; }

        public long FirstSent { get; set; }

        public long LastEnd { get; set; }

        public long Made { get; set; }

        public long CheckedNs { get; set; }

        public bool IsTimed { get; set; }

        public bool IsResent { get; set; }

        public void BeginStream(long sent)
        {
            (messagesSent, due, last, isPaired) = (0, sent, sent, IsStreaming && StreamsRequests);
            if (!StreamsRequests)
                loop.Statistics.MessagesAt(sent).Sent++;
        }

        protected internal override bool TryAdvance()
        {
            if (IsLast)
                return false;
            var plan = loop.stream;
            if (loop.isOver || messagesSent >= plan.Messages)
            {
                IsLast = true;
                return false;
            }

            if (messagesSent - Messages >= plan.Outstanding && IsStreaming)
                return false;
            var at = loop.clock.Now;
            if (due > at && plan.Interval > 0)
            {
                if (!IsTimed)
                    loop.timers.Enqueue(this, due);
                IsTimed = true;
                return false;
            }

            Request = loop.calls.Message(Number, messagesSent);
            Written = 0;
            var messages = loop.Statistics.MessagesAt(at);
            messages.Sent++;
            if (!IsStreaming)
                Between(messages, at, isFirst: messagesSent == 0);
            else if (isPaired)
                Remember(plan.Interval > 0 ? due : at);
            due += plan.Interval;
            messagesSent++;
            IsLast = messagesSent == plan.Messages;
            return true;
        }

        protected internal override bool Received()
        {
            if (!loop.streams)
                return true;
            var at = loop.clock.Now;
            var messages = loop.Statistics.MessagesAt(at);
            messages.Received++;
            if (!IsStreaming || !StreamsRequests)
            {
                if (Messages == 1)
                    Answer(messages, at - last);
            }
            else if (isPaired && Messages <= messagesSent)
            {
                Answer(messages, at - sentAt[(Messages - 1) & (sentAt.Length - 1)]);
            }

            if (IsStreaming)
                Between(messages, at, isFirst: Messages == 1);

            if (StreamsRequests)
            {
                if (loop.stream.Outstanding < long.MaxValue)
                    loop.answered.Add(this);
                return true;
            }

            return !loop.isOver && (Messages < loop.stream.Messages || !IsStreaming);
        }

        void Answer(StreamMessages messages, long time)
        {
            messages.ToAnswer.Record(time / 1_000);
            if (loop.stream.Outstanding < long.MaxValue)
                loop.schedule.OnEnd?.Invoke(time, null);
        }

        void Between(StreamMessages messages, long at, bool isFirst)
        {
            if (!isFirst)
                messages.Between.Record((at - last) / 1_000);
            if (loop.stream.Outstanding == long.MaxValue)
                loop.schedule.OnEnd?.Invoke(at - last, null);
            last = at;
        }

        void Remember(long at)
        {
            if (messagesSent - Messages >= sentAt.Length)
            {
                isPaired = sentAt.Length < mostTimes;
                if (!isPaired)
                    return;
                var more = new long[Math.Max(16, 2 * sentAt.Length)];
                for (var i = Messages; i < messagesSent; i++)
                    more[i & (more.Length - 1)] = sentAt[i & (sentAt.Length - 1)];
                sentAt = more;
            }

            sentAt[messagesSent & (sentAt.Length - 1)] = at;
        }
    }
}

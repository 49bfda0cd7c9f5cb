using System.Runtime.InteropServices;

namespace ProtoBench.Floors;

/// <summary>The lower bound of <see cref="DataSets.TelemetrySet"/>. Attributes are in one array, in the order of the wire: those of a span
/// are in front of those of its events.</summary>
public sealed unsafe class TelemetryFloor() : SetFloor(1 << 20)
{
    readonly Source[] sources = new Source[16];
    readonly Scope[] scopes = new Scope[16];
    readonly Span[] spans = new Span[2_048];
    readonly Event[] events = new Event[2_048];
    readonly Attribute[] attributes = new Attribute[1 << 15];
    int sourceCount, scopeCount, spanCount, eventCount, attributeCount;

    // what is written next
    int scope, span, @event, attribute;

    /// <summary>The field of an attribute's value that is set.</summary>
    enum Kind : byte
    {
        NoValue,
        Empty,
        Text,
        Flag,
        Number,
        Real,
    }

    public override long Touch()
    {
        var sum = 0L;
        foreach (ref readonly var one in scopes.AsSpan(0, scopeCount))
            sum += Sum(one.Name) + Sum(one.Version);
        foreach (ref readonly var one in spans.AsSpan(0, spanCount))
        {
            sum += Sum(one.TraceId) + Sum(one.SpanId) + Sum(one.ParentId) + Sum(one.Name) + one.SpanKind + (long)one.Start + (long)one.End
                + one.Outcome + Sum(one.Message);
        }

        foreach (ref readonly var one in events.AsSpan(0, eventCount))
            sum += (long)one.Time + Sum(one.Name);
        foreach (ref readonly var one in attributes.AsSpan(0, attributeCount))
        {
            sum += Sum(one.Key) + (one.Kind switch
            {
                Kind.Text => Sum(one.Text),
                Kind.Real => (long)BitConverter.Int64BitsToDouble(one.Number),
                _ => one.Number,
            });
        }

        return sum;
    }

    private protected override void Read(byte* p, byte* end)
    {
        sourceCount = scopeCount = spanCount = eventCount = attributeCount = 0;
        while (p < end && *p == 10)
            p = ReadSource(p, end, ref sources[sourceCount++]);
        End(p, end);
    }

    byte* ReadSource(byte* p, byte* end, ref Source source)
    {
        end = Message(ref p, end);
        source = default;
        for (; p < end && *p == 10; source.Attributes++)
            p = ReadAttribute(p, end, ref attributes[attributeCount++]);
        for (; p < end && *p == 18; source.Scopes++)
            p = ReadScope(p, end, ref scopes[scopeCount++]);
        return End(p, end);
    }

    byte* ReadScope(byte* p, byte* end, ref Scope scope)
    {
        end = Message(ref p, end);
        scope = default;
        if (p < end && *p == 10) scope.Name = Text(ref p, end);
        if (p < end && *p == 18) scope.Version = Text(ref p, end);
        for (; p < end && *p == 26; scope.Spans++)
            p = ReadSpan(p, end, ref spans[spanCount++]);
        return End(p, end);
    }

    byte* ReadSpan(byte* p, byte* end, ref Span span)
    {
        end = Message(ref p, end);
        span = default;
        if (p < end && *p == 10) span.TraceId = Bytes(ref p, end);
        if (p < end && *p == 18) span.SpanId = Bytes(ref p, end);
        if (p < end && *p == 26) span.ParentId = Bytes(ref p, end);
        if (p < end && *p == 34) span.Name = Text(ref p, end);
        if (p < end && *p == 40) span.SpanKind = (int)Number(ref p);
        if (p < end && *p == 49) span.Start = Fixed<ulong>(ref p);
        if (p < end && *p == 57) span.End = Fixed<ulong>(ref p);
        for (; p < end && *p == 66; span.Attributes++)
            p = ReadAttribute(p, end, ref attributes[attributeCount++]);
        for (; p < end && *p == 74; span.Events++)
            p = ReadEvent(p, end, ref events[eventCount++]);
        if (p < end && *p == 82) p = ReadStatus(p, end, ref span);
        return End(p, end);
    }

    byte* ReadStatus(byte* p, byte* end, ref Span span)
    {
        end = Message(ref p, end);
        span.HasStatus = true;
        if (p < end && *p == 8) span.Outcome = (int)Number(ref p);
        if (p < end && *p == 18) span.Message = Text(ref p, end);
        return End(p, end);
    }

    byte* ReadEvent(byte* p, byte* end, ref Event one)
    {
        end = Message(ref p, end);
        one = default;
        if (p < end && *p == 9) one.Time = Fixed<ulong>(ref p);
        if (p < end && *p == 18) one.Name = Text(ref p, end);
        for (; p < end && *p == 26; one.Attributes++)
            p = ReadAttribute(p, end, ref attributes[attributeCount++]);
        return End(p, end);
    }

    byte* ReadAttribute(byte* p, byte* end, ref Attribute one)
    {
        end = Message(ref p, end);
        one = default;
        if (p < end && *p == 10) one.Key = Text(ref p, end);
        if (p < end && *p == 18) p = ReadValue(p, end, ref one);
        return End(p, end);
    }

    byte* ReadValue(byte* p, byte* end, ref Attribute one)
    {
        end = Message(ref p, end);
        one.Kind = Kind.Empty;
        if (p == end) return end;
        if (*p == 10) (one.Text, one.Kind) = (Text(ref p, end), Kind.Text);
        else if (*p == 24) (one.Number, one.Kind) = ((long)WideNumber(ref p), Kind.Number);
        else if (*p == 16) (one.Number, one.Kind) = (Bool(ref p) ? 1 : 0, Kind.Flag);
        else if (*p == 33) (one.Number, one.Kind) = (Fixed<long>(ref p), Kind.Real);
        return End(p, end);
    }

    private protected override byte* Write(byte* to)
    {
        scope = span = @event = attribute = 0;
        foreach (ref readonly var source in sources.AsSpan(0, sourceCount))
        {
            var content = Open(ref to, 10, 3);
            to = WriteAttributes(to, 10, source.Attributes);
            for (var i = 0; i < source.Scopes; i++)
                to = WriteScope(to, scopes[scope++]);
            Close(ref to, content, 3);
        }

        return to;
    }

    byte* WriteScope(byte* to, in Scope one)
    {
        var content = Open(ref to, 18, 3);
        PutSlice(ref to, 10, one.Name);
        PutSlice(ref to, 18, one.Version);
        for (var i = 0; i < one.Spans; i++)
            to = WriteSpan(to, spans[span++]);
        Close(ref to, content, 3);
        return to;
    }

    byte* WriteSpan(byte* to, in Span one)
    {
        var content = Open(ref to, 26, 2);
        PutSlice(ref to, 10, one.TraceId);
        PutSlice(ref to, 18, one.SpanId);
        PutSlice(ref to, 26, one.ParentId);
        PutSlice(ref to, 34, one.Name);
        PutNumber(ref to, 40, (ulong)one.SpanKind);
        PutFixed(ref to, 49, one.Start);
        PutFixed(ref to, 57, one.End);
        to = WriteAttributes(to, 66, one.Attributes);
        for (var i = 0; i < one.Events; i++)
            to = WriteEvent(to, events[@event++]);
        if (one.HasStatus)
        {
            var status = Open(ref to, 82);
            PutNumber(ref to, 8, (ulong)one.Outcome);
            PutSlice(ref to, 18, one.Message);
            Close(ref to, status);
        }

        Close(ref to, content, 2);
        return to;
    }

    byte* WriteEvent(byte* to, in Event one)
    {
        var content = Open(ref to, 74);
        PutFixed(ref to, 9, one.Time);
        PutSlice(ref to, 18, one.Name);
        to = WriteAttributes(to, 26, one.Attributes);
        Close(ref to, content);
        return to;
    }

    byte* WriteAttributes(byte* to, byte tag, int count)
    {
        foreach (ref readonly var one in attributes.AsSpan(attribute, count))
        {
            var content = Open(ref to, tag);
            PutSlice(ref to, 10, one.Key);
            if (one.Kind != Kind.NoValue)
            {
                var value = Open(ref to, 18);
                if (one.Kind == Kind.Text)
                    PutPresentSlice(ref to, 10, one.Text);
                else if (one.Kind == Kind.Number)
                    PutWidePresent(ref to, 24, (ulong)one.Number);
                else if (one.Kind == Kind.Flag)
                    PutPresent(ref to, 16, (ulong)one.Number);
                else if (one.Kind == Kind.Real)
                    PutPresentFixed(ref to, 33, one.Number);
                Close(ref to, value);
            }

            Close(ref to, content);
        }

        attribute += count;
        return to;
    }

    struct Source
    {
        public int Attributes, Scopes;
    }

    struct Scope
    {
        public Slice Name, Version;
        public int Spans;
    }

    struct Span
    {
        public Slice TraceId, SpanId, ParentId, Name, Message;
        public ulong Start, End;
        public int SpanKind, Attributes, Events, Outcome;
        public bool HasStatus;
    }

    struct Event
    {
        public ulong Time;
        public Slice Name;
        public int Attributes;
    }

    [StructLayout(LayoutKind.Explicit)]
    struct Attribute
    {
        [FieldOffset(0)]
        public Slice Key;

        // one of these two; the bits of a double are a number
        [FieldOffset(8)]
        public Slice Text;
        [FieldOffset(8)]
        public long Number;
        [FieldOffset(16)]
        public Kind Kind;
    }
}

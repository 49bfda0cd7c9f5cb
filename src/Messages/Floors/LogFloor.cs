namespace ProtoBench.Floors;

/// <summary>The lower bound of <see cref="DataSets.AccessLogSet"/>.</summary>
public sealed unsafe class LogFloor() : SetFloor(1 << 20)
{
    readonly Line[] lines = new Line[10_000];
    int count;

    public override long Touch()
    {
        var sum = 0L;
        foreach (ref readonly var line in lines.AsSpan(0, count))
        {
            sum += (long)line.A + line.B + line.C + line.D + line.Status + (long)line.Bytes
                + Sum(line.Identity) + Sum(line.User) + Sum(line.Date) + Sum(line.Request);
        }

        return sum;
    }

    private protected override void Read(byte* p, byte* end)
    {
        count = 0;
        while (p < end && *p == 10)
            p = ReadLine(p, end, ref lines[count++]);
        End(p, end);
    }

    byte* ReadLine(byte* p, byte* end, ref Line line)
    {
        end = Message(ref p, end);
        line = default;
        if (p < end && *p == 10) p = ReadAddress(p, end, ref line);
        if (p < end && *p == 18) line.Identity = Text(ref p, end);
        if (p < end && *p == 26) line.User = Text(ref p, end);
        if (p < end && *p == 34) line.Date = Text(ref p, end);
        if (p < end && *p == 42) line.Request = Text(ref p, end);
        if (p < end && *p == 48) line.Status = (uint)Number(ref p);
        if (p < end && *p == 56) line.Bytes = WideNumber(ref p);
        return End(p, end);
    }

    static byte* ReadAddress(byte* p, byte* end, ref Line line)
    {
        end = Message(ref p, end);
        line.HasAddress = true;
        if (p < end && *p == 8) line.A = (uint)WideNumber(ref p);
        if (p < end && *p == 16) line.B = (uint)WideNumber(ref p);
        if (p < end && *p == 24) line.C = (uint)WideNumber(ref p);
        if (p < end && *p == 32) line.D = (uint)WideNumber(ref p);
        return End(p, end);
    }

    private protected override byte* Write(byte* to)
    {
        foreach (ref readonly var line in lines.AsSpan(0, count))
        {
            var content = Open(ref to, 10);
            if (line.HasAddress)
            {
                var address = Open(ref to, 10);
                PutWideNumber(ref to, 8, line.A);
                PutWideNumber(ref to, 16, line.B);
                PutWideNumber(ref to, 24, line.C);
                PutWideNumber(ref to, 32, line.D);
                Close(ref to, address);
            }

            PutSlice(ref to, 18, line.Identity);
            PutSlice(ref to, 26, line.User);
            PutSlice(ref to, 34, line.Date);
            PutSlice(ref to, 42, line.Request);
            PutNumber(ref to, 48, line.Status);
            PutWideNumber(ref to, 56, line.Bytes);
            Close(ref to, content);
        }

        return to;
    }

    struct Line
    {
        public uint A, B, C, D, Status;
        public bool HasAddress;
        public ulong Bytes;
        public Slice Identity, User, Date, Request;
    }
}

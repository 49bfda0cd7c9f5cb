using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using Google.Protobuf;
using ProtoBench.Allocators;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>Delimited streams in both directions, against Google's WriteDelimitedTo and ParseDelimitedFrom.</summary>
[SuppressMessage("Performance", "CA1849", Justification = "both forms are tested")]
public class DelimitedTests
{
    const string body = "the body of an echo";

    static readonly string[] readers = ["stream", "dribble", "async", "sequence", "segments"];

    /// <summary>Lengths around those where the varint in front becomes longer, and around the first room for a stream.</summary>
    static readonly int[] lengths = [0, 1, 125, 126, 127, 16_379, 16_380, 16_381, 32_700, 32_764, 32_768, 300_000];

    public static TheoryData<string> Readers => [.. readers];

    [Fact]
    public async Task What_is_written_is_what_Google_writes()
    {
        var expected = new MemoryStream();
        var (stream, asynchronous, writer) = (new MemoryStream(), new MemoryStream(), new ArrayBufferWriter<byte>());
        foreach (var google in Messages())
        {
            google.WriteDelimitedTo(expected);
            using var message = Zoo.Rent();
            message.Parse(google.ToByteArray());
            message.WriteDelimitedTo(stream);
            await message.WriteDelimitedToAsync(asynchronous, TestContext.Current.CancellationToken);
            message.WriteDelimitedTo(writer);
        }

        Assert.Equal(expected.ToArray(), stream.ToArray());
        Assert.Equal(expected.ToArray(), asynchronous.ToArray());
        Assert.Equal(expected.ToArray(), writer.WrittenSpan);
    }

    [Theory]
    [MemberData(nameof(Readers))]
    public async Task What_Google_writes_is_read_to_its_end(string how)
    {
        var wire = new MemoryStream();
        foreach (var google in Messages()) google.WriteDelimitedTo(wire);
        using var message = Zoo.Rent();
        var reader = Reader.Of(how, wire.ToArray());
        foreach (var google in Messages())
        {
            Assert.True(await reader.Read(message));
            Assert.Equal(google, Gpb.Zoo.Parser.ParseFrom(message.ToByteArray()));
        }

        for (var i = 0; i < 2; i++)
        {
            Assert.False(await reader.Read(message));
            Assert.Equal(0, message.CalculateSize());
        }

        Assert.Throws<InvalidProtocolBufferException>(() => Gpb.Zoo.Parser.ParseDelimitedFrom(new MemoryStream()));
    }

    [Theory]
    [MemberData(nameof(Readers))]
    public async Task Input_that_ends_inside_of_a_message_is_refused_and_at_a_boundary_it_is_not(string how)
    {
        var echo = new Gpb.Echo { Body = ByteString.CopyFrom(new byte[200]) };
        var stream = new MemoryStream();
        new Gpb.Echo().WriteDelimitedTo(stream);
        var first = (int)stream.Length;
        echo.WriteDelimitedTo(stream);
        var wire = stream.ToArray();
        var prefix = wire.Length - first - echo.CalculateSize();
        using var message = Echo.Rent();
        for (var end = first; end <= wire.Length; end++)
        {
            var reader = Reader.Of(how, wire[..end]);
            Assert.True(await reader.Read(message));
            if (end == wire.Length)
            {
                Assert.True(await reader.Read(message));
                Assert.Equal(200, message.Value.Body.Length);
            }
            else if (end > first)
            {
                var refusal = await Assert.ThrowsAsync<WireFormatException>(() => reader.Read(message));
                var offset = end - first < prefix ? end - first : end - first - prefix;
                Assert.Equal((WireError.Truncated, offset), (refusal.Reason, refusal.Offset));
                Assert.Equal(0, message.CalculateSize());
                continue;
            }

            Assert.False(await reader.Read(message));
        }
    }

    [Theory]
    [MemberData(nameof(Readers))]
    public async Task A_message_has_as_many_bytes_as_the_caller_allows(string how)
    {
        var wire = Wire(200);
        using var message = Echo.Rent();
        Assert.True(await Reader.Of(how, wire).Read(message, wire.Length - 2));
        message.Value.SetBody("before"u8);
        var refusal = await Assert.ThrowsAsync<WireFormatException>(() => Reader.Of(how, wire).Read(message, wire.Length - 3));
        Assert.Equal((WireError.MessageTooLarge, 0), (refusal.Reason, refusal.Offset));
        Assert.Contains("203 bytes, and at most 202", refusal.Message, StringComparison.Ordinal);
        Assert.Equal(0, message.CalculateSize());
        Assert.True(await Reader.Of(how, [0]).Read(message, 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => message.TryParseDelimited(new MemoryStream(wire), -1));
    }

    [Theory]
    [InlineData("8000", null)]
    [InlineData("80808080808080808000", null)]
    [InlineData("FFFFFFFF07", WireError.Truncated)]
    [InlineData("8080808008", WireError.InvalidLength)]
    [InlineData("FFFFFFFFFFFFFFFFFF01", WireError.InvalidLength)]
    [InlineData("80808080808080808080", WireError.VarintTooLong)]
    public async Task A_length_is_a_varint_of_31_bits(string hex, WireError? expected)
    {
        foreach (var how in readers)
        {
            using var message = Echo.Rent();
            var reader = Reader.Of(how, [.. Convert.FromHexString(hex)]);
            if (expected is null)
            {
                Assert.True(await reader.Read(message));
                Assert.False(await reader.Read(message));
                continue;
            }

            var refusal = await Assert.ThrowsAsync<WireFormatException>(() => reader.Read(message, int.MaxValue));
            Assert.Equal((expected, 0), (refusal.Reason, refusal.Offset));
        }
    }

    [Fact]
    public void A_length_that_is_not_true_takes_no_memory()
    {
        using var pool = SlabPool.Create(new() { SlabSize = 64 * 1024 });
        using (var message = Message<Echo>.Rent(pool))
        {
            byte[] wire = [0xFF, 0xFF, 0xFF, 0xFF, 0x07, .. new byte[1000]];
            Assert.Throws<WireFormatException>(() => message.TryParseDelimited(new MemoryStream(wire), int.MaxValue));
            var allocated = AllocatedBytes.Of(() =>
            {
                var reading = message.TryParseDelimitedAsync(new MemoryStream(wire), int.MaxValue).AsTask();
                Assert.True(reading.Exception is { InnerException: WireFormatException });
            });
            Assert.InRange(allocated, 0, 100_000);
            Assert.InRange(pool.Snapshot().HeldBytes, 0, 1_000_000);
        }
    }

    [Theory]
    [MemberData(nameof(Readers))]
    public async Task What_is_no_message_is_refused_with_its_place(string how)
    {
        using var message = Echo.Rent();
        var refusal = await Assert.ThrowsAsync<WireFormatException>(() => Reader.Of(how, [4, 0x0A, 1, 0x07, 0]).Read(message));
        Assert.Equal((WireError.InvalidTag, 3), (refusal.Reason, refusal.Offset));
        Assert.Equal(0, message.CalculateSize());
    }

    [Fact]
    public void A_sequence_is_left_as_it_was_until_its_message_is_whole()
    {
        var wire = Wire(200);
        using var message = Echo.Rent();
        for (var end = 0; end < wire.Length; end++)
        {
            var part = new ReadOnlySequence<byte>(wire, 0, end);
            Assert.False(message.TryParseDelimited(ref part, isFinal: false));
            Assert.Equal(end, part.Length);
        }

        var whole = new ReadOnlySequence<byte>([.. wire, 7, 7]);
        Assert.True(message.TryParseDelimited(ref whole, isFinal: false));
        Assert.Equal(2, whole.Length);
        Assert.Equal(200, message.Value.Body.Length);
    }

    [Fact]
    public async Task Messages_are_read_from_a_pipe_while_they_come()
    {
        var cancellation = TestContext.Current.CancellationToken;
        var pipe = new Pipe();
        var wire = new MemoryStream();
        for (var i = 0; i < 20; i++) new Gpb.Echo { Body = ByteString.CopyFrom(new byte[i * 17]) }.WriteDelimitedTo(wire);
        var writing = Task.Run(
            async () =>
            {
                foreach (var one in wire.ToArray()) await pipe.Writer.WriteAsync(new[] { one }, cancellation);
                await pipe.Writer.CompleteAsync();
            },
            cancellation);
        var read = new List<int>();
        using var message = Echo.Rent();
        while (true)
        {
            var result = await pipe.Reader.ReadAsync(cancellation);
            var rest = result.Buffer;
            while (message.TryParseDelimited(ref rest, result.IsCompleted)) read.Add(message.Value.Body.Length);
            pipe.Reader.AdvanceTo(rest.Start, rest.End);
            if (result.IsCompleted) break;
        }

        await writing;
        Assert.Equal(Enumerable.Range(0, 20).Select(i => i * 17), read);
    }

    [Fact]
    public async Task A_stream_that_has_the_message_released_shows_nothing_to_the_next_renter()
    {
        for (var look = 0; look < 4; look++)
        {
            foreach (var isAsync in new[] { false, true })
            {
                var message = Echo.Rent();
                var next = default(Message<Echo>);
                var looks = 0;
                var stream = new Reentrant(Wire(200), () =>
                {
                    if (looks++ != look) return;
                    message.Dispose();
                    next = Echo.Rent();
                    next.Value.SetBody("next"u8);
                });
                var reading = () => isAsync
                    ? message.TryParseDelimitedAsync(stream).AsTask() : Task.FromResult(message.TryParseDelimited(stream));
                await Assert.ThrowsAsync<ObjectDisposedException>(reading);
                Assert.Equal("next"u8, next.Value.Body.Span);
                next.Dispose();
            }
        }
    }

    [Fact]
    public async Task A_stream_that_says_that_it_read_too_much_is_refused()
    {
        using var message = Echo.Rent();
        Assert.Throws<IOException>(() => message.TryParseDelimited(new Liar(Wire(50), 1)));
        Assert.Throws<IOException>(() => message.TryParseDelimited(new Liar(Wire(50), 2)));
        await Assert.ThrowsAsync<IOException>(() => message.TryParseDelimitedAsync(new Liar(Wire(50), 1)).AsTask());
        await Assert.ThrowsAsync<IOException>(() => message.TryParseDelimitedAsync(new Liar(Wire(50), 2)).AsTask());
        Assert.Equal(0, message.CalculateSize());
    }

    [Fact]
    public async Task Waiting_is_ended_by_the_token()
    {
        using var message = Echo.Rent();
        using var source = new CancellationTokenSource();
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(Wire(200).AsMemory(0, 100), TestContext.Current.CancellationToken);
        var reading = message.TryParseDelimitedAsync(pipe.Reader.AsStream(), cancellation: source.Token);
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading.AsTask());
        Assert.Equal(0, message.CalculateSize());
        var writing = message.WriteDelimitedToAsync(new MemoryStream(), source.Token);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => writing.AsTask());
    }

    [Fact]
    public void What_nobody_could_read_is_not_written()
    {
        using var message = Animal.Rent();
        var animal = message.Value;
        for (var depth = 0; depth <= ParseLimits.MaxDepth; depth++) animal = animal.MutableMother();
        var (writer, stream) = (new ArrayBufferWriter<byte>(), new MemoryStream());
        Assert.Throws<InvalidOperationException>(() => message.WriteDelimitedTo(writer));
        Assert.Throws<InvalidOperationException>(() => message.WriteDelimitedTo(stream));
        Assert.Equal((0, 0), (writer.WrittenCount, (int)stream.Length));
        message.Clear();
        Assert.Throws<InvalidOperationException>(() => message.WriteDelimitedTo(new Narrow()));
    }

    static byte[] Wire(int length)
    {
        var stream = new MemoryStream();
        new Gpb.Echo { Body = ByteString.CopyFrom(Enumerable.Range(1, length).Select(i => (byte)i).ToArray()) }.WriteDelimitedTo(stream);
        return stream.ToArray();
    }

    static IEnumerable<Gpb.Zoo> Messages()
    {
        yield return new();
        yield return new() { Branch = new() { Visitors = { [body] = 1 }, Cages = { new Gpb.Cage(), new Gpb.Cage { Label = body } } } };
        foreach (var length in lengths) yield return new() { Scalars = new() { BytesValue = ByteString.CopyFrom(new byte[length]) } };
    }

    abstract class Reader
    {
        public static Reader Of(string how, byte[] wire) => how switch
        {
            "stream" => new OfStream(new MemoryStream(wire)),
            "dribble" => new OfStream(new Reentrant(wire, () => { })),
            "async" => new OfTask(new Reentrant(wire, () => { })),
            "sequence" => new OfSequence(new(wire)),
            _ => new OfSequence(Segments.Every(wire, 3)),
        };

        public abstract Task<bool> Read<T>(Message<T> message, int maxBytes = 64 << 20)
            where T : struct, ISlabMessage<T>;

        sealed class OfStream(Stream stream) : Reader
        {
            public override Task<bool> Read<T>(Message<T> message, int maxBytes) =>
                Task.FromResult(message.TryParseDelimited(stream, maxBytes));
        }

        sealed class OfTask(Stream stream) : Reader
        {
            public override Task<bool> Read<T>(Message<T> message, int maxBytes) =>
                message.TryParseDelimitedAsync(stream, maxBytes).AsTask();
        }

        sealed class OfSequence(ReadOnlySequence<byte> sequence) : Reader
        {
            ReadOnlySequence<byte> rest = sequence;

            public override Task<bool> Read<T>(Message<T> message, int maxBytes) =>
                Task.FromResult(message.TryParseDelimited(ref rest, maxBytes: maxBytes));
        }
    }

    /// <summary>Gives a few bytes at a time, and runs code after each time.</summary>
    sealed class Reentrant(byte[] wire, Action code) : MemoryStream(wire)
    {
        public override int Read(Span<byte> buffer)
        {
            var read = base.Read(buffer[..Math.Min(buffer.Length, 97)]);
            code();
            return read;
        }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            new(Read(buffer.Span));
    }

    /// <summary>Says that it read more than it was asked for, at one of its reads.</summary>
    sealed class Liar(byte[] wire, int at) : MemoryStream(wire)
    {
        int reads;

        public override int Read(Span<byte> buffer) => ++reads == at ? buffer.Length + 1 : base.Read(buffer);

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            new(Read(buffer.Span));
    }

    sealed class Narrow : IBufferWriter<byte>
    {
        public void Advance(int count) => throw new NotSupportedException();

        public Memory<byte> GetMemory(int sizeHint = 0) => new byte[Math.Max(1, sizeHint - 1)];

        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
    }
}

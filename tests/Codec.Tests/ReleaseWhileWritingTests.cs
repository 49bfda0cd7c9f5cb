using System.Buffers;
using ProtoBench.Codec.Runtime;
using ProtoBench.SlabProtobuf;
using ProtoBench.SlabProtobuf.Sets;

namespace ProtoBench.Codec.Tests;

/// <summary>A message that is released while it is written is refused, and nothing of the one that takes its memory is sent.</summary>
public class ReleaseWhileWritingTests
{
    const string own = "the message's own text", others = "secret";

    /// <summary>The ways to write into windows.</summary>
    static readonly Dictionary<string, Action<int, int>> ways = new()
    {
        ["a list of messages"] = Check<Note>(Fill, (message, writer) => message.WriteTo(writer)),
        ["a few numbers"] = Check<Small>((small, text) => small.SetId(text.Length), (message, writer) => message.WriteTo(writer)),
        ["messages in messages"] = Check<SavedEntity>((entity, text) => entity.AddPassengers().AddPassengers().SetKind(text),
            (message, writer) => message.WriteTo(writer)),
        ["delimited"] = Check<Note>((note, text) => note.SetText(text), (message, writer) => message.WriteDelimitedTo(writer)),
        ["JSON"] = Check<Unpacked>(
            (unpacked, text) =>
            {
                for (var i = 0; i < 2_000; i++) unpacked.AddStringValues(text);
            },
            (message, writer) => message.Value.WriteJson(writer)),
    };

    /// <param name="way">How the message is written.</param>
    /// <param name="window">The size of the windows.</param>
    /// <param name="request">At which request of a window the message is released.</param>
    [Theory]
    [InlineData("a list of messages", 1, 1)]
    [InlineData("a list of messages", 100, 1)]
    [InlineData("a list of messages", 4096, 1)]
    [InlineData("a few numbers", 100, 0)]
    [InlineData("messages in messages", 10_000, 0)]
    [InlineData("delimited", 256, 0)]
    [InlineData("delimited", 256, 1)]
    [InlineData("JSON", 256, 0)]
    [InlineData("JSON", 256, 1)]
    [InlineData("JSON", 256, 2)]
    public void It_is_refused_when_a_window_is_asked_for(string way, int window, int request) => ways[way](window, request);

    static Action<int, int> Check<T>(Action<T, string> fill, Action<Message<T>, IBufferWriter<byte>> write)
        where T : struct, ISlabMessage<T> => (window, request) =>
    {
        var message = Message<T>.Rent();
        fill(message.Value, own);
        var expected = Written(message);
        var (requests, next) = (0, default(Message<T>));
        var writer = new WindowWriter(window)
        {
            Asked = () =>
            {
                if (requests++ != request) return;
                message.Dispose();
                next = Message<T>.Rent();
                fill(next.Value, others);
            },
        };
        Assert.Throws<ObjectDisposedException>(() => write(message, writer));
        Assert.Equal(request + 1, requests);
        Assert.Equal(expected.AsSpan(..writer.Written.Length), writer.Written);
        Assert.False(writer.Window.ContainsAnyExcept((byte)0xEE), "the window is written after the release");

        // what was kept for writing is as good as new
        using var other = Message<T>.Rent();
        fill(other.Value, others);
        Assert.Equal(Written(other), Written(next));
        next.Dispose();

        byte[] Written(Message<T> message)
        {
            var whole = new ArrayBufferWriter<byte>();
            write(message, whole);
            return whole.WrittenSpan.ToArray();
        }
    };

    /// <summary>As another thread does it, after the type has written its fields.</summary>
    [Theory]
    [InlineData(36)]
    [InlineData(400)]
    public void It_is_refused_behind_its_fields_and_nothing_of_it_is_left(int size)
    {
        var room = new byte[size];
        var message = Released.Rent(size);
        Assert.Throws<ObjectDisposedException>(() => message.WriteTo(room));
        Assert.Equal(new byte[size], room);

        message = Released.Rent(size);
        var writer = new ArrayBufferWriter<byte>(1024);
        Assert.Throws<ObjectDisposedException>(() => message.WriteTo(writer));
        Assert.Equal(0, writer.WrittenCount);
    }

    static void Fill(Note note, string text)
    {
        note.SetText(text);
        for (var i = 0; i < 40; i++)
        {
            var reply = note.AddReplies();
            reply.SetText(string.Concat(Enumerable.Repeat(text, i % 7)));
            reply.SetData(new byte[5 * i]);
            reply.AddNumbers(i);
            if (i % 3 == 0) reply.AddReplies().SetText(text);
        }
    }

    /// <summary>A message type that somebody wrote by hand: it is released when its fields are written.</summary>
    readonly struct Released : IHandWritten<Released>
    {
        static Message<Released> message;
        static int size;

        public static Message<Released> Rent(int bytes)
        {
            size = bytes;
            return message = Message<Released>.Rent();
        }

        static long ISlabMessage<Released>.CalculateSize(Released message) => size;

        static void ISlabMessage<Released>.Write(ref WireWriter writer, Released message)
        {
            for (var i = 0; i < size; i++) writer.WriteVarint(0, 0x5E);
            Released.message.Dispose();
        }
    }
}

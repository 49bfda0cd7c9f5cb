using System.Globalization;
using System.Text;
using ProtoBench.Allocators;

namespace ProtoBench.Codec.Tests;

public class Utf8StringPoolTests
{
    public static TheoryData<string> Texts { get; } =
        ["a", "ab", "abc", "key1", "12345", "service", "http.url", "123456789", "http.status_code", "seventeen letters",
            "ü", "日本", "a😀b", "Straße 12", new string('x', 32), new string('y', 33), new string('z', 128), "ends in é" + new string('q', 40), new string('é', 64)];

    [Theory]
    [MemberData(nameof(Texts))]
    public void The_same_text_is_the_same_string(string text)
    {
        var pool = new Utf8StringPool();
        var first = pool.GetOrAdd(Encoding.UTF8.GetBytes(text));
        Assert.Equal(text, first);
        Assert.Same(first, pool.GetOrAdd(Encoding.UTF8.GetBytes(text)));
    }

    // Two places for all texts: nearly each of them meets a text that is not its own.
    [Fact]
    public void Texts_that_share_a_place_are_never_mixed_up()
    {
        const int seed = 27;
        var random = new Random(seed);
        var small = new Utf8StringPool(capacity: 2);
        char[] letters = ['a', 'b', 'é', '日', '\u007F', '\u0080', '\0'];
        for (var i = 0; i < 100_000; i++)
        {
            var text = new string(random.GetItems(letters, random.Next(24)));
            var got = small.GetOrAdd(Encoding.UTF8.GetBytes(text));
            Assert.True(text == got, $"seed {seed}, text {i}: {text} became {got}");
        }
    }

    // Texts that differ at their end, at their start or in the middle only. A pool that is half full keeps nearly all of them: one in
    // forty is replaced while the pool is filled.
    [Theory]
    [InlineData("{0}")]
    [InlineData("item-{0}")]
    [InlineData("{0}-item")]
    [InlineData("host-{0:0000}.eu.example.com")]
    [InlineData("http.request.header.x-{0}")]
    [InlineData("service-{0:0000}-production")]
    [InlineData("eu-west-service-{0:0000}-production-frontend")]
    [InlineData("a long name, longer than four words of the machine, {0:0000}, and as much text behind its number as before it")]
    public void A_pool_that_is_half_full_keeps_nearly_all_texts(string format)
    {
        const int count = 4_096;
        var pool = new Utf8StringPool(capacity: 8_192);
        string[] first = [.. Enumerable.Range(0, count).Select(Get)];
        var missed = Enumerable.Range(0, count).Count(i => !ReferenceEquals(Get(i), first[i]));
        Assert.True(missed <= count / 20, $"{missed} of {count} texts are new strings again");

        string Get(int i) => pool.GetOrAdd(Encoding.UTF8.GetBytes(string.Format(CultureInfo.InvariantCulture, format, i)));
    }

    [Fact]
    public void Longer_texts_are_new_each_time_and_empty_ones_never()
    {
        var pool = new Utf8StringPool(maxLength: 4);
        Assert.Same(pool.GetOrAdd("four"u8), pool.GetOrAdd("four"u8));
        Assert.NotSame(pool.GetOrAdd("fives"u8), pool.GetOrAdd("fives"u8));
        Assert.Equal("fives", pool.GetOrAdd("fives"u8));
        Assert.Same("", pool.GetOrAdd([]));
    }

    [Fact]
    public void What_is_not_UTF8_is_replaced_and_not_kept()
    {
        var pool = new Utf8StringPool();
        Assert.Equal("a\uFFFDb", pool.GetOrAdd([(byte)'a', 0xFF, (byte)'b']));
        Assert.Equal("a\uFFFDb", pool.GetOrAdd([(byte)'a', 0xC3, (byte)'b']));
        Assert.Equal("a\uFFFDb", pool.GetOrAdd("a\uFFFDb"u8));
        Assert.NotSame(pool.GetOrAdd([(byte)'a', 0xFF, (byte)'b']), pool.GetOrAdd([(byte)'a', 0xFF, (byte)'b']));
    }

    // The text stands between bytes that are not its own, and one byte outside of ASCII comes at each place.
    [Fact]
    public void A_text_of_any_length_is_what_the_framework_makes_of_it()
    {
        var pool = new Utf8StringPool(maxLength: 1);
        for (var length = 0; length <= 260; length++)
        {
            for (var place = -1; place < length; place++)
            {
                byte[] bytes = [0xFF, .. Enumerable.Range(0, length).Select(i => (byte)('A' + (i % 50))), 0xFF];
                if (place >= 0) bytes[1 + place] = 0xE9;
                var text = bytes.AsSpan(1, length);
                Assert.Equal(Encoding.UTF8.GetString(text), pool.GetOrAdd(text));
            }
        }
    }

    [Fact]
    public void A_text_that_it_has_allocates_nothing()
    {
        var pool = new Utf8StringPool();
        byte[] text = [.. "an é, and letters"u8];
        pool.GetOrAdd(text);
        Assert.Equal(0, AllocatedBytes.Of(() =>
        {
            for (var i = 0; i < 1000; i++)
                pool.GetOrAdd(text);
        }));
    }

    /// <summary>As of a message that is released too early: the caller gets any text, and the pool is right for all others.</summary>
    [Fact]
    public void Memory_that_changes_during_a_call_leaves_no_wrong_entry()
    {
        foreach (var length in new[] { 3, 7, 8, 16, 17, 40, 256 })
        {
            byte[][] texts = [[.. Enumerable.Repeat((byte)'a', length)], [.. Enumerable.Repeat((byte)'b', length)]];
            string[] expected = [new('a', length), new('b', length)];
            byte[] shared = [.. texts[0]];
            var isOver = false;
            Threads.Run(2, index =>
            {
                if (index == 0)
                {
                    for (var i = 0; !Volatile.Read(ref isOver); i++) texts[i % 2].CopyTo(shared, 0);
                    return;
                }

                try
                {
                    for (var i = 0; i < 50_000; i++)
                    {
                        var pool = new Utf8StringPool(capacity: 2, maxLength: 256);
                        pool.GetOrAdd(shared);
                        Assert.Equal(expected[0], pool.GetOrAdd(texts[0]));
                        Assert.Equal(expected[1], pool.GetOrAdd(texts[1]));
                    }
                }
                finally
                {
                    Volatile.Write(ref isOver, true);
                }
            });
        }
    }

    /// <summary>A reader that is late: another thread releases the message, and the next renter fills the memory.</summary>
    [Fact]
    public void A_text_of_a_released_message_is_its_own_or_an_exception()
    {
        const int length = 200_000;
        byte[] wire = [0x0A, .. LengthOf(length), .. Enumerable.Repeat((byte)'a', length)];
        byte[] other = [0x0A, .. LengthOf(length), .. Enumerable.Repeat((byte)'b', length)];
        var expected = new string('a', length);
        using var pool = SlabPool.Create(new() { SlabSize = 1 << 20 });
        var strings = new Utf8StringPool();
        for (var i = 0; i < 300; i++)
        {
            var message = Message<Note>.Rent(pool);
            var text = message.Parse(wire).Text;
            using var barrier = new Barrier(2);
            Threads.Run(2, index =>
            {
                barrier.SignalAndWait();
                if (index == 0)
                {
                    // The read takes about 100 μs: some releases come before it, some inside of it, some after it.
                    Thread.SpinWait(10 * i);
                    message.Dispose();
                    using var next = Message<Note>.Rent(pool);
                    next.Parse(other);
                    return;
                }

                try
                {
                    Assert.Equal(expected, text.ToString(strings));
                }
                catch (ObjectDisposedException)
                {
                    // The documented outcome of a late read.
                }
            });
        }

        static byte[] LengthOf(int length) => [(byte)(length | 0x80), (byte)((length >> 7) | 0x80), (byte)(length >> 14)];
    }

    [Theory]
    [InlineData(1, 128)]
    [InlineData((1 << 24) + 1, 128)]
    [InlineData(8, 0)]
    [InlineData(8, 257)]
    public void Numbers_out_of_range_are_refused(int capacity, int maxLength) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new Utf8StringPool(capacity, maxLength));

    [Fact]
    public async Task Threads_may_share_it()
    {
        var pool = new Utf8StringPool(capacity: 16);
        await Task.WhenAll(Enumerable.Range(0, 4).Select(thread => Task.Run(() =>
        {
            var random = new Random(thread);
            for (var i = 0; i < 50_000; i++)
            {
                var text = $"text {random.Next(64)}";
                Assert.Equal(text, pool.GetOrAdd(Encoding.UTF8.GetBytes(text)));
            }
        }, TestContext.Current.CancellationToken)));
    }
}

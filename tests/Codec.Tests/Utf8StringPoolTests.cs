using System.Globalization;
using System.Text;
using ProtoBench.Testing;

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
        for (var length = 0; length <= 70; length++)
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

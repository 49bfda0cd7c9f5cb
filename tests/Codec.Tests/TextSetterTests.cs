using System.Text;
using ProtoBench.Allocators;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>A .NET string is stored as the UTF-8 that the framework's encoder makes of it, whatever it contains and wherever it is
/// stored.</summary>
public class TextSetterTests
{
    // Longer than the longest text that is encoded without a loop, and than a block of the loop.
    const int longest = 70;

    /// <summary>Gets texts of each length: ASCII, and with one other character at each place.</summary>
    static IEnumerable<string> Texts()
    {
        for (var length = 0; length <= longest; length++)
        {
            var ascii = string.Concat(Enumerable.Range(0, length).Select(i => (char)(' ' + (i * 7 % 95))));
            yield return ascii;
            yield return new('\u007F', length);
            yield return new('\u20AC', length);
            foreach (var other in new[] { "\u0080", "\u00FF", "\u0100", "\u7F41", "\u8000", "\uFFFF", "\uD83D\uDE00", "\uD83D", "\uDE00" })
            {
                for (var at = 0; at <= length - other.Length; at++) yield return ascii[..at] + other + ascii[(at + other.Length)..];
            }
        }
    }

    [Fact]
    public void A_text_is_what_the_framework_encodes()
    {
        using var message = Animal.Rent();
        foreach (var text in Texts())
        {
            var animal = message.Value;
            animal.SetStreet("before");
            animal.SetName(text);
            animal.SetPhoto([1, 2, 3]);
            animal.MutableMother().SetName(text + text);
            Assert.Equal(Encoding.UTF8.GetBytes(text), animal.Name.Span.ToArray());
            Assert.Equal(Encoding.UTF8.GetBytes(text + text), animal.Mother.Name.Span.ToArray());
            Assert.Equal([1, 2, 3], animal.Photo.ToArray());
            message.Clear();
        }
    }

    [Fact]
    public void Texts_that_follow_each_other_are_kept_in_any_number_of_stretches()
    {
        using var message = Unpacked.Rent();
        var expected = new Gpb.Unpacked();
        foreach (var text in Texts())
        {
            message.Value.AddStringValues(text);

            // Google's writer refuses a lone surrogate.
            expected.StringValues.Add(Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text)));
        }

        Assert.Equal(Google.Protobuf.MessageExtensions.ToByteArray(expected), message.ToByteArray());
    }

    [Fact]
    public void A_map_key_is_what_the_framework_encodes()
    {
        using var message = Zoo.Rent();
        foreach (var text in Texts())
        {
            message.Value.SetVisitors(text, 5);
            Assert.Equal(Encoding.UTF8.GetBytes(text), message.Value.Visitors.Single().Key.Span.ToArray());
            Assert.True(message.Value.TryGetVisitors(text, out _));
            message.Clear();
        }
    }

    /// <summary>A text takes as much memory as its UTF-8, also at the end of the pool's memory.</summary>
    [Theory]
    [InlineData("a")]
    [InlineData("\u00E9")]
    [InlineData("\u20AC")]
    [InlineData("\uD83D\uDE00")]
    public void A_text_that_just_fits_is_stored(string character)
    {
        const int count = 11;
        var text = string.Concat(Enumerable.Repeat(character, count));
        var bytes = Encoding.UTF8.GetBytes(text);
        using var pool = SlabPool.Create(new() { SlabSize = 64 * 1024, MaxBytes = 64 * 1024 });
        var all = 0;
        using (var message = Message<Unpacked>.Rent(pool))
        {
            // Bytes of a length that divides no stretch, and then one by one.
            while (TryAdd(message.Value, new byte[999])) all += 999;
            while (TryAdd(message.Value, new byte[1])) all++;
        }

        foreach (var missing in new[] { 0, 1 })
        {
            using var message = Message<Unpacked>.Rent(pool);
            var rest = all - bytes.Length + missing;
            for (; rest >= 999; rest -= 999) message.Value.AddBytesValues(new byte[999]);
            for (; rest > 0; rest--) message.Value.AddBytesValues(new byte[1]);
            if (missing == 0)
            {
                message.Value.AddStringValues(text);
                Assert.Equal(bytes, message.Value.StringValues.Single().Span.ToArray());
                Assert.All(message.Value.BytesValues, value => Assert.True(value.Span.IndexOfAnyExcept((byte)0) < 0));
            }
            else
            {
                Assert.Throws<SlabPoolExhaustedException>(() => message.Value.AddStringValues(text));
                Assert.Equal(0, message.Value.StringValues.Count);
            }
        }
    }

    static bool TryAdd(Unpacked message, byte[] value)
    {
        try
        {
            message.AddBytesValues(value);
            return true;
        }
        catch (SlabPoolExhaustedException)
        {
            return false;
        }
    }
}

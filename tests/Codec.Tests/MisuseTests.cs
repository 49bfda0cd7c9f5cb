using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

public class MisuseTests
{
    [Fact]
    public void A_stream_that_changes_the_message_is_refused_and_leaves_it_empty()
    {
        using var message = Echo.Rent();
        Assert.Throws<InvalidOperationException>(() =>
            message.Parse(new Reentrant(Input(), () => message.Value.SetBody(new byte[5000]))));
        Assert.Equal(0, message.CalculateSize());
        Assert.Equal(Input(), Written(message, Input()));
    }

    [Fact]
    public void An_index_that_is_not_there_is_named()
    {
        using var message = Unpacked.Rent();
        message.Value.AddStringValues("one");
        using var animal = Animal.Rent();
        AssertNamed(-1, 1, () => message.Value.StringValues[-1]);
        AssertNamed(1, 1, () => message.Value.StringValues[1]);
        AssertNamed(0, 0, () => message.Value.BytesValues[0]);
        AssertNamed(-5, 0, () => animal.Value.Young[-5]);
        AssertNamed(3, 1, () => message.Value.RemoveStringValuesAt(3));
        AssertNamed(-1, 0, () => message.Value.SetInt32Values(-1, 7));
    }

    [Fact]
    public void A_default_view_throws_as_a_null_reference_does()
    {
        using var message = Animal.Rent();
        Assert.Throws<NullReferenceException>(() => default(Animal).Name);
        Assert.Throws<NullReferenceException>(() => default(Animal).SetName("Ada"));
        Assert.Throws<NullReferenceException>(() => default(Animal).ToString());
        Assert.Throws<NullReferenceException>(() => message.Value.CopyFrom(default));
        Assert.Throws<NullReferenceException>(() => message.Value.MergeFrom(default(Animal)));
        Assert.Throws<NullReferenceException>(() => message.Value.Equals(default(Animal)));
        Assert.Equal(("", 0, 0), (default(Utf8String).ToString(), default(Bytes).Length, default(MessageList<Animal>).Count));
    }

    static void AssertNamed(int index, int count, Func<object?> act) => AssertNamed(index, count, () => { act(); });

    static void AssertNamed(int index, int count, Action act)
    {
        var refusal = Assert.Throws<ArgumentOutOfRangeException>(nameof(index), act);
        Assert.Equal(index, refusal.ActualValue);
        Assert.StartsWith($"There is no element {index}: the list has {count}.", refusal.Message, StringComparison.Ordinal);
    }

    static byte[] Written(Message<Echo> message, byte[] input)
    {
        message.Parse(input);
        return message.ToByteArray();
    }

    static byte[] Input()
    {
        using var message = Echo.Rent();
        message.Value.SetBody(Enumerable.Repeat((byte)0x5E, 100_000).ToArray());
        return message.ToByteArray();
    }

    /// <summary>A stream that uses the message which it is read into, once, in its second read.</summary>
    sealed class Reentrant(byte[] input, Action act) : MemoryStream(input)
    {
        int reads;

        public override int Read(Span<byte> buffer)
        {
            if (++reads == 2) act();
            return base.Read(buffer[..Math.Min(10_000, buffer.Length)]);
        }
    }
}

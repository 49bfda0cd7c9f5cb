using System.Buffers;
using System.IO.Pipelines;
using Google.Protobuf;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>Memory that runs code when it is looked at, and sequences of a wrong length. Neither reaches another renter.</summary>
public class CallerMemoryTests
{
    // Every construct that keeps bytes, twice; keys that come twice.
    static readonly byte[] input = Content();

    public static TheoryData<string, string> Cases =>
        new(from form in forms.Keys from deed in new[] { "release", "clear", "parse", "throw" } select (form, deed));

    static readonly Dictionary<string, Action<Message<Zoo>, Func<byte[], ReadOnlyMemory<byte>>>> forms = new()
    {
        ["Parse(memory)"] = (message, own) => message.Parse(own(input)),
        ["Parse(one segment)"] = (message, own) => message.Parse(new ReadOnlySequence<byte>(own(input))),
        ["Parse(segments)"] = (message, own) => message.Parse(Parts(own)),
        ["ParseAsync"] = (message, own) => message.ParseAsync(PipeReader.Create(Parts(own))).AsTask().GetAwaiter().GetResult(),
        ["ParseAlias(memory)"] = (message, own) => message.ParseAlias(own(input)),
        ["ParseAlias(one segment)"] = (message, own) => message.ParseAlias(new ReadOnlySequence<byte>(own(input))),
        ["ParseAlias(segments)"] = (message, own) => message.ParseAlias(Parts(own)),
        ["MergeFrom(one segment)"] = (message, own) => message.MergeFrom(new ReadOnlySequence<byte>(own(input))),
        ["MergeFrom(segments)"] = (message, own) => message.MergeFrom(Parts(own)),
        ["view.MergeFrom(segments)"] = (message, own) => message.Value.MergeFrom(Parts(own)),
        ["MergeFrom(bytes), over aliased keys"] = (message, own) =>
        {
            message.ParseAlias(Parts(own));
            message.MergeFrom(input);
        },
        ["view.MergeFrom(bytes), over aliased keys"] = (message, own) => message.ParseAlias(Parts(own)).MergeFrom(input),
        ["CopyFrom(aliased)"] = (message, own) => FromAliased(own, other => message.CopyFrom(other)),
        ["MergeFrom(aliased)"] = (message, own) => FromAliased(own, other => message.MergeFrom(other)),
        ["view.CopyFrom(aliased)"] = (message, own) => FromAliased(own, other => message.Value.CopyFrom(other.Value)),
        ["view.MergeFrom(aliased)"] = (message, own) => FromAliased(own, other => message.Value.MergeFrom(other.Value)),
        ["part.CopyFrom(aliased)"] = (message, own) => FromAliased(own, other => message.Value.MutableBranch().CopyFrom(other.Value.Branch)),
        ["a key looked up"] = (message, own) => message.ParseAlias(Parts(own)).TryGetVisitors("visitor 3", out _),
        ["a key set"] = (message, own) => message.ParseAlias(Parts(own)).SetVisitors("visitor 3", 4),
        ["a key removed"] = (message, own) => message.ParseAlias(Parts(own)).RemoveVisitors("visitor 3"),
        ["compared"] = (message, own) => FromAliased(own, other => _ = message.ParseAlias(Parts(own)) == other.Value),
        ["printed"] = (message, own) => _ = message.ParseAlias(Parts(own)).ToString(),
        ["written"] = (message, own) =>
        {
            message.ParseAlias(Parts(own));
            message.WriteTo(new ArrayBufferWriter<byte>());
        },
    };

    /// <summary>At each look at the bytes the code ends the renting, and somebody else rents the memory.</summary>
    [Theory]
    [MemberData(nameof(Cases))]
    public void Memory_that_runs_code_does_not_reach_the_next_renters_message(string form, string deed)
    {
        for (var at = 0; ; at++)
        {
            var looks = 0;
            var victim = default(Message<Zoo>);
            var message = Zoo.Rent();
            try
            {
                var refusal = Record.Exception(() => forms[form](message, bytes => new MemoryWithCode(bytes, Code).Memory));
                Assert.True(refusal is null or ObjectDisposedException or InvalidOperationException or TimeoutException,
                    $"{form}, {deed} at look {at}: {refusal}");
                if (victim != default)
                {
                    Assert.IsType<ObjectDisposedException>(refusal);
                    AssertUntouched(victim, $"{form}, {deed} at look {at}");
                }
                else if (deed == "throw" && looks > at)
                {
                    Assert.IsType<TimeoutException>(refusal);
                }
            }
            finally
            {
                message.Dispose();
                victim.Dispose();
            }

            Assert.True(looks > 0, "the code never ran");
            if (looks <= at) return;

            void Code()
            {
                if (looks++ != at) return;
                switch (deed)
                {
                    case "release":
                        message.Dispose();
                        victim = Zoo.Rent();
                        Fill(victim);
                        break;
                    case "clear":
                        message.Clear();
                        break;
                    case "parse":
                        message.Parse(input);
                        break;
                    default:
                        throw new TimeoutException();
                }
            }
        }
    }

    public static TheoryData<string, long> FalseLengths =>
        new(from form in new[] { "Parse", "ParseAlias", "MergeFrom", "view.MergeFrom" }
            from lie in new[] { 1L, 3_900, 1_000_000, int.MaxValue, -1, -3 }
            select (form, lie));

    /// <summary>More bytes than its segments have, or fewer. No byte of an earlier message is in this one.</summary>
    [Theory]
    [MemberData(nameof(FalseLengths))]
    public void A_sequence_that_says_a_wrong_length_is_refused(string form, long lie)
    {
        for (var i = 0; i < 3; i++)
        {
            using var before = Echo.Rent();
            before.Value.SetBody(Enumerable.Repeat((byte)0x5E, 5_000).ToArray());
        }

        using var message = Echo.Rent();
        message.Value.SetBody("before"u8);
        var length = (ulong)Math.Max(0, 4 + lie);
        byte[] first = [0x0A, (byte)(length | 0x80), (byte)((length >> 7) & 0x7F)];
        var segments = Segments.Of([first, new byte[] { 1, 2, 3, 4 }], lie);
        Assert.NotEqual(7, segments.Length);
        var refusal = Assert.Throws<ArgumentException>(() =>
        {
            switch (form)
            {
                case "Parse": message.Parse(segments); break;
                case "ParseAlias": message.ParseAlias(segments); break;
                case "MergeFrom": message.MergeFrom(segments); break;
                default: message.Value.MergeFrom(segments); break;
            }
        });
        Assert.Contains("7 bytes", refusal.Message, StringComparison.Ordinal);
        Assert.Equal("before"u8, message.Value.Body.Span);
    }

    static void FromAliased(Func<byte[], ReadOnlyMemory<byte>> own, Action<Message<Zoo>> use)
    {
        using var other = Zoo.Rent();
        other.ParseAlias(Parts(own));
        use(other);
    }

    static void Fill(Message<Zoo> message)
    {
        var zoo = message.Value;
        zoo.MutableScalars().SetStringValue(new string('v', 5_000));
        for (var i = 0; i < 40; i++)
        {
            zoo.SetVisitors("victim " + i, i);
            zoo.AddCages().SetLabel("victim");
        }
    }

    static void AssertUntouched(Message<Zoo> victim, string place)
    {
        using var expected = Zoo.Rent();
        Fill(expected);
        Assert.True(expected.ToByteArray().AsSpan().SequenceEqual(victim.ToByteArray()), place + ": the other message was changed");
        for (var i = 0; i < 40; i++) Assert.True(victim.Value.TryGetVisitors("victim " + i, out _), place + ": a key is lost");
    }

    static ReadOnlySequence<byte> Parts(Func<byte[], ReadOnlyMemory<byte>> own) =>
        Segments.Of(input.Chunk(input.Length / 5).Select(own));

    static byte[] Content()
    {
        var zoo = new Gpb.Zoo { Scalars = new() { StringValue = new('s', 300) }, Branch = new() };
        foreach (var one in new[] { zoo, zoo.Branch })
        {
            for (var i = 0; i < 12; i++) one.Visitors.Add("visitor " + i, i);
            for (var i = 0; i < 3; i++) one.Cages.Add(new Gpb.Cage { Label = "cage \u00E9 " + i, Animals = { new Gpb.Animal { Name = "a" } } });
            one.Unpacked = new() { BytesValues = { ByteString.CopyFrom(new byte[50]), ByteString.Empty }, StringValues = { "x", "y" } };
            one.Animals.Add(7, new() { Name = "mapped", Street = "one street" });
        }

        // an unknown field in the middle, and one at the end
        return [.. zoo.ToByteArray(), 0xA2, 0x06, 2, 1, 2, .. zoo.Branch.ToByteArray(), 0xA2, 0x06, 1, 1];
    }
}

using Google.Protobuf;
using ProtoBench.Allocators;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>A message that is changed again and again without end: what takes memory, and what gives it back.</summary>
public class LongLivedMessageTests
{
    // What one round needs fits in. What grows with a million changes does not.
    static readonly SlabPoolOptions capped = new() { SlabSize = 64 * 1024, MaxBytes = 1 << 20 };

    static readonly byte[] full = new Gpb.Zoo
    {
        Scalars = new() { StringValue = "a string of more than thirty-two bytes", Int32Value = 5 },
        Packed = new() { Int32Values = { 1, 2, 3 } },
        Cages = { new Gpb.Cage { Label = "c", Animals = { new Gpb.Animal { Tag = 1 } } } },
        Visitors = { ["Ann"] = 1 },
        Animals = { [5] = new() { Name = "n" } },
    }.ToByteArray();

    [Fact]
    public void A_message_that_is_cleared_now_and_then_takes_no_more_memory()
    {
        using var pool = SlabPool.Create(capped);
        using var message = Codec.Message<Zoo>.Rent(pool);
        void Change(int rounds)
        {
            for (var round = 0; round < rounds; round++)
            {
                var zoo = message.Value;
                for (var i = 0; i < 500; i++)
                {
                    zoo.MergeFrom(full);
                    zoo.MutableScalars().SetStringValue("text"u8);
                    zoo.SetVisitors("Bob"u8, i);
                    zoo.RemoveVisitors("Bob"u8);
                    zoo.RemoveCagesAt(0);
                    if (i % 50 == 0) zoo.Clear();
                }

                message.Clear();
            }
        }

        // The arrays of the first rounds are enough for all others.
        Change(3);
        AssertSteady(() => Change(2_000));
    }

    [Theory]
    [InlineData("message")]
    [InlineData("view")]
    [InlineData("setters")]
    public void A_message_of_numbers_is_changed_without_end(string what)
    {
        var input = new Gpb.Small { Id = 1, Value = 2, Flag = true }.ToByteArray();
        using var pool = SlabPool.Create(capped);
        using var message = Codec.Message<Small>.Rent(pool);
        void Change(int times)
        {
            for (var i = 0; i < times; i++)
            {
                switch (what)
                {
                    case "message":
                        message.MergeFrom(input);
                        break;
                    case "view":
                        message.Value.MergeFrom(input);
                        break;
                    default:
                        message.Value.SetId(i);
                        message.Value.ClearId();
                        break;
                }
            }
        }

        Change(10);
        AssertSteady(() => Change(1_000_000));
        Assert.Equal(0, pool.Snapshot().LentSlabs);
    }

    [Fact]
    public void What_was_replaced_is_free_again_when_the_message_is_cleared()
    {
        using var pool = SlabPool.Create(capped);
        using var message = Codec.Message<WidePart>.Rent(pool);
        for (var round = 0; round < 3; round++)
        {
            var part = message.Value;
            var written = 0;
            Assert.Throws<SlabPoolExhaustedException>(() =>
            {
                for (; written < 1_000_000; written++) part.SetName($"name {written}");
            });
            Assert.True(written > 10_000, $"{written} strings");
            Assert.Equal($"name {written - 1}", part.Name.ToString());

            // A copy has only what is there.
            using (var others = SlabPool.Create(capped))
            using (var copy = Codec.Message<WidePart>.Rent(others))
            {
                copy.CopyFrom(message);
                Assert.True(copy.Value == part);
                Assert.Equal(1, others.Snapshot().LentSlabs);
            }

            // Neither gives anything back.
            part.ClearName();
            part.Clear();
            Assert.Throws<SlabPoolExhaustedException>(() =>
            {
                for (var i = 0; i < 1_000; i++) part.SetName(new string('x', 1_000));
            });
            message.Clear();
        }
    }

    [Fact]
    public void A_copy_that_does_not_fit_into_its_pool_is_empty()
    {
        using var source = Codec.Message<WidePart>.Rent();
        source.Value.SetName(new string('x', 2 * (int)capped.MaxBytes));
        using var pool = SlabPool.Create(capped);
        using (var copy = Codec.Message<WidePart>.Rent(pool))
        {
            copy.Value.SetName("old");
            Assert.Throws<SlabPoolExhaustedException>(() => copy.CopyFrom(source));
            Assert.Equal(0, copy.CalculateSize());
            copy.Value.SetName("new");
            Assert.Equal("new", copy.Value.Name.ToString());
        }

        Assert.Equal(0, pool.Snapshot().LentSlabs);
    }

    // An array that grows by doubling allocates in few of several runs, so the first run has a limit of its own. The limit is above the
    // unused room of a thread, and below an array with four bytes for each of a million changes.
    static void AssertSteady(Action changes)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        changes();
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);
        Assert.Equal(0, AllocatedBytes.Of(changes));
    }
}

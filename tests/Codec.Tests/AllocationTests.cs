using System.Buffers;
using Google.Protobuf;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

public class AllocationTests
{
    static readonly byte[] request = Samples.Hive();
    static readonly byte[] mixed = Samples.MixedHive();
    static readonly ReadOnlySequence<byte> segments =
        Segments.Cut(request, Enumerable.Range(1, request.Length / 4096).Select(i => 4096 * i));

    [Fact]
    public void Reading_and_writing_allocate_nothing()
    {
        var writer = new ArrayBufferWriter<byte>(1 << 20);
        var stream = new MemoryStream(new byte[1 << 20], 0, 1 << 20, true, true);
        var closed = new BufferedStream(new MemoryStream(new byte[1 << 20]));
        var span = new byte[1 << 20];
        Assert.Equal(0, Allocated(() =>
        {
            using var message = ForwardRequest.Rent();
            message.Parse(request.AsSpan());
            message.ParseAlias(mixed);
            message.ParseAlias(segments);
            message.Parse(segments);
            foreach (var item in message.Value.ItemRequests) _ = item.ItemId.Span.Length + item.ItemContext.Span.Length;
            writer.ResetWrittenCount();
            message.WriteTo(writer);
            message.WriteTo(span);
            stream.SetLength(0);
            message.WriteTo(stream);
            stream.Position = 0;
            message.Parse(stream);
            closed.SetLength(0);
            message.WriteTo(closed);
            closed.Position = 0;
            message.Parse(closed);
        }));
    }

    [Fact]
    public void Building_allocates_nothing() => Assert.Equal(0, Allocated(() =>
    {
        using var message = ForwardResponse.Rent();
        for (var i = 0; i < 1_000; i++)
        {
            var item = message.Value.AddItemResponses();
            item.SetResult(i);
            item.SetExtraResult("extra"u8);
        }

        message.CalculateSize();
    }));

    [Fact]
    public void A_zoo_allocates_nothing()
    {
        var generator = new WireGenerator(new Random(5));
        var wires = Enumerable.Range(0, 200).Select(_ => generator.Message(Gpb.Zoo.Descriptor, 0))
            .Where(wire => Subject.Of<Zoo>().Read(wire).Refusal is null).ToArray();
        var output = new byte[1 << 16];
        Assert.Equal(0, Allocated(() =>
        {
            foreach (var wire in wires)
            {
                using var message = Zoo.Rent();
                message.Parse(wire.AsSpan());
                message.WriteTo(output);
            }
        }));
    }

    [Fact]
    public void Merging_bytes_allocates_nothing()
    {
        var generator = new WireGenerator(new Random(7));
        var wires = Enumerable.Range(0, 100).Select(_ => generator.Message(Gpb.Zoo.Descriptor, 0))
            .Where(wire => wire.Length > 1 && Subject.Of<Zoo>().Read(wire).Refusal is null).ToArray();
        var cut = Array.ConvertAll(wires, wire => Segments.Cut(wire, wire.Length / 2));
        Assert.Equal(0, Allocated(() =>
        {
            using var message = Zoo.Rent();
            var branch = message.Value.MutableBranch();
            foreach (var wire in wires) branch.MergeFrom(wire);
            foreach (var wire in cut) branch.MergeFrom(wire);
            foreach (var wire in cut) message.MergeFrom(wire);
        }));
    }

    /// <summary>Each merge uses a second message of the type for a moment, a small one: the large one keeps its arrays.</summary>
    [Fact]
    public void Merging_bytes_many_times_allocates_nothing()
    {
        var input = new Gpb.Zoo { Cages = { new Gpb.Cage { Label = "c" } }, Visitors = { ["Ann"] = 1 } }.ToByteArray();
        Assert.Equal(0, Allocated(() =>
        {
            using var message = Zoo.Rent();
            var branch = message.Value.MutableBranch();
            for (var i = 0; i < 2_000; i++) branch.MergeFrom(input);
        }));
    }

    [Fact]
    public void An_array_is_all_that_ToByteArray_allocates()
    {
        using var message = ForwardRequest.Rent();
        message.Parse(request.AsSpan());
        Assert.Equal(Allocated(() => GC.AllocateUninitializedArray<byte>(request.Length)), Allocated(() => message.ToByteArray()));
    }

    static long Allocated(Action action)
    {
        for (var i = 0; i < 5; i++) action();
        return AllocatedBytes.Of(action);
    }
}

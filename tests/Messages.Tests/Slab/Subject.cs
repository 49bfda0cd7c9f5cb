using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Allocators;
using ProtoBench.Codec;
using ProtoBench.Slab;

namespace ProtoBench.Messages.Tests.Slab;

/// <summary>A message type in both libraries, and the judgement of one input by both.</summary>
abstract class Subject
{
    public static IReadOnlyList<Subject> All { get; } =
    [
        new Subject<Gpb.ForwardRequest, ForwardRequest>(Gpb.ForwardRequest.Parser, Gpb.ForwardRequest.Descriptor, Census.Google),
        new Subject<Gpb.ForwardPerItemRequest, ForwardPerItemRequest>(Gpb.ForwardPerItemRequest.Parser, Gpb.ForwardPerItemRequest.Descriptor, Census.Google),
        new Subject<Gpb.ForwardResponse, ForwardResponse>(Gpb.ForwardResponse.Parser, Gpb.ForwardResponse.Descriptor, Census.Google),
        new Subject<Gpb.ForwardPerItemResponse, ForwardPerItemResponse>(Gpb.ForwardPerItemResponse.Parser, Gpb.ForwardPerItemResponse.Descriptor, Census.Google),
        new Subject<Gpb.ColorGroups, ColorGroups>(Gpb.ColorGroups.Parser, Gpb.ColorGroups.Descriptor, Census.Google),
        new Subject<Gpb.Scalars, Scalars>(Gpb.Scalars.Parser, Gpb.Scalars.Descriptor, Census.Google),
        new Subject<Gpb.Packed, Packed>(Gpb.Packed.Parser, Gpb.Packed.Descriptor, Census.Google),
        new Subject<Gpb.Unpacked, Unpacked>(Gpb.Unpacked.Parser, Gpb.Unpacked.Descriptor, Census.Google),
        new Subject<Gpb.Optionals, Optionals>(Gpb.Optionals.Parser, Gpb.Optionals.Descriptor, Census.Google),
        new Subject<Gpb.Animal, Animal>(Gpb.Animal.Parser, Gpb.Animal.Descriptor, Census.Google),
        new Subject<Gpb.Zoo, Zoo>(Gpb.Zoo.Parser, Gpb.Zoo.Descriptor, Census.Google),
    ];

    public abstract MessageDescriptor Descriptor { get; }

    /// <summary>Both libraries judge an input; fails where they may not differ.</summary>
    public abstract void Compare(byte[] wire);

    /// <summary>The input in segments gives what it gives in one piece, copied and aliased.</summary>
    public abstract void CompareSegments(byte[] wire, ReadOnlySequence<byte> segments);

    /// <summary>What the slab codec makes of an input: the bytes that it writes again, or the reason why it refuses.</summary>
    public abstract (byte[]? Written, WireFormatException? Refusal) Read(byte[] wire);

    public static Subject Of<TSlab>()
        where TSlab : struct, IWireMessage<TSlab> => All.Single(subject => subject.GetType().GenericTypeArguments[1] == typeof(TSlab));
}

[SuppressMessage("Design", "CA1001", Justification = "the subjects live as long as the tests")]
sealed class Subject<TGoogle, TSlab>(MessageParser<TGoogle> parser, MessageDescriptor descriptor, Func<TSlab, TGoogle> census) : Subject
    where TGoogle : class, IMessage<TGoogle>
    where TSlab : struct, IWireMessage<TSlab>
{
    readonly MessageParser<TGoogle> strict = parser.WithDiscardUnknownFields(true);

    // Small slabs: the twin poisons and checks a whole slab for each case.
    readonly DiagnosticSlabPool pool = new(SlabPool.Create(new() { SlabSize = 4096 }));

    public override MessageDescriptor Descriptor => descriptor;

    public override void Compare(byte[] wire)
    {
        var (google, unknownDropped) = Google(wire);
        using (var message = Message<TSlab>.Rent(pool))
        {
            WireFormatException? refusal = null;
            try
            {
                message.Parse(wire.AsSpan());
            }
            catch (WireFormatException e)
            {
                refusal = e;
            }

            if (refusal is null)
            {
                Assert.NotNull(google);
                Judge(google, unknownDropped!, message);
            }
            else if (google is not null)
            {
                Assert.True(IsNamedDifference(refusal, wire), $"Google.Protobuf accepts what is refused: {refusal.Message}");
            }
        }

        pool.ThrowIfOutstanding();
    }

    public override void CompareSegments(byte[] wire, ReadOnlySequence<byte> segments)
    {
        var expected = Read(wire);
        Assert.Equal(expected, Read(message => message.Parse(segments)), Same);
        Assert.Equal(expected, Read(message => message.ParseAlias(segments)), Same);
        Assert.Equal(expected, Read(message => message.ParseAlias(wire)), Same);
    }

    public override (byte[]? Written, WireFormatException? Refusal) Read(byte[] wire) => Read(message => message.Parse(wire.AsSpan()));

    static (byte[]? Written, WireFormatException? Refusal) Read(Action<Message<TSlab>> parse)
    {
        using var message = Message<TSlab>.Rent();
        try
        {
            parse(message);
            return (message.ToByteArray(), null);
        }
        catch (WireFormatException e)
        {
            return (null, e);
        }
    }

    static bool Same((byte[]? Written, WireFormatException? Refusal) one, (byte[]? Written, WireFormatException? Refusal) other) =>
        one.Refusal?.Reason == other.Refusal?.Reason && one.Refusal?.Offset == other.Refusal?.Offset && one.Written.AsSpan().SequenceEqual(other.Written);

    (TGoogle? Message, TGoogle? UnknownDropped) Google(byte[] wire)
    {
        try
        {
            return (parser.ParseFrom(wire), strict.ParseFrom(wire));
        }
        catch (InvalidProtocolBufferException)
        {
            return (null, null);
        }
    }

    void Judge(TGoogle google, TGoogle unknownDropped, Message<TSlab> message)
    {
        Assert.Equal(unknownDropped, census(message.Value));
        var written = message.ToByteArray();
        Assert.Equal(written.Length, message.CalculateSize());
        var expected = google.ToByteArray();
        if (written.AsSpan().SequenceEqual(expected)) return;
        Assert.Equal(google, parser.ParseFrom(written));

        // Bytes may differ only by unknown fields (their order) and by -0.0 (which Google.Protobuf drops).
        var hasUnknown = google.CalculateSize() != unknownDropped.CalculateSize();
        var hasNegativeZero = written.Length > expected.Length;
        Assert.True(hasUnknown || hasNegativeZero, "no unknown field, no -0.0, and yet other bytes");
    }

    static bool IsNamedDifference(WireFormatException refusal, byte[] wire) => refusal.Reason switch
    {
        WireError.InvalidUtf8 => true,

        // Google.Protobuf drops the bits beyond 32, and takes a packed field of negative length for an empty one.
        WireError.InvalidLength => true,
        WireError.InvalidTag => Varint(wire.AsSpan(refusal.Offset)) > uint.MaxValue,
        _ => false,
    };

    static ulong Varint(ReadOnlySpan<byte> wire)
    {
        var value = 0ul;
        for (var i = 0; i < 10; i++)
        {
            value |= (wire[i] & 0x7Ful) << (7 * i);
            if (wire[i] < 0x80) break;
        }

        return value;
    }
}

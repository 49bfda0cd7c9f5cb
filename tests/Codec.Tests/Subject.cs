using System.Buffers;
using System.Collections;
using System.Diagnostics.CodeAnalysis;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Allocators;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>A message type in both libraries, and the judgement of one input by both.</summary>
abstract class Subject
{
    public static IReadOnlyList<Subject> All { get; } =
    [
        new Subject<Gpb.ForwardRequest, ForwardRequest>(Gpb.ForwardRequest.Parser),
        new Subject<Gpb.ForwardPerItemRequest, ForwardPerItemRequest>(Gpb.ForwardPerItemRequest.Parser),
        new Subject<Gpb.ForwardResponse, ForwardResponse>(Gpb.ForwardResponse.Parser),
        new Subject<Gpb.ForwardPerItemResponse, ForwardPerItemResponse>(Gpb.ForwardPerItemResponse.Parser),
        new Subject<Gpb.ColorGroups, ColorGroups>(Gpb.ColorGroups.Parser),
        new Subject<Gpb.Scalars, Scalars>(Gpb.Scalars.Parser),
        new Subject<Gpb.Packed, Packed>(Gpb.Packed.Parser),
        new Subject<Gpb.Unpacked, Unpacked>(Gpb.Unpacked.Parser),
        new Subject<Gpb.Optionals, Optionals>(Gpb.Optionals.Parser),
        new Subject<Gpb.Animal, Animal>(Gpb.Animal.Parser),
        new Subject<Gpb.Zoo, Zoo>(Gpb.Zoo.Parser),
    ];

    public abstract MessageDescriptor Descriptor { get; }

    public abstract void Compare(byte[] wire);

    /// <summary>The same message as Google.Protobuf writes it, without what the schema does not know.</summary>
    public abstract byte[] Normalize(byte[] wire);

    /// <summary>The input in segments gives what it gives in one piece, copied and aliased.</summary>
    public abstract void CompareSegments(byte[] wire, ReadOnlySequence<byte> segments);

    public abstract void Attack(IReadOnlyList<byte[]> parts, int look, long lie, bool isAliased);

    /// <summary>What the slab codec makes of an input: the bytes that it writes again, or the reason why it refuses.</summary>
    public abstract (byte[]? Written, WireFormatException? Refusal) Read(byte[] wire);

    public static Subject Of<TSlab>()
        where TSlab : struct, ISlabMessage<TSlab> => All.Single(subject => subject.GetType().GenericTypeArguments[1] == typeof(TSlab));
}

[SuppressMessage("Design", "CA1001", Justification = "the subjects live as long as the tests")]
sealed class Subject<TGoogle, TSlab>(MessageParser<TGoogle> parser) : Subject
    where TGoogle : class, global::Google.Protobuf.IMessage<TGoogle>, new()
    where TSlab : struct, ISlabMessage<TSlab>
{
    static readonly MessageDescriptor descriptor = new TGoogle().Descriptor;

    readonly bool hasMaps = descriptor.Fields.InDeclarationOrder().Any(field => field.IsMap);
    readonly MessageParser<TGoogle> strict = parser.WithDiscardUnknownFields(true);

    // One for each thread, so that each test counts its own; with small slabs, because the twin poisons and checks a whole one each time.
    [ThreadStatic]
    static DiagnosticSlabPool? pool;

    public override MessageDescriptor Descriptor => descriptor;

    public override void Compare(byte[] wire)
    {
        pool ??= new(SlabPool.Create(new() { SlabSize = 4096 }));
        var google = Google(parser, wire);
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
                Judge(google, Google(strict, wire), message);
            }
            else if (google is not null)
            {
                Assert.True(IsNamedDifference(refusal, wire), $"Google.Protobuf accepts what is refused: {refusal.Message}");
            }
        }

        pool.ThrowIfOutstanding();
    }

    public override byte[] Normalize(byte[] wire) => strict.ParseFrom(wire).ToByteArray();

    public override void CompareSegments(byte[] wire, ReadOnlySequence<byte> segments)
    {
        var expected = Read(wire);
        Assert.Equal(expected, Read(message => message.Parse(segments)), Same);
        Assert.Equal(expected, Read(message => message.ParseAlias(segments)), Same);
        Assert.Equal(expected, Read(message => message.ParseAlias(wire)), Same);
    }

    public override void Attack(IReadOnlyList<byte[]> parts, int look, long lie, bool isAliased) =>
        MemoryWithCode.Attack<TSlab>(parts, look, lie, isAliased);

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
        one.Refusal?.Reason == other.Refusal?.Reason && one.Refusal?.Offset == other.Refusal?.Offset
        && one.Written.AsSpan().SequenceEqual(other.Written);

    static TGoogle? Google(MessageParser<TGoogle> parser, byte[] wire)
    {
        try
        {
            return parser.ParseFrom(wire);
        }
        catch (InvalidProtocolBufferException)
        {
            return null;
        }
    }

    void Judge(TGoogle google, TGoogle? unknownDropped, Message<TSlab> message)
    {
        // Where it drops unknown fields, Google.Protobuf allows groups one level less, and then has nothing to compare with.
        if (unknownDropped is not null) Assert.Equal(unknownDropped, MessageCopier.ToGoogle<TGoogle>(message.Value));
        var written = message.ToByteArray();
        Assert.Equal(written.Length, message.CalculateSize());
        var expected = google.ToByteArray();
        if (written.AsSpan().SequenceEqual(expected)) return;
        Assert.Equal(google, parser.ParseFrom(written));

        // Bytes may differ only by unknown fields (their order; in the entries
        // of maps Google.Protobuf drops them) and by -0.0 (it drops that).
        var hasUnknown = google.CalculateSize() != unknownDropped?.CalculateSize() || (hasMaps && written.Length > expected.Length);
        Assert.True(hasUnknown || HasNegativeZero(google), "no unknown field, no -0.0, and yet other bytes");
    }

    bool IsNamedDifference(WireFormatException refusal, byte[] wire) => refusal.Reason switch
    {
        WireError.InvalidUtf8 => true,

        // Google.Protobuf adds the length of a packed field to its position without a look at the overflow, and finds itself at its end.
        WireError.Truncated => wire.AsSpan().IndexOf((ReadOnlySpan<byte>)[0xFF, 0xFF, 0xFF, 0x07]) > 0,

        // It drops the bits beyond 32, and takes a packed field of negative length for an empty one.
        WireError.InvalidLength => true,

        // It drops those of a tag too, and steps over a tag of wire type 6 or 7 inside the entry of a map.
        WireError.InvalidTag =>
            Varint(wire.AsSpan(refusal.Offset)) is var tag
            && (tag > uint.MaxValue || wire.AsSpan(refusal.Offset).IndexOfAnyInRange((byte)0, (byte)0x7F) >= 5
                || (hasMaps && (tag & 7) >= 6)),
        _ => false,
    };

    static bool HasNegativeZero(object? value) => value switch
    {
        float number => number == 0 && float.IsNegative(number),
        double number => number == 0 && double.IsNegative(number),
        IMessage message => message.Descriptor.Fields.InDeclarationOrder().Any(field => HasNegativeZero(field.Accessor.GetValue(message))),
        IDictionary map => map.Values.Cast<object>().Any(HasNegativeZero),
        IList list => list.Cast<object>().Any(HasNegativeZero),
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

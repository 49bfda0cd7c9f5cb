using Google.Protobuf;
using ProtoBench.Codec;
using ProtoBench.Payloads;
using ProtoBench.Results;

namespace ProtoBench;

/// <summary>Checks before a run that all libraries read the same content (by its fingerprint) and write the required bytes, each in its own
/// format. It runs in the parent process, so that no measured process loads a library that it does not measure.</summary>
public static class LibraryValidation
{
    /// <summary>Each writes its golden bytes, and its content equals that of the first library.</summary>
    public static void Check(IReadOnlyList<MeasuredLibrary> libraries)
    {
        foreach (var library in libraries)
        {
            foreach (var message in Enum.GetValues<HiveMessage>())
                Check(library, libraries[0], message);
        }
    }

    public static string? FirstDifference(ReadOnlySpan<byte> written, ReadOnlySpan<byte> golden)
    {
        var at = written.CommonPrefixLength(golden);
        if (at == written.Length && at == golden.Length)
            return null;
        if (at == written.Length || at == golden.Length)
            return $"wrote {written.Length} bytes, expected {golden.Length}";
        return $"byte {at} written is 0x{written[at]:X2}, expected 0x{golden[at]:X2}";
    }

    static void Check(MeasuredLibrary library, MeasuredLibrary reference, HiveMessage message)
    {
        try
        {
            var codec = library.Codec!;
            var parsed = codec.Parse(message, codec.Payload(message));
            var fingerprint = codec.FingerprintOf(parsed);
            var expected = reference.Codec!.FingerprintOf(reference.Codec.Parse(message, reference.Codec.Payload(message)));
            if (fingerprint != expected)
                throw new ValidationException($"read {fingerprint} where {reference.PackageAndVersion} read {expected}");
            if (FirstDifference(codec.Write(parsed), codec.Golden(message)) is { } difference)
                throw new ValidationException(difference);
        }
#pragma warning disable CA1031 // a library may throw anything, and the result has its name and its message
        catch (Exception e)
#pragma warning restore CA1031
        {
            throw new ValidationException($"{library.PackageAndVersion} ({library.Cell}), {message}: {e.Message}", e);
        }
    }
}

/// <summary>Thrown when a library does not read or write the same as the others, so that its figures would not be comparable.</summary>
public sealed class ValidationException(string message, Exception? inner = null) : Exception(message, inner);

/// <summary>All libraries write the bytes that they read: wide, small and deepest messages, and lists of numbers.</summary>
static class WideValidation
{
    public static void Check()
    {
        Check<SlabProtobuf.Small>("Small", Wide.Small(), Gpb.Small.Parser);
        Check<SlabProtobuf.Animal>("Animal", Deep.Message(99), Gpb.Animal.Parser);
#if EDITIONS
        Check<SlabProtobuf.GroupedAnimal>("Animal of groups", Deep.Message(99, groups: true), Gpb.GroupedAnimal.Parser);
#endif
        CheckProtobufNet<Pbn.Animal>("Animal", Deep.Message(99));
        CheckProtobufNet<Pbn.GroupedAnimal>("Animal of groups", Deep.Message(99, groups: true));
        // protobuf-net reads both forms into either contract, so this compares the content of the two payloads
        Check("protobuf-net, groups as an Animal", ByProtobufNet<Pbn.Animal>(Deep.Message(99, groups: true)), Deep.Message(99));
        foreach (var shape in Enum.GetValues<Shape>()) Check<SlabProtobuf.Shapes>($"Shapes {shape}", Wide.Shapes(shape), Gpb.Shapes.Parser);
        foreach (var set in Enum.GetValues<WideSet>())
        {
            Check<SlabProtobuf.Wide20>($"Wide20 {set}", Wide.Message(20, set), Gpb.Wide20.Parser);
            Check<SlabProtobuf.Wide50>($"Wide50 {set}", Wide.Message(50, set), Gpb.Wide50.Parser);
            Check<SlabProtobuf.Wide100>($"Wide100 {set}", Wide.Message(100, set), Gpb.Wide100.Parser);
            Check<SlabProtobuf.Wide200>($"Wide200 {set}", Wide.Message(200, set), Gpb.Wide200.Parser);
        }
    }

    public static void CheckPacked()
    {
        CheckPacked<SlabProtobuf.PackedFloats, Pbn.PackedFloats>(PackedElement.Float, Gpb.PackedFloats.Parser);
        CheckPacked<SlabProtobuf.PackedDoubles, Pbn.PackedDoubles>(PackedElement.Double, Gpb.PackedDoubles.Parser);
        CheckPacked<SlabProtobuf.PackedInt32s, Pbn.PackedInt32s>(PackedElement.Int32, Gpb.PackedInt32s.Parser);
        CheckPacked<SlabProtobuf.PackedInt32s, Pbn.PackedInt32s>(PackedElement.Small, Gpb.PackedInt32s.Parser);
        CheckPacked<SlabProtobuf.PackedSInt64s, Pbn.PackedSInt64s>(PackedElement.SInt64, Gpb.PackedSInt64s.Parser);
    }

    static void CheckPacked<TSlab, TPbn>(PackedElement element, MessageParser google)
        where TSlab : struct, ISlabMessage<TSlab>
    {
        var (message, wire) = ($"list of {element}", PackedList.Message(element, 2_000));
        Check<TSlab>(message, wire, google);
        CheckProtobufNet<TPbn>(message, wire);
    }

    static void CheckProtobufNet<T>(string message, byte[] wire) => Check($"protobuf-net, {message}", ByProtobufNet<T>(wire), wire);

    static byte[] ByProtobufNet<T>(byte[] wire)
    {
        using var written = new MemoryStream();
        Pbn.ContractModel.Instance.Serialize(written, Pbn.ContractModel.Instance.Deserialize<T>(wire.AsSpan()));
        return written.ToArray();
    }

    static void Check<T>(string message, byte[] wire, MessageParser parser)
        where T : struct, ISlabMessage<T>
    {
        using var slab = Message<T>.Rent();
        slab.Parse(wire);
        Check($"Slab, {message}", slab.ToByteArray(), wire);
        Check($"Google, {message}", parser.ParseFrom(wire).ToByteArray(), wire);
    }

    static void Check(string what, byte[] written, byte[] wire)
    {
        if (LibraryValidation.FirstDifference(written, wire) is { } difference) throw new ValidationException($"{what}: {difference}");
    }
}

using ProtoBench.Codec;
using ProtoBench.Conformance;
using ProtoBench.SlabProtobuf;
using ProtoBench.SlabProtobuf.Descriptors;
using ProtoBench.SlabProtobuf.Sets;

namespace ProtoBench.Fuzz;

/// <summary>The first byte of an input chooses the message type. Every form reads the same from the rest, or refuses it for the same reason
/// at the same place, and what was written is read and written again without a change.</summary>
static class ParseTarget
{
    static readonly Action<byte[]>[] types =
    [
        Check<Slab.Proto2.TestAllTypesProto2>, Check<Slab.Proto3.TestAllTypesProto3>, Check<Slab.Edition2023.TestAllTypesEdition2023>,
        Check<Slab.Proto2.TestAllRequiredTypesProto2>, Check<FileDescriptorSet>, Check<Zoo>, Check<ForwardRequest>, Check<PackedMesh>,
        Check<Mesh>, Check<MapTile>, Check<Telemetry>, Check<SaveData>,
    ];

    public static void Run(byte[] input)
    {
        if (input.Length > 0) types[input[0] % types.Length](input[1..]);
    }

    static void Check<T>(byte[] wire)
        where T : struct, ISlabMessage<T>
    {
        var first = Rewrite<T>(Form.Copy, wire, discards: false);
        foreach (var form in Forms.All) Same(first, Rewrite<T>(form, wire, discards: false), $"{form} and {Form.Copy}");
        var known = Rewrite<T>(Form.Copy, wire, discards: true);
        foreach (var form in Forms.All) Same(known, Rewrite<T>(form, wire, discards: true), $"{form} and {Form.Copy}, without unknown fields");
        if ((first.Written is null) != (known.Written is null)) throw new FindingException("unknown fields decide whether the input is valid");
        if (first.Written is not { } written) return;
        Same(first, Rewrite<T>(Form.Copy, written, discards: false), "what was written, and the same once more");
        Same(known with { Discarded = 0 }, Rewrite<T>(Form.Copy, known.Written!, discards: true), "what was written without unknown fields");
        using var message = Message<T>.Rent();
        Print(message.Parse(wire.AsSpan()));
    }

    static Outcome Rewrite<T>(Form form, byte[] wire, bool discards)
        where T : struct, ISlabMessage<T>
    {
        using var message = Message<T>.Rent().WithDiscardUnknownFields(discards);
        try
        {
            form.Parse(message, wire);
        }
        catch (WireFormatException e)
        {
            return new(null, 0, e.Reason, e.Offset);
        }

        return new(form.Write(message), message.DiscardedFieldCount, default, 0);
    }

    static void Print<T>(T value)
        where T : struct, ISlabMessage<T>
    {
        _ = value.ToString();
        try
        {
            value.ToJson();
        }
        catch (Exception e) when (e is WireFormatException or (InvalidOperationException and not ObjectDisposedException))
        {
            // a well-known type has a value without JSON, or an Any has content of another type
        }
    }

    static void Same(Outcome one, Outcome other, string which)
    {
        if ((one.Discarded, one.Reason, one.Offset) != (other.Discarded, other.Reason, other.Offset)
            || !one.Written.AsSpan().SequenceEqual(other.Written))
            throw new FindingException($"{which}: {one}, and {other}");
    }

    // What was written again, or null and the reason of the refusal.
    sealed record Outcome(byte[]? Written, int Discarded, WireError Reason, long Offset)
    {
        public override string ToString() => Written is null ? $"{Reason} at {Offset}" : $"{Convert.ToHexString(Written)} ({Discarded} discarded)";
    }
}

using Google.Protobuf;
using ProtoBench.Codec;
using ProtoBench.Payloads;

namespace ProtoBench.Validation;

/// <summary>The wide messages, the small one and the deepest: both libraries write the bytes that they
/// read, before anything is timed.</summary>
static class WideValidation
{
    /// <exception cref="ValidationException">A library writes something else.</exception>
    public static void Check()
    {
        Check<SlabProtobuf.Small>("Small", Wide.Small(), Gpb.Small.Parser);
        Check<SlabProtobuf.Animal>("Animal", Deep.Message(99), Gpb.Animal.Parser);
        foreach (var set in Enum.GetValues<WideSet>())
        {
            Check<SlabProtobuf.Wide20>($"Wide20 {set}", Wide.Message(20, set), Gpb.Wide20.Parser);
            Check<SlabProtobuf.Wide50>($"Wide50 {set}", Wide.Message(50, set), Gpb.Wide50.Parser);
            Check<SlabProtobuf.Wide100>($"Wide100 {set}", Wide.Message(100, set), Gpb.Wide100.Parser);
            Check<SlabProtobuf.Wide200>($"Wide200 {set}", Wide.Message(200, set), Gpb.Wide200.Parser);
        }
    }

    static void Check<T>(string message, byte[] wire, MessageParser parser)
        where T : struct, Codec.IMessage<T>
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

using System.Globalization;
using System.Text.RegularExpressions;
using Google.Protobuf.Reflection;
using ProtoBench.Gpb;
using ProtoBench.Schemas;
using ProtobufTestMessages.Editions;
using ProtobufTestMessages.Proto2;
using ProtobufTestMessages.Proto3;

namespace ProtoBench.Fuzz;

/// <summary>The first byte of an input chooses the message type. The rest is the text of <c>load -d</c>, with its templates, and a file
/// with a message on each line. Both become messages, or are refused with one sentence that has the line.</summary>
static partial class DataTarget
{
    // a value can have 1 MiB, and many of them take a long time
    const int mostStrings = 4;

    static readonly MessageDescriptor[] types =
        [TestAllTypesProto3.Descriptor, TestAllTypesProto2.Descriptor, TestAllTypesEdition2023.Descriptor, Zoo.Descriptor];

    // a file follows its imports
    static readonly ProtoSchema schema = ProtoSchema.Of(new()
    {
        File = { types.SelectMany(type => type.File.Dependencies.Append(type.File)).Distinct().Select(file => file.ToProto()) },
    }, "the target");

    public static void Run(byte[] input)
    {
        if (input.Length == 0 || input.AsSpan().Count("randomString"u8) > mostStrings) return;
        var type = schema.Message(types[input[0] % types.Length].FullName);
        var text = input[1..];
        var isConstant = false;
        var made = Accepted(text, allowsUnknown =>
        {
            var template = new DataTemplate(text, "input", seed: 1);
            _ = template.AnyTypes;
            isConstant = template.IsConstant;
            return template.Make(type, 7, allowsUnknown);
        });
        var lines = Accepted(text, allowsUnknown => JsonPayload.EncodeLines(type, text, "input", allowsUnknown));
        var one = Accepted(text, allowsUnknown => [JsonPayload.Encode(type, text, "input", allowsUnknown)]);
        foreach (var message in new[] { made, lines, one }.SelectMany(messages => messages ?? []))
        {
            if (WireWalk.Of(type, message).Error is { } error) throw new FindingException($"{error}: {Convert.ToHexString(message)}");
        }

        if (one is not null && made is null ? text.AsSpan().IndexOf("{{"u8) < 0 : one is not null && isConstant && !Same(one, made!))
            throw new FindingException("a text that is one message has other ones");
    }

    /// <returns>The messages; null if the text is refused.</returns>
    static IReadOnlyList<byte[]>? Accepted(byte[] text, Func<bool, IReadOnlyList<byte[]>> read)
    {
        var strict = Read(text, () => read(false));
        var all = Read(text, () => read(true));
        // the time is another one in each reading
        return strict is null || (all is not null && (Same(strict, all) || text.AsSpan().IndexOf(".Timestamp"u8) >= 0)) ? all
            : throw new FindingException("messages without unknown fields differ if these are allowed");
    }

    static IReadOnlyList<byte[]>? Read(byte[] text, Func<IReadOnlyList<byte[]>> read)
    {
        try
        {
            return read();
        }
        catch (SchemaException e)
        {
            if (Place().Match(e.Message) is not { Success: true } place
                || int.Parse(place.Groups["line"].Value, CultureInfo.InvariantCulture) > 1 + text.AsSpan().Count((byte)'\n'))
                throw new FindingException($"no place, or more than one line: {e.Message}");
            return null;
        }
    }

    static bool Same(IReadOnlyList<byte[]> one, IReadOnlyList<byte[]> other) =>
        one.Count == other.Count && one.Zip(other).All(pair => pair.First.AsSpan().SequenceEqual(pair.Second));

    [GeneratedRegex(@"^input\((?<line>[1-9]\d*)\): [^\p{Cc}]+\z", RegexOptions.ExplicitCapture)]
    private static partial Regex Place();
}

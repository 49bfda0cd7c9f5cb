using System.Collections;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Harness;

/// <summary>Checks before a measurement that every library reads each payload and writes the same message.</summary>
static class Agreement
{
    /// <summary>Compares the output of each library with the message that Google.Protobuf reads from the payload.</summary>
    /// <param name="reference">Google.Protobuf, whose results of all other work the libraries have to write.</param>
    /// <returns>The first disagreement, with the payload, the library, the field and the offset; null if there is none.</returns>
    public static string? FirstDisagreement(MessageParser parser, PayloadSet payloads, ComparedLibrary reference,
        IEnumerable<ComparedLibrary> libraries)
    {
        ComparedLibrary[] all = [.. libraries];
        foreach (var payload in payloads.All)
        {
            var bytes = payload.Bytes.ToArray();
            IMessage expected;
            try
            {
                expected = parser.ParseFrom(bytes);
            }
            catch (InvalidProtocolBufferException e)
            {
                return $"{payload.Name}: Google.Protobuf cannot read it: {e.Message}";
            }

            var works = reference.Works.ToDictionary(work => work.Key, work => parser.ParseFrom(work.Value(bytes)));
            foreach (var library in all)
            {
                byte[] Written() => library.RoundTrip(library.FromProtobuf?.Invoke(bytes) ?? bytes);
                if (Compare(parser, expected, library, Written) is { } difference)
                    return $"{payload.Name}: {library.Package} {difference}";
                foreach (var (name, work) in library.Works)
                {
                    if (Compare(parser, works[name], library, () => work(bytes)) is { } other)
                        return $"{payload.Name}: {library.Package} ({name}) {other}";
                }
            }
        }

        return null;
    }

    /// <summary>Makes calls with each library. The messages that the service and the client read are compared with those that
    /// Google.Protobuf reads from the payloads. Every request and every reply is used at least once.</summary>
    /// <returns>The first disagreement, with the payload, the library and the field; null if there is none.</returns>
    public static async Task<string?> FirstDisagreementAsync(MeasuredMethod method, MessageParser parser, PayloadSet requests,
        PayloadSet replies)
    {
        foreach (var (library, start) in method.Libraries)
        {
            try
            {
                await using var fixture = await start().ConfigureAwait(false);
                for (var i = 0; i < Math.Max(requests.All.Count, replies.All.Count); i++)
                {
                    var (request, reply) = (requests.All[i % requests.All.Count], replies.All[i % replies.All.Count]);
                    var read = await fixture.ExchangeAsync(i).ConfigureAwait(false);
                    if ((Difference("request", parser, request, read.Request)
                        ?? Difference("reply", method.ReplyParser, reply, read.Reply)) is { } difference)
                        return $"{method.Path} with {library}: {difference}";
                }
            }
#pragma warning disable CA1031 // a call may throw anything, and the result has the library's name and its message
            catch (Exception e)
#pragma warning restore CA1031
            {
                return $"{method.Path} with {library}: {e.Message}";
            }
        }

        return null;
    }

    static string? Difference(string what, MessageParser parser, NamedPayload payload, ReadOnlyMemory<byte> read)
    {
        var (expected, got) = (parser.ParseFrom(payload.Bytes.ToArray()), parser.ParseFrom(read.ToArray()));
        return got.Equals(expected)
            ? null : $"{what} {payload.Name} was read as another message: {FirstField(expected, got) ?? "the unknown fields"}";
    }

    /// <summary>Separates the libraries that are measured from those that are left out.</summary>
    /// <returns>All libraries except optional ones that disagree, and the first disagreement of each of these.</returns>
    internal static (IReadOnlyList<ComparedLibrary> Measured, IReadOnlyList<string> LeftOut) Split(
        MessageParser parser, PayloadSet payloads, IReadOnlyList<ComparedLibrary> libraries)
    {
        List<ComparedLibrary> measured = [];
        List<string> leftOut = [];
        foreach (var library in libraries)
        {
            if (library.IsOptional && FirstDisagreement(parser, payloads, libraries[0], [library]) is { } disagreement)
                leftOut.Add(disagreement);
            else
                measured.Add(library);
        }

        return (measured, leftOut);
    }

    static string? Compare(MessageParser parser, IMessage expected, ComparedLibrary library, Func<byte[]> write)
    {
        try
        {
            var written = write();
            written = library.ToProtobuf?.Invoke(written) ?? written;
            var read = parser.ParseFrom(written);
            if (read.Equals(expected))
                return null;
            var golden = expected.ToByteArray();
            var at = written.AsSpan().CommonPrefixLength(golden);
            return $"writes another message: {FirstField(expected, read) ?? "the unknown fields"}; the bytes differ from offset {at} "
                + $"on ({written.Length} written, Google.Protobuf writes {golden.Length})";
        }
#pragma warning disable CA1031 // a library may throw anything, and the result has its name and its message
        catch (Exception e)
#pragma warning restore CA1031
        {
            return $"fails: {e.GetBaseException().Message}";
        }
    }

    /// <summary>Returns the path of the first field in which two messages differ, such as <c>items[3].name</c>; null if there is
    /// none.</summary>
    internal static string? FirstField(IMessage one, IMessage other)
    {
        foreach (var field in one.Descriptor.Fields.InFieldNumberOrder())
        {
            var (left, right) = (field.Accessor.GetValue(one), field.Accessor.GetValue(other));
            if (Difference(field, left, right) is { } path)
                return field.Name + path;
        }

        return null;
    }

    static string? Difference(FieldDescriptor field, object? left, object? right)
    {
        if (field.IsMap || !field.IsRepeated)
            return left is IMessage one && right is IMessage other && FirstField(one, other) is { } inner
                ? "." + inner : Equals(left, right) ? null : "";
        var (lefts, rights) = ((IList)left!, (IList)right!);
        for (var i = 0; i < Math.Min(lefts.Count, rights.Count); i++)
        {
            if (lefts[i] is IMessage one && rights[i] is IMessage other && FirstField(one, other) is { } inner)
                return $"[{i}].{inner}";
            if (!Equals(lefts[i], rights[i]))
                return $"[{i}]";
        }

        return lefts.Count == rights.Count ? null : $" ({lefts.Count} and {rights.Count} elements)";
    }
}

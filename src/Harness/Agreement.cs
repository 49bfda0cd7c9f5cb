namespace ProtoBench.Harness;

/// <summary>Checks before a measurement that every library reads each payload and writes the same message.</summary>
/// <param name="reference">The library that others are compared with. They have to write what it writes for each other kind of
/// work.</param>
sealed class Agreement(PayloadFormat format, PayloadSet payloads, ComparedLibrary reference)
{
    Golden[] Expected => field ??= [.. payloads.All.Select(Expect)];

    /// <summary>Compares the output of each library with the payload, and for each other kind of work with what the reference
    /// writes.</summary>
    /// <returns>The first disagreement, with the payload, the library, the field and the offset; null if there is none.</returns>
    public string? FirstDisagreement(IEnumerable<ComparedLibrary> libraries)
    {
        ComparedLibrary[] all = [.. libraries];
        return Expected.SelectMany(golden => golden.WhyNot is { } why ? [why] : all.Select(library => Compare(golden, library)))
            .FirstOrDefault(difference => difference is not null);
    }

    /// <summary>Separates the libraries that are measured from those that are left out.</summary>
    /// <returns>All libraries except optional ones that disagree, and the first disagreement of each of these.</returns>
    public (IReadOnlyList<ComparedLibrary> Measured, IReadOnlyList<string> LeftOut) Split(IReadOnlyList<ComparedLibrary> libraries)
    {
        List<ComparedLibrary> measured = [];
        List<string> leftOut = [];
        foreach (var library in libraries)
        {
            if (library.IsOptional && FirstDisagreement([library]) is { } disagreement)
                leftOut.Add(disagreement);
            else
                measured.Add(library);
        }

        return (measured, leftOut);
    }

    /// <summary>Makes calls with each library. The messages that the service and the client read are compared with those that
    /// Google.Protobuf reads from the payloads. Every request and every reply is used at least once.</summary>
    /// <returns>The first disagreement, with the payload, the library and the field; null if there is none.</returns>
    public static async Task<string?> FirstDisagreementAsync(MeasuredMethod method, PayloadFormat format, PayloadSet requests,
        PayloadSet replies)
    {
        var formatOfReplies = PayloadFormat.Protobuf(method.ReplyParser);
        foreach (var (library, start) in method.Libraries)
        {
            try
            {
                await using var fixture = await start().ConfigureAwait(false);
                for (var i = 0; i < Math.Max(requests.All.Count, replies.All.Count); i++)
                {
                    var (request, reply) = (requests.All[i % requests.All.Count], replies.All[i % replies.All.Count]);
                    var read = await fixture.ExchangeAsync(i).ConfigureAwait(false);
                    if ((Difference("request", format, request, read.Request)
                        ?? Difference("reply", formatOfReplies, reply, read.Reply)) is { } difference)
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

    static string? Difference(string what, PayloadFormat format, NamedPayload payload, ReadOnlyMemory<byte> read) =>
        format.FirstDifference(format.Read(payload.Bytes), format.Read(read)) is { } field
            ? $"{what} {payload.Name} was read as another message: {field}" : null;

    // A reference that fails is a disagreement too: its values come from another library's reading.
    Golden Expect(NamedPayload payload)
    {
        var golden = new Golden(payload.Name, payload.Bytes.ToArray());
        var does = "cannot read it";
        try
        {
            golden = golden with { Message = format.Read(golden.Bytes) };
            foreach (var (name, work) in reference.Works)
            {
                does = $"({name}) fails";
                golden.Works.Add(name, format.Read(ToPayload(reference, work(golden.Bytes))));
            }

            return golden;
        }
#pragma warning disable CA1031 // a library may throw anything, and the result has its name and its message
        catch (Exception e)
#pragma warning restore CA1031
        {
            return golden with { WhyNot = $"{payload.Name}: {reference.Label} {does}: {e.GetBaseException().Message}" };
        }
    }

    string? Compare(Golden golden, ComparedLibrary library)
    {
        var bytes = golden.Bytes;
        if (Compare(golden.Message!, library, () => library.RoundTrip(library.FromPayload?.Invoke(bytes) ?? bytes)) is { } difference)
            return $"{golden.Payload}: {library.Package} {difference}";
        foreach (var (name, work) in library.Works)
        {
            if (Compare(golden.Works[name], library, () => work(bytes)) is { } other)
                return $"{golden.Payload}: {library.Package} ({name}) {other}";
        }

        return null;
    }

    string? Compare(object expected, ComparedLibrary library, Func<byte[]> write)
    {
        try
        {
            var written = ToPayload(library, write());
            if (format.FirstDifference(expected, format.Read(written)) is not { } field)
                return null;
            var usual = format.Write(expected);
            var at = written.AsSpan().CommonPrefixLength(usual);
            return $"writes another message: {field}; the bytes differ from offset {at} on ({written.Length} written, "
                + $"{reference.Label} writes {usual.Length})";
        }
#pragma warning disable CA1031 // a library may throw anything, and the result has its name and its message
        catch (Exception e)
#pragma warning restore CA1031
        {
            return $"fails: {e.GetBaseException().Message}";
        }
    }

    static byte[] ToPayload(ComparedLibrary library, byte[] written) => library.ToPayload?.Invoke(written) ?? written;

    /// <param name="Payload">Its name.</param>
    sealed record Golden(string Payload, byte[] Bytes)
    {
        public object? Message { get; init; }

        /// <summary>Gets what the reference writes for the other kinds of work, by their names.</summary>
        public Dictionary<string, object> Works { get; } = [];

        /// <summary>Gets why nothing can be compared with this payload; null if all can.</summary>
        public string? WhyNot { get; init; }
    }
}

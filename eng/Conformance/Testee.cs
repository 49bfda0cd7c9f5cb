using System.Text;
using Conformance;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec;
using ProtoBench.Schemas;
using Proto2 = ProtobufTestMessages.Proto2;
using Proto2Editions = ProtobufTestMessages.Editions.Proto2;
using WireFormat = Conformance.WireFormat;

namespace ProtoBench.Conformance;

/// <summary>Answers the requests of the suite, with Google's classes or with slab messages.</summary>
/// <param name="form">The form of the slab codec; null for Google's classes.</param>
/// <param name="readsBySchema">Whether JSON is read as the payloads of <c>new</c> and <c>load</c> are, and nothing else is read.</param>
sealed class Testee(Form? form, bool readsBySchema)
{
    static readonly Dictionary<string, (MessageDescriptor Google, Func<Form, ConformanceRequest, ConformanceResponse> Slab)> types = new[]
    {
        Of<Slab.Proto2.TestAllTypesProto2>(Proto2.TestAllTypesProto2.Descriptor),
        Of<Slab.Proto3.TestAllTypesProto3>(ProtobufTestMessages.Proto3.TestAllTypesProto3.Descriptor),
        Of<Slab.Edition2023.TestAllTypesEdition2023>(ProtobufTestMessages.Editions.TestAllTypesEdition2023.Descriptor),
        Of<Slab.Proto2Editions.TestAllTypesProto2>(Proto2Editions.TestAllTypesProto2.Descriptor),
        Of<Slab.Proto3Editions.TestAllTypesProto3>(ProtobufTestMessages.Editions.Proto3.TestAllTypesProto3.Descriptor),
    }.ToDictionary(type => type.Google.FullName);

    static readonly ExtensionRegistry extensions =
    [
        Proto2.TestMessagesProto2Extensions.ExtensionInt32,
        Proto2.TestAllTypesProto2.Types.MessageSetCorrectExtension1.Extensions.MessageSetExtension,
        Proto2.TestAllTypesProto2.Types.MessageSetCorrectExtension2.Extensions.MessageSetExtension,
        Proto2Editions.TestMessagesProto2EditionsExtensions.ExtensionInt32,
        Proto2Editions.TestAllTypesProto2.Types.MessageSetCorrectExtension1.Extensions.MessageSetExtension,
        Proto2Editions.TestAllTypesProto2.Types.MessageSetCorrectExtension2.Extensions.MessageSetExtension,
        ProtobufTestMessages.Editions.TestMessagesEdition2023Extensions.ExtensionInt32,
        ProtobufTestMessages.Editions.TestMessagesEdition2023Extensions.GroupLikeType,
        ProtobufTestMessages.Editions.TestMessagesEdition2023Extensions.DelimitedExt,
    ];

    // a file follows its imports
    static readonly ProtoSchema schema = ProtoSchema.Of(new()
    {
        File =
        {
            types.Values.SelectMany(type => type.Google.File.Dependencies.Append(type.Google.File)).Distinct()
                .Select(file => file.ToProto()),
        },
    }, "the suite");

    static readonly TypeRegistry registry = TypeRegistry.FromMessages(types.Values.Select(type => type.Google));

    static readonly ProtoJsonTypes slabTypes = new ProtoJsonTypes()
        .Add<Slab.Proto2.TestAllTypesProto2>().Add<Slab.Proto3.TestAllTypesProto3>().Add<Slab.Edition2023.TestAllTypesEdition2023>()
        .Add<Slab.Proto2Editions.TestAllTypesProto2>().Add<Slab.Proto3Editions.TestAllTypesProto3>();

    static readonly ProtoJsonOptions options = new() { Types = slabTypes };

    static readonly ProtoJsonOptions ignoringUnknown = new() { Types = slabTypes, IgnoreUnknownFields = true };

    public ConformanceResponse Answer(ConformanceRequest request)
    {
        // the first request, which asks for failures that the testee knows of
        if (request.MessageType == FailureSet.Descriptor.FullName) return new() { ProtobufPayload = ByteString.Empty };
        if (!types.TryGetValue(request.MessageType, out var type)) return new() { Skipped = "a message that this program does not have" };
        var (input, output) = (request.PayloadCase, request.RequestedOutputFormat);
        if (input is not (ConformanceRequest.PayloadOneofCase.ProtobufPayload or ConformanceRequest.PayloadOneofCase.JsonPayload))
            return new() { Skipped = "no reader of this format" };
        if (output is not (WireFormat.Protobuf or WireFormat.Json or WireFormat.TextFormat))
            return new() { Skipped = "no writer of this format" };
        if (request.PrintUnknownFields) return new() { Skipped = "texts have no unknown fields" };
        if (readsBySchema)
        {
            if (input != ConformanceRequest.PayloadOneofCase.JsonPayload) return new() { Skipped = "no reader of this format" };
            try
            {
                var bytes = JsonPayload.Encode(schema.Message(request.MessageType), Encoding.UTF8.GetBytes(request.JsonPayload), "JSON",
                    allowsUnknown: request.TestCategory == TestCategory.JsonIgnoreUnknownParsingTest);
                request.ProtobufPayload = UnsafeByteOperations.UnsafeWrap(bytes);
            }
            catch (SchemaException e)
            {
                return new() { ParseError = e.Message };
            }
        }

        return form is { } slab ? type.Slab(slab, request) : Google(request, type.Google);
    }

    static (MessageDescriptor Google, Func<Form, ConformanceRequest, ConformanceResponse> Slab) Of<T>(MessageDescriptor google)
        where T : struct, ISlabMessage<T> => (google, Rewrite<T>);

    static ConformanceResponse Rewrite<T>(Form form, ConformanceRequest request)
        where T : struct, ISlabMessage<T>
    {
        using var message = Message<T>.Rent();
        T value;
        try
        {
            value = request.PayloadCase == ConformanceRequest.PayloadOneofCase.ProtobufPayload
                ? form.Parse(message, request.ProtobufPayload.ToByteArray())
                : form.ParseJson(message, request.JsonPayload,
                    request.TestCategory == TestCategory.JsonIgnoreUnknownParsingTest ? ignoringUnknown : options);
        }
        catch (Exception e) when (e is WireFormatException or ProtoJsonException)
        {
            return new() { ParseError = e.Message };
        }

        try
        {
            return request.RequestedOutputFormat switch
            {
                WireFormat.Json => new() { JsonPayload = form.WriteJson(value, options) },
                WireFormat.TextFormat => new() { TextPayload = value.ToString() },
                _ => new() { ProtobufPayload = UnsafeByteOperations.UnsafeWrap(form.Write(message)) },
            };
        }
        catch (InvalidOperationException e)
        {
            return new() { SerializeError = e.Message };
        }
    }

    static ConformanceResponse Google(ConformanceRequest request, MessageDescriptor type)
    {
        IMessage message;
        try
        {
            message = request.PayloadCase == ConformanceRequest.PayloadOneofCase.JsonPayload
                ? ReadJson(request, type)
                : type.Parser.WithExtensionRegistry(extensions).ParseFrom(request.ProtobufPayload);
        }
        catch (Exception e) when (e is InvalidProtocolBufferException or InvalidJsonException)
        {
            return new() { ParseError = e.Message };
        }

        try
        {
            return request.RequestedOutputFormat switch
            {
                WireFormat.Protobuf => new() { ProtobufPayload = message.ToByteString() },
                WireFormat.Json => new() { JsonPayload = new JsonFormatter(new(false, registry)).Format(message) },
                _ => new() { Skipped = "no writer of this format" },
            };
        }
        catch (InvalidOperationException e)
        {
            return new() { SerializeError = e.Message };
        }
    }

    // the limit of nesting is that of Google's own program
    static IMessage ReadJson(ConformanceRequest request, MessageDescriptor type) =>
        new JsonParser(new JsonParser.Settings(20, registry)
            .WithIgnoreUnknownFields(request.TestCategory == TestCategory.JsonIgnoreUnknownParsingTest)).Parse(request.JsonPayload, type);
}

using Microsoft.AspNetCore.Http;
using ProtoBench.Codec.Grpc;

namespace ProtoBench.Rpc;

/// <summary>For grpc-dotnet, which supports classes only. If it is recycled, the call owns it (<see cref="CallMessages"/>).</summary>
class RpcMessage<T> : CallMessage
{
    readonly Marshaller<T> marshaller;

    /// <param name="isOwned">The call becomes the owner. If it has ended, the message is released, and this throws.</param>
    public RpcMessage(Marshaller<T> marshaller, T message, bool isOwned)
    {
        (this.marshaller, Message) = (marshaller, message);
        if (isOwned && marshaller.Recycles)
            (CallMessages.Current ?? throw new InvalidOperationException("a recycled message outside of any call")).Add(this);
    }

    public T Message { get; }

    /// <summary>Makes the caller the owner of the message.</summary>
    public T Take()
    {
        Owner?.Remove(this);
        return Message;
    }

    internal override void Release() => marshaller.Release(Message);

    public virtual void Write(SerializationContext context)
    {
        var size = marshaller.Measure(Message);
        context.SetPayloadLength(size);
        marshaller.Write(Message, size, context.GetBufferWriter());
        context.Complete();
    }

    /// <exception cref="RpcException">Thrown with INTERNAL when the payload is malformed.</exception>
    public static RpcMessage<T> Read(Marshaller<T> marshaller, DeserializationContext context) =>
        new(marshaller, marshaller.Decode(context.PayloadAsReadOnlySequence(), "it"), isOwned: true);
}

/// <summary>Its caller owns the message again when the call has ended. grpc-dotnet may serialize it later than that when the call is
/// cancelled, and again when the peer refused the stream: after the end this fails and does not use the message.</summary>
sealed class LentRequest<T>(Marshaller<T> marshaller, T message, Action retried) : RpcMessage<T>(marshaller, message, isOwned: false)
{
    readonly Lock writing = new();
    bool written;
    bool ended;

    public override void Write(SerializationContext context)
    {
        lock (writing)
        {
            if (ended)
                throw new OperationCanceledException("the call has ended");
            if (written)
                retried();
            written = true;
            base.Write(context);
        }
    }

    internal override void End()
    {
        lock (writing)
            ended = true;
    }
}

static class GrpcDotnetTypes
{
    public static Method<RpcMessage<TRequest>, RpcMessage<TResponse>> Method<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, MethodType type)
    {
        var end = method.Path.LastIndexOf('/');
        return new(type, method.Path[1..end], method.Path[(end + 1)..], ToCore(method.Request), ToCore(method.Response));
    }

    public static Metadata ToCore(IHeaderDictionary headers)
    {
        var metadata = new Metadata();
        foreach (var (name, values) in headers.Where(header => IsMetadata(header.Key)))
        {
            foreach (var value in values.OfType<string>())
            {
                if (!name.EndsWith(Metadata.BinaryHeaderSuffix, StringComparison.OrdinalIgnoreCase))
                    metadata.Add(name, value);
                else
                    AddBytes(metadata, name, value);
            }
        }

        return metadata;
    }

    /// <summary>Adds the values of one header line. They are separated by commas, each with or without padding.</summary>
    static void AddBytes(Metadata metadata, string name, string values)
    {
        foreach (var part in values.Split(','))
        {
            var text = part.Trim().TrimEnd('=');
            var bytes = new byte[text.Length * 3 / 4];
            if (Convert.TryFromBase64String(text.PadRight((text.Length + 3) / 4 * 4, '='), bytes, out var length) && length == bytes.Length)
                metadata.Add(name, bytes);
        }
    }

    static bool IsMetadata(string name) =>
        !name.StartsWith("grpc-", StringComparison.OrdinalIgnoreCase)
        && name.ToUpperInvariant() is not ("CONTENT-TYPE" or "TE" or "HOST" or "CONTENT-LENGTH" or "USER-AGENT")
        && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '_' or '.' or '-');

    static Grpc.Core.Marshaller<RpcMessage<T>> ToCore<T>(Marshaller<T> marshaller) =>
        new((message, context) => message.Write(context), context => RpcMessage<T>.Read(marshaller, context));
}

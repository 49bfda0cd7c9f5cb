using ProtoBench.Rpc.Transports.GrpcDotnet;
using Core = Grpc.Core;

namespace ProtoBench.Rpc.Transports.ProtobufNetGrpc;

/// <summary>Messages of code-first services in recycled memory. The library knows no owners, so the call owns a message from the moment it
/// is read or answered, and releases it when the call ends.</summary>
public static class CodeFirstMessages
{
    /// <summary>The marshaller of a type, for the library's configuration.</summary>
    public static Core.Marshaller<T> ToCore<T>(Marshallers.Marshaller<T> marshaller)
        where T : class => new(
            (message, context) => new BoxedMessage<T>(marshaller, message).Write(context),
            context => BoxedMessage<T>.Read(marshaller, context).Message);

    /// <summary>Hands a response to the call whose service method runs here, which releases it after it was written.</summary>
    public static T Answer<T>(Marshallers.Marshaller<T> marshaller, T response)
        where T : class
    {
        if (marshaller.Recycles)
            CallMessageOwner.Keep(new BoxedMessage<T>(marshaller, response));
        return response;
    }

    /// <summary>Makes a call whose response is released if the call fails after it was read. The caller releases the response of a call
    /// that succeeds.</summary>
    public static async ValueTask<T> ReceiveAsync<T>(Marshallers.Marshaller<T> marshaller, Func<ValueTask<T>> call)
        where T : class
    {
        using var messages = marshaller.Recycles ? new CallMessageOwner().Enter() : null;
        var response = await call();
        if (marshaller.Recycles)
            CallMessageOwner.TakeMessage(response);
        return response;
    }
}

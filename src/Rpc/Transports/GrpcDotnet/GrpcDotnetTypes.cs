using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Marshallers;
using Core = Grpc.Core;

namespace ProtoBench.Rpc.Transports.GrpcDotnet;

/// <summary>Converts methods, failures and metadata to the types of grpc-dotnet, and back.</summary>
static class GrpcDotnetTypes
{
    public static Core.Method<BoxedMessage<TRequest>, BoxedMessage<TResponse>> Method<TRequest,
        TResponse>(RpcMethod<TRequest, TResponse> method, Core.MethodType type)
    {
        var end = method.Path.LastIndexOf('/');
        return new(type, method.Path[1..end], method.Path[(end + 1)..], Marshaller(method.Request), Marshaller(method.Response));
    }

    public static Core.RpcException ToCore(RpcException failure) =>
        new(new((Core.StatusCode)failure.Status, failure.Message), ToCore(failure.Trailers));

    public static RpcException ToRpc(Core.RpcException failure) =>
        new((RpcStatus)failure.StatusCode, failure.Status.Detail, failure) { Trailers = ToRpc(failure.Trailers) };

    public static Core.Metadata ToCore(RpcMetadata metadata)
    {
        var result = new Core.Metadata();
        CopyTo(metadata, result);
        return result;
    }

    public static void CopyTo(RpcMetadata metadata, Core.Metadata target)
    {
        foreach (var (name, value) in metadata.Entries)
        {
            if (name.EndsWith(Core.Metadata.BinaryHeaderSuffix, StringComparison.Ordinal))
                target.Add(name, Convert.FromBase64String(value.PadRight((value.Length + 3) / 4 * 4, '=')));
            else
                target.Add(name, value);
        }
    }

    public static RpcMetadata ToRpc(Core.Metadata metadata)
    {
        var result = new RpcMetadata();
        CopyTo(metadata, result);
        return result;
    }

    public static void CopyTo(Core.Metadata metadata, RpcMetadata target)
    {
        foreach (var entry in metadata)
            target.AddReceived(entry.Key, entry.IsBinary ? Convert.ToBase64String(entry.ValueBytes).TrimEnd('=') : entry.Value);
    }

    static Core.Marshaller<BoxedMessage<T>> Marshaller<T>(Marshaller<T> marshaller) =>
        new((message, context) => message.Write(context), context => BoxedMessage<T>.Read(marshaller, context));
}

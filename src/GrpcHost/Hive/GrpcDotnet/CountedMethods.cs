using System.Collections.Concurrent;
using Grpc.Core;

namespace ProtoBench.GrpcHost.Hive.GrpcDotnet;

/// <summary>Counts what the marshallers of generated and code-first methods do,
/// as <see cref="CountedMarshaller{T}"/> does for ours. Thread-safe.</summary>
sealed class CountedMethods(CallCounters counters)
{
    // grpc-dotnet keeps what it knows of a method by the method, so there is one of each
    readonly ConcurrentDictionary<IMethod, IMethod> counted = new();

    /// <summary>The method with its own marshallers, counted.</summary>
    public Method<TRequest, TResponse> Of<TRequest, TResponse>(Method<TRequest, TResponse> method) =>
        (Method<TRequest, TResponse>)counted.GetOrAdd(method,
            _ => new Method<TRequest, TResponse>(method.Type, method.ServiceName, method.Name, Of(method.RequestMarshaller),
                Of(method.ResponseMarshaller)));

    /// <summary>What a marshaller does, counted.</summary>
    public Marshaller<T> Of<T>(Marshaller<T> marshaller) => new(
        (message, context) =>
        {
            var began = counters.Begin();
            marshaller.ContextualSerializer(message, context);
            counters.CountEncoded(began);
        },
        context =>
        {
            var began = counters.Begin();
            var message = marshaller.ContextualDeserializer(context);
            counters.CountDecoded(began);
            return message;
        });
}

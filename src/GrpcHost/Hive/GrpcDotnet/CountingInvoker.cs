using Grpc.Core;

namespace ProtoBench.GrpcHost.Hive.GrpcDotnet;

/// <summary>Calls what a generated stub calls, and counts what the stub's marshallers do.</summary>
sealed class CountingInvoker(CallInvoker inner, CountedMethods methods) : CallInvoker
{
    const string onlyUnary = "TestProxy has unary calls only";

    public override AsyncUnaryCall<TResponse> AsyncUnaryCall<TRequest,
        TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options, TRequest request) =>
        inner.AsyncUnaryCall(methods.Of(method), host, options, request);

    public override TResponse BlockingUnaryCall<TRequest,
        TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options, TRequest request) =>
        inner.BlockingUnaryCall(methods.Of(method), host, options, request);

    public override AsyncClientStreamingCall<TRequest, TResponse> AsyncClientStreamingCall<TRequest,
        TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options) =>
        throw new NotSupportedException(onlyUnary);

    public override AsyncDuplexStreamingCall<TRequest, TResponse> AsyncDuplexStreamingCall<TRequest,
        TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options) =>
        throw new NotSupportedException(onlyUnary);

    public override AsyncServerStreamingCall<TResponse> AsyncServerStreamingCall<TRequest,
        TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options, TRequest request) =>
        throw new NotSupportedException(onlyUnary);
}

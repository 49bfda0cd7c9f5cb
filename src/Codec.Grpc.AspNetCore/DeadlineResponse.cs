using System.IO.Pipelines;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace ProtoBench.Codec.Grpc.AspNetCore;

/// <summary>The response of a call with a deadline. Either the handler writes it, or the deadline completes it.</summary>
/// <remarks>When a deadline passes, grpc-dotnet 2.85 calls <see cref="CompleteAsync"/> on the thread of a timer, also while the handler's
/// thread writes the response. Kestrel then returns memory that the handler still writes to, and uses it for other responses
/// (eng/upstream/grpc-dotnet-deadlines). Here a deadline leaves a response alone whose writer the handler has taken. A call with a stream
/// of replies takes it at its start. grpc-dotnet resets the stream next, which Kestrel permits at any time.</remarks>
sealed class DeadlineResponse : IHttpResponseBodyFeature
{
    const int nobody = 0;
    const int handler = 1;
    const int deadline = 2;

    readonly IHttpResponseBodyFeature response;
    int writer = nobody;

    DeadlineResponse(IHttpResponseBodyFeature response) => this.response = response;

    public Stream Stream => ToWrite().Stream;

    public PipeWriter Writer => ToWrite().Writer;

    /// <summary>Does nothing for a call without a deadline, or over gRPC-Web, where grpc-dotnet writes the status of a deadline as content.
    /// May be called again for the same call, because a host of src/Rpc with slab messages has two middlewares that do.</summary>
    public static void Protect(HttpContext context)
    {
        if (context.Features.GetRequiredFeature<IHttpResponseBodyFeature>() is not DeadlineResponse and var response
            && context.Request.Headers.ContainsKey("grpc-timeout")
            && context.Request.ContentType?.StartsWith("application/grpc-web", StringComparison.OrdinalIgnoreCase) != true)
        {
            context.Features.Set<IHttpResponseBodyFeature>(new DeadlineResponse(response));
        }
    }

    public void DisableBuffering() => response.DisableBuffering();

    public Task StartAsync(CancellationToken cancellationToken = default) => ToWrite().StartAsync(cancellationToken);

    public Task SendFileAsync(string path, long offset, long? count, CancellationToken cancellationToken = default) =>
        ToWrite().SendFileAsync(path, offset, count, cancellationToken);

    public Task CompleteAsync() =>
        Interlocked.CompareExchange(ref writer, deadline, nobody) == handler ? Task.CompletedTask : response.CompleteAsync();

    IHttpResponseBodyFeature ToWrite() =>
        Interlocked.CompareExchange(ref writer, handler, nobody) == deadline
            ? throw new InvalidOperationException("the call has ended: its deadline has passed")
            : response;
}

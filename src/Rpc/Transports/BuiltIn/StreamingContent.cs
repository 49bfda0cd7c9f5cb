using System.Net;

namespace ProtoBench.Rpc.Transports.BuiltIn;

/// <summary>The body of a streaming request: it provides the connection's stream and keeps it open
/// until the last message is written.</summary>
/// <param name="caller">Cancelled when the caller cancels or the deadline passes.</param>
sealed class StreamingContent(CancellationToken caller) : HttpContent
{
    readonly TaskCompletionSource<Stream?> opened = new(TaskCreationOptions.RunContinuationsAsynchronously);
    readonly TaskCompletionSource completed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Where messages go; null when the call ended before it could send.</summary>
    public Task<Stream?> Opened => opened.Task;

    /// <summary>The last message is written, or none will be.</summary>
    public void Complete()
    {
        opened.TrySetResult(null);
        completed.TrySetResult();
    }

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        SerializeToStreamAsync(stream, context, default);

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        try
        {
            // without this flush the headers stay here until the first message, and a server that speaks first is never asked
            await stream.FlushAsync(cancellationToken);
            opened.TrySetResult(stream);
            await completed.Task.WaitAsync(cancellationToken);
        }
        catch (OperationCanceledException) when (!caller.IsCancellationRequested)
        {
            // the peer has reset the call: the reply knows why, and HttpClient would throw this instead
        }
        finally
        {
            // a server may end the call before the flush, which then fails: sending has succeeded, and nobody else tells the writer
            opened.TrySetResult(null);
        }
    }

    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        return false;
    }
}

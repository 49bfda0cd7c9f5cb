using ProtoBench.Codec.WellKnownTypes;
using GrpcStatus = Grpc.Core.Status;

namespace ProtoBench.Codec.Grpc.Errors;

/// <summary>Provides methods that send a <see cref="Status"/>, an error with details, and that read it from the error of a call. It is gRPC's
/// richer error model: the trailer grpc-status-details-bin has the bytes of the status.</summary>
public static class StatusExtensions
{
    const string trailer = "grpc-status-details-bin";

    /// <summary>Creates the exception with which a method of a service ends a call: its status code and its text are those of the message,
    /// and its trailers have the whole message.</summary>
    /// <param name="status">The status. It may be released afterwards.</param>
    /// <exception cref="ArgumentException">The code is OK.</exception>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public static RpcException ToRpcException(this Status status)
    {
        if (status.Code == (int)StatusCode.OK) throw new ArgumentException("A call cannot fail with the code OK.", nameof(status));
        var text = status.Message.ToString();
        var trailers = new Metadata();
        trailers.SetRpcStatus(status);
        return new(new GrpcStatus((StatusCode)status.Code, text), trailers, text);
    }

    /// <summary>Creates the same exception, and releases the message.</summary>
    /// <inheritdoc cref="ToRpcException(Status)"/>
    public static RpcException ToRpcException(this Message<Status> status)
    {
        using (status) return status.Value.ToRpcException();
    }

    /// <summary>Reads the status that a server sent with an error.</summary>
    /// <param name="exception">The error of a call.</param>
    /// <param name="ignoreParseError">Whether null is returned if what the server sent cannot be parsed.</param>
    /// <returns>The status, which the caller must dispose; null if the server sent none.</returns>
    /// <exception cref="WireFormatException">What the server sent cannot be parsed.</exception>
    public static Message<Status>? GetRpcStatus(this RpcException exception, bool ignoreParseError = false)
    {
        ArgumentNullException.ThrowIfNull(exception);
        return exception.Trailers.GetRpcStatus(ignoreParseError);
    }

    /// <summary>Reads the status from the trailers of a call.</summary>
    /// <param name="trailers">The trailers.</param>
    /// <param name="ignoreParseError">Whether null is returned if what the server sent cannot be parsed.</param>
    /// <inheritdoc cref="GetRpcStatus(RpcException, bool)"/>
    public static Message<Status>? GetRpcStatus(this Metadata trailers, bool ignoreParseError = false)
    {
        ArgumentNullException.ThrowIfNull(trailers);
        if (trailers.GetValueBytes(trailer) is not { } bytes) return null;
        var status = Message<Status>.Rent();
        try
        {
            status.Parse(bytes);
            return status;
        }
        catch (WireFormatException)
        {
            status.Dispose();
            if (ignoreParseError) return null;
            throw;
        }
    }

    /// <summary>Sets the trailer that has the status, and removes the one that was there.</summary>
    /// <param name="trailers">The trailers, for example those of <see cref="ServerCallContext.ResponseTrailers"/>.</param>
    /// <param name="status">The status. It may be released afterwards.</param>
    /// <exception cref="InvalidOperationException">The trailers are read-only.</exception>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public static void SetRpcStatus(this Metadata trailers, Status status)
    {
        ArgumentNullException.ThrowIfNull(trailers);
        var bytes = status.ToByteArray();
        while (trailers.Get(trailer) is { } entry) trailers.Remove(entry);
        trailers.Add(trailer, bytes);
    }

    /// <summary>Adds a detail: a message of any type, in an Any.</summary>
    /// <typeparam name="T">The type of the detail, for example <see cref="BadRequest"/>.</typeparam>
    /// <param name="status">The status.</param>
    /// <param name="fill">Called once, with a view of the empty detail.</param>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public static void AddDetail<T>(this Status status, Action<T> fill)
        where T : struct, ISlabMessage<T>
    {
        using var detail = Message<T>.Rent().Fill(fill);
        status.AddDetails().Pack(detail);
    }

    /// <summary>Parses a copy of the first detail of a type.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="status">The status.</param>
    /// <param name="target">The target of the parse. It is unchanged if the status has no detail of the type.</param>
    /// <returns>Whether the status has such a detail.</returns>
    /// <exception cref="WireFormatException">The detail cannot be parsed. The target is empty.</exception>
    /// <exception cref="ObjectDisposedException">One of the messages was released, or the status was cleared or parsed again.</exception>
    public static bool TryGetDetail<T>(this Status status, Message<T> target)
        where T : struct, ISlabMessage<T>
    {
        foreach (var detail in status.Details)
        {
            if (detail.TryUnpack(target)) return true;
        }

        return false;
    }
}

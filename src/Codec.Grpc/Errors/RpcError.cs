using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Codec.Grpc.Errors;

/// <summary>Creates the errors of a service that have details.</summary>
public static class RpcError
{
    /// <summary>Creates the exception with which a method of a service ends a call:
    /// <c>throw RpcError.Create(StatusCode.InvalidArgument, "no lines", status => status.AddDetail&lt;BadRequest&gt;(bad => ...));</c>.
    /// </summary>
    /// <param name="code">The code, which is not OK.</param>
    /// <param name="message">The text for the developer of the client.</param>
    /// <param name="addDetails">Called once, with a view of the status that has the code and the text.</param>
    /// <exception cref="ArgumentException"><paramref name="code"/> is OK.</exception>
    [SuppressMessage("Reliability", "CA2000", Justification = "ToRpcException releases the message")]
    public static RpcException Create(StatusCode code, string message, Action<Status> addDetails)
    {
        ArgumentNullException.ThrowIfNull(message);
        ArgumentNullException.ThrowIfNull(addDetails);
        return Message<Status>.Rent().Fill(status =>
        {
            status.SetCode((int)code);
            status.SetMessage(message);
            addDetails(status);
        }).ToRpcException();
    }
}

using System.Diagnostics.CodeAnalysis;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec;

/// <summary>Thrown when a text is not the ProtoJSON of a message. The place and the field are in the message.</summary>
[SuppressMessage("Design", "CA1032", Justification = "a place and a reason are always known")]
public sealed class ProtoJsonException : Exception
{
    internal ProtoJsonException(string reason, JsonPlace place, Exception? inner = null)
        : base($"Refused at line {place.Line}, column {place.Column}{(place.Path.Length == 0 ? "" : $", {place.Path}")}: {reason}.", inner) =>
        (Reason, Line, Column, BytePosition, Path) = (reason, place.Line, place.Column, place.Position, place.Path);

    /// <summary>Gets the reason, without the place.</summary>
    public string Reason { get; }

    /// <summary>Gets the line, counted from 1.</summary>
    public int Line { get; }

    /// <summary>Gets the column in the line, counted from 1, in characters of UTF-16.</summary>
    public int Column { get; }

    /// <summary>Gets the number of bytes of the text before the place.</summary>
    public int BytePosition { get; }

    /// <summary>Gets the field, with the names of the text: <c>lines[3].price</c>. It is empty for the outermost message.</summary>
    public string Path { get; }
}

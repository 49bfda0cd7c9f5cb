using ProtoBench.Codec.Reflection;

namespace ProtoBench.Codec.WellKnownTypes;

/// <summary>Provides the operations of a <see cref="FieldMask"/>.</summary>
/// <remarks>
/// <para>A path has the names of the .proto file, with dots between them. A path that ends with a message names all of it. The path "*" is a
/// name as any other, which no message has.</para>
/// <para>The time of an operation grows with the bytes of the paths and of the messages, and not faster than that but for the logarithm of
/// a sort. So a mask may come from anybody. Arrays are rented.</para>
/// <para>Thread safety: as <see cref="Message{T}"/>.</para>
/// </remarks>
public static class FieldMaskOperations
{
    /// <summary>Replaces the paths by those of a text, as a query parameter has them.</summary>
    /// <param name="mask">The mask. It is unchanged if this method throws.</param>
    /// <param name="paths">The paths, with commas between them. Empty ones are left out. The fields are not checked
    /// (<see cref="IsValid{T}(FieldMask)"/>).</param>
    /// <exception cref="InvalidOperationException">The mask was not set in the field that the view was taken from.</exception>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public static void Set(this FieldMask mask, string paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        using var result = FieldMask.Rent();
        foreach (var path in paths.AsSpan().Split(','))
        {
            if (paths.AsSpan()[path] is { IsEmpty: false } text) result.Value.AddPaths(text);
        }

        mask.CopyFrom(result.Value);
    }

    /// <summary>Replaces the paths by the names of fields.</summary>
    /// <param name="mask">The mask. It is unchanged if this method throws.</param>
    /// <param name="numbers">The numbers of the fields, such as <c>Timestamp.NanosFieldNumber</c>.</param>
    /// <typeparam name="T">The message type that has the fields.</typeparam>
    /// <exception cref="ArgumentException">The message type has no field with one of the numbers.</exception>
    /// <exception cref="InvalidOperationException">The mask was not set in the field that the view was taken from.</exception>
    /// <exception cref="NotSupportedException">The message type was not generated.</exception>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public static void SetFields<T>(this FieldMask mask, params ReadOnlySpan<int> numbers)
        where T : struct, ISlabMessage<T>
    {
        using var result = FieldMask.Rent();
        foreach (var number in numbers)
        {
            var field = T.Descriptor.FindFieldByNumber(number)
                ?? throw new ArgumentException($"{T.FullName} has no field with the number {number}.", nameof(numbers));
            result.Value.AddPaths(field.Name);
        }

        mask.CopyFrom(result.Value);
    }

    /// <summary>Determines whether each path is a field of a message type, or of a message in it. A repeated field can only be the end of a
    /// path. A mask without paths is valid.</summary>
    /// <typeparam name="T">The message type.</typeparam>
    /// <exception cref="NotSupportedException">The message type was not generated.</exception>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public static bool IsValid<T>(this FieldMask mask)
        where T : struct, ISlabMessage<T> => mask.IsValid(T.Descriptor);

    /// <inheritdoc cref="IsValid{T}(FieldMask)" path="/summary"/>
    /// <param name="mask">The mask.</param>
    /// <param name="descriptor">The message type, which needs no generated code.</param>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public static bool IsValid(this FieldMask mask, MessageDescriptor descriptor)
    {
        ArgumentNullException.ThrowIfNull(descriptor);
        foreach (var path in mask.Paths)
        {
            if (!IsPath(path.Span, descriptor)) return false;
        }

        return true;
    }

    /// <summary>Sorts the paths by their names, and removes those that another path covers: <c>a.b</c> if there is <c>a</c>, and all
    /// but one of equal paths.</summary>
    /// <param name="mask">The mask. It is unchanged if this method throws.</param>
    /// <exception cref="InvalidOperationException">The mask was not set in the field that the view was taken from.</exception>
    /// <exception cref="InsufficientMemoryException">The paths have more than 2 GiB.</exception>
    /// <exception cref="ObjectDisposedException">A message was released, cleared or parsed again.</exception>
    public static void Normalize(this FieldMask mask)
    {
        var paths = default(MaskPaths);
        try
        {
            paths.Add(mask);
            paths.Normalize();
            paths.CopyTo(mask);
        }
        finally
        {
            paths.Dispose();
        }
    }

    /// <summary>Adds the paths of another mask, which may be the same one, and brings the result into the form of
    /// <see cref="Normalize"/>.</summary>
    /// <param name="mask">The mask. It is unchanged if this method throws.</param>
    /// <param name="other">The other mask.</param>
    /// <inheritdoc cref="Normalize" path="/exception"/>
    public static void Union(this FieldMask mask, FieldMask other)
    {
        var paths = default(MaskPaths);
        try
        {
            paths.Add(mask);
            paths.Add(other);
            paths.Normalize();
            paths.CopyTo(mask);
        }
        finally
        {
            paths.Dispose();
        }
    }

    /// <summary>Keeps what another mask, which may be the same one, names too, in the form of <see cref="Normalize"/>. If one mask has
    /// <c>a</c> and the other one <c>a.b</c>, the result has <c>a.b</c>. If one mask has no paths, the result has none.</summary>
    /// <param name="mask">The mask. It is unchanged if this method throws.</param>
    /// <param name="other">The other mask.</param>
    /// <inheritdoc cref="Normalize" path="/exception"/>
    public static void Intersect(this FieldMask mask, FieldMask other)
    {
        var (paths, others) = (default(MaskPaths), default(MaskPaths));
        try
        {
            paths.Add(mask);
            paths.Normalize();
            others.Add(other);
            others.Normalize();
            using var result = FieldMask.Rent();
            paths.Intersect(others, result.Value);
            mask.CopyFrom(result.Value);
        }
        finally
        {
            paths.Dispose();
            others.Dispose();
        }
    }

    /// <summary>Copies the fields that the mask names from one message to another, as an update does.</summary>
    /// <remarks>
    /// <para>A number, text, bytes or enum gets the state of the source: it is cleared if it is not set there, and so is one in a message
    /// that is not set there. Messages are merged, and elements are added to lists and maps, unless the options say that they are
    /// replaced. A wrapper, such as Int32Value, that is set in the source replaces the other one.</para>
    /// <para>Names that the message type does not have are ignored, and so are paths that go on behind a repeated field. A mask that names
    /// nothing changes nothing. Unknown fields of the destination stay, but for those in a message that is replaced.</para>
    /// <para>The messages may be parts of one message, or the same one. Views of sub-messages of the destination that were taken before
    /// still show the old content.</para>
    /// </remarks>
    /// <param name="mask">The mask.</param>
    /// <param name="source">The message that is copied from.</param>
    /// <param name="destination">The message that is changed. It is unchanged if this method throws, other than for a lack of
    /// memory.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="InvalidOperationException">One of the messages, or the result, has more than 2 GiB, or is nested too deep, or lacks
    /// a required field, or exceeds <see cref="ParseLimits"/>. Or the destination was not set in the field that the view was taken
    /// from.</exception>
    /// <exception cref="NotSupportedException">The message type was not generated.</exception>
    /// <exception cref="InsufficientMemoryException">The result has more than 2 GiB.</exception>
    /// <exception cref="Allocators.SlabPoolExhaustedException">The pool of the destination is at its limit.</exception>
    /// <exception cref="ObjectDisposedException">A message was released, cleared or parsed again.</exception>
    public static void Merge<T>(this FieldMask mask, T source, T destination, FieldMaskMergeOptions? options = null)
        where T : struct, ISlabMessage<T>
    {
        var filter = default(FieldMaskFilter);
        try
        {
            filter.Add(mask, T.Descriptor);
            if (!filter.HasFields) return;
            filter.Keep(source);
            var named = filter.Written;
            filter.Drop(destination, options);
            filter.WriteAgain(named);
            filter.Replace(destination, named);
        }
        finally
        {
            filter.Dispose();
        }
    }

    /// <summary>Clears all fields of a message that the mask does not name, and its unknown fields, for an answer to a request that has a
    /// mask.</summary>
    /// <remarks>A mask without paths changes nothing, because a request without a mask asks for all fields. Names that the message type
    /// does not have are ignored, and so are paths that go on behind a repeated field: a mask of such paths alone clears all fields. A
    /// message in the middle of a path stays set.</remarks>
    /// <param name="mask">The mask.</param>
    /// <param name="message">The message that is changed. It is unchanged if this method throws, other than for a lack of
    /// memory.</param>
    /// <inheritdoc cref="Merge" path="/exception"/>
    public static void Trim<T>(this FieldMask mask, T message)
        where T : struct, ISlabMessage<T>
    {
        if (mask.Paths.Count == 0) return;
        var filter = default(FieldMaskFilter);
        try
        {
            filter.Add(mask, T.Descriptor);
            filter.Keep(message);
            filter.Replace(message, start: 0);
        }
        finally
        {
            filter.Dispose();
        }
    }

    static bool IsPath(ReadOnlySpan<byte> path, MessageDescriptor type)
    {
        while (true)
        {
            var end = path.IndexOf((byte)'.');
            var field = type.FindFieldByName(end < 0 ? path : path[..end]);
            if (end < 0 || field is null) return field is not null;
            if (field.IsRepeated || field.MessageType is null) return false;
            type = field.MessageType;
            path = path[(end + 1)..];
        }
    }
}

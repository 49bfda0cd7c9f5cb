using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec;

/// <summary>Provides methods that get and set the extensions of a message.</summary>
/// <remarks>
/// <para>Extensions are unknown fields of their message: they are read when they are asked for, at the cost of a search and of an
/// allocation, and not when the message is parsed. So they are copied, merged, compared and written as unknown fields, are not in the text
/// or the JSON of a message, and are gone if unknown fields are discarded. Required fields in them are checked when they are read.</para>
/// <para>Thread safety: as <see cref="Message{T}"/>.</para>
/// </remarks>
public static class ProtoExtensions
{
    /// <summary>Determines whether an extension is set.</summary>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public static bool HasExtension<TTarget, TValue>(this TTarget message, Extension<TTarget, TValue> extension)
        where TTarget : struct, IExtendableMessage<TTarget>
    {
        ArgumentNullException.ThrowIfNull(extension);
        var isSet = TTarget.GetUnknownFields(message, isChanged: false).Has(extension.FieldNumber, extension.Type.WireType);

        // As in every read below: again, because it throws if the message was released while its fields were read.
        TTarget.GetUnknownFields(message, isChanged: false);
        return isSet;
    }

    /// <summary>Gets the value of an extension, or its default value if it is not set: an empty string, array or message if the .proto file
    /// has none. The caller must dispose a message, which is a copy.</summary>
    /// <exception cref="WireFormatException">The extension is set to something that is not a value of its type.</exception>
    /// <inheritdoc cref="HasExtension" path="/exception"/>
    public static TValue GetExtension<TTarget, TValue>(this TTarget message, Extension<TTarget, TValue> extension)
        where TTarget : struct, IExtendableMessage<TTarget>
    {
        ArgumentNullException.ThrowIfNull(extension);
        var type = extension.Type;
        var fields = TTarget.GetUnknownFields(message, isChanged: false);
        if (!fields.Has(extension.FieldNumber, type.WireType)) return type.ValueOrDefault(extension.Default);
        var body = type.IsMerged ? fields.BodyOfAll(extension.FieldNumber, type.WireType)
            : fields.BodyOfLast(extension.FieldNumber, type.WireType);
        TTarget.GetUnknownFields(message, isChanged: false);
        var reader = new WireReader(fields.Ranges.Memory, body, 0);
        var scratch = default(WireReader);
        return type.Read(ref reader, ref scratch);
    }

    /// <summary>Sets an extension. A message is copied.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="value"/> is null.</exception>
    /// <exception cref="InvalidOperationException"><paramref name="value"/> is a message that cannot be written
    /// (<see cref="Message{T}.ToByteArray"/>), or the extended message was not set where the view was taken.</exception>
    /// <exception cref="InsufficientMemoryException">The extended message has more than 2 GiB.</exception>
    /// <inheritdoc cref="HasExtension" path="/exception"/>
    public static void SetExtension<TTarget, TValue>(this TTarget message, Extension<TTarget, TValue> extension, TValue value)
        where TTarget : struct, IExtendableMessage<TTarget>
    {
        ArgumentNullException.ThrowIfNull(extension);
        ArgumentNullException.ThrowIfNull(value);
        var body = extension.Type.Write(value);
        var fields = TTarget.GetUnknownFields(message, isChanged: true);
        fields.Replace(extension.FieldNumber, extension.Type.WireType, body);
    }

    /// <summary>Clears an extension.</summary>
    /// <exception cref="InvalidOperationException">The extended message was not set where the view was taken.</exception>
    /// <inheritdoc cref="HasExtension" path="/exception"/>
    public static void ClearExtension<TTarget, TValue>(this TTarget message, Extension<TTarget, TValue> extension)
        where TTarget : struct, IExtendableMessage<TTarget>
    {
        ArgumentNullException.ThrowIfNull(extension);
        TTarget.GetUnknownFields(message, isChanged: true).Remove(extension.FieldNumber);
    }

    /// <summary>Gets the elements of a repeated extension. The caller must dispose messages, which are copies.</summary>
    /// <inheritdoc cref="GetExtension{TTarget, TValue}(TTarget, Extension{TTarget, TValue})" path="/exception"/>
    public static TValue[] GetExtension<TTarget, TValue>(this TTarget message, RepeatedExtension<TTarget, TValue> extension)
        where TTarget : struct, IExtendableMessage<TTarget>
    {
        ArgumentNullException.ThrowIfNull(extension);
        var type = extension.Type;
        var fields = TTarget.GetUnknownFields(message, isChanged: false);
        var values = new List<TValue>();
        foreach (var range in fields.Ranges.Slice(fields.List))
        {
            if (!fields.IsField(range, extension.FieldNumber, type.WireType, type.CanPack, out var body)) continue;
            var reader = new WireReader(fields.Ranges.Memory, body, 0);
            var scratch = default(WireReader);
            do
            {
                if (reader.HasMore || !type.CanPack) values.Add(type.Read(ref reader, ref scratch));
            }
            while (type.CanPack && reader.HasMore);
        }

        TTarget.GetUnknownFields(message, isChanged: false);
        return [.. values];
    }

    /// <summary>Adds an element to a repeated extension. A message is copied.</summary>
    /// <remarks>An element of a packed extension copies the others.</remarks>
    /// <inheritdoc cref="SetExtension" path="/exception"/>
    public static void AddExtension<TTarget, TValue>(this TTarget message, RepeatedExtension<TTarget, TValue> extension, TValue value)
        where TTarget : struct, IExtendableMessage<TTarget>
    {
        ArgumentNullException.ThrowIfNull(extension);
        ArgumentNullException.ThrowIfNull(value);
        var (number, type) = (extension.FieldNumber, extension.Type);
        var body = type.Write(value);
        var fields = TTarget.GetUnknownFields(message, isChanged: true);
        if (!extension.IsPacked)
        {
            fields.Add(number, type.WireType, body);
            return;
        }

        body = [.. fields.BodyOfAll(number, type.WireType, withPacked: true), .. body];
        fields.Replace(number, UnknownFields.Delimited, body);
    }

    /// <summary>Clears a repeated extension.</summary>
    /// <inheritdoc cref="ClearExtension{TTarget, TValue}(TTarget, Extension{TTarget, TValue})" path="/exception"/>
    public static void ClearExtension<TTarget, TValue>(this TTarget message, RepeatedExtension<TTarget, TValue> extension)
        where TTarget : struct, IExtendableMessage<TTarget>
    {
        ArgumentNullException.ThrowIfNull(extension);
        TTarget.GetUnknownFields(message, isChanged: true).Remove(extension.FieldNumber);
    }
}

using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <summary>A type by its name: reads a message into Google's by accessors, and builds one from Google's by setters.</summary>
interface IBridge
{
    byte[] Rewrite(byte[] wire);

    /// <summary>Parses input in segments, copied or where it is, and writes.</summary>
    byte[] Rewrite(ReadOnlySequence<byte> wire, bool isAliased);

    /// <summary>Parses without unknown fields, and writes. Returns how many there were, too.</summary>
    (byte[] Written, int Count) Discard(byte[] wire);

    void Attack(IReadOnlyList<byte[]> parts, int look, long lie, bool isAliased);

    IMessage Read(byte[] wire, MessageDescriptor descriptor);

    byte[] Build(IMessage source);

    string Text(byte[] wire);

    string Json(byte[] wire, ProtoJsonOptions options);

    /// <summary>Reads JSON, and writes the binary form.</summary>
    byte[] ReadJson(string json, ProtoJsonOptions? options = null);

    byte[] Merge(byte[] wire, byte[] more);
}

static class Bridge
{
    public static IBridge Of(Type view) => (IBridge)Activator.CreateInstance(typeof(Bridge<>).MakeGenericType(view))!;
}

[SuppressMessage("Performance", "CA1812", Justification = "made by reflection")]
sealed class Bridge<T> : IBridge
    where T : struct, ISlabMessage<T>
{
    readonly Lazy<Action<object, object>> merge = new(() => ViewMembers.Merger(typeof(T)));

    public byte[] Rewrite(byte[] wire)
    {
        using var message = Message<T>.Rent();
        message.Parse(wire.AsSpan());
        return Written(message);
    }

    public byte[] Rewrite(ReadOnlySequence<byte> wire, bool isAliased)
    {
        using var message = Message<T>.Rent();
        if (isAliased) message.ParseAlias(wire);
        else message.Parse(wire);
        return Written(message);
    }

    public (byte[] Written, int Count) Discard(byte[] wire)
    {
        using var message = Message<T>.Rent().WithDiscardUnknownFields(true);
        message.Parse(wire.AsSpan());
        return (Written(message), message.DiscardedFieldCount);
    }

    public void Attack(IReadOnlyList<byte[]> parts, int look, long lie, bool isAliased) =>
        MemoryWithCode.Attack<T>(parts, look, lie, isAliased);

    public IMessage Read(byte[] wire, MessageDescriptor descriptor)
    {
        using var message = Message<T>.Rent();
        var target = descriptor.Parser.ParseFrom([]);
        MessageCopier.Of(typeof(T), descriptor).Read(message.Parse(wire.AsSpan()), target);
        return target;
    }

    public byte[] Build(IMessage source)
    {
        using var message = Message<T>.Rent();
        MessageCopier.Of(typeof(T), source.Descriptor).Build(message.Value, source);
        return Written(message);
    }

    public string Text(byte[] wire)
    {
        using var message = Message<T>.Rent();
        return message.Parse(wire.AsSpan()).ToString()!;
    }

    public string Json(byte[] wire, ProtoJsonOptions options)
    {
        using var message = Message<T>.Rent();
        return message.Parse(wire.AsSpan()).ToJson(options);
    }

    public byte[] ReadJson(string json, ProtoJsonOptions? options = null)
    {
        using var message = Message<T>.Rent();
        message.ParseJson(json, options);
        return Written(message);
    }

    public byte[] Merge(byte[] wire, byte[] more)
    {
        using var message = Message<T>.Rent();
        merge.Value(message.Parse(wire.AsSpan()), ByteString.CopyFrom(more));
        return Written(message);
    }

    /// <summary>Writes into windows of the size, with hardly any room more, and with plenty: the code differs.</summary>
    static byte[] Written(Message<T> message)
    {
        var exact = message.ToByteArray();
        foreach (var more in new[] { 1, 1024 })
        {
            var writer = new ArrayBufferWriter<byte>(exact.Length + more);
            message.WriteTo(writer);
            Assert.True(exact.AsSpan().SequenceEqual(writer.WrittenSpan), $"{typeof(T)}: a window with {more} bytes more changes the bytes");
        }

        return exact;
    }
}

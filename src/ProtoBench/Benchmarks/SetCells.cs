using System.Buffers;
using System.Text.Json;
using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using MemoryPack;
using MessagePack;
using Microsoft.Extensions.DependencyInjection;
using ProtoBench.Codec;
using ProtoBench.Harness;
using ProtoBuf;
using static Orleans.Serialization.ServiceCollectionExtensions;

namespace ProtoBench.Benchmarks;

/// <summary>How each library reads and writes a message. These are the cells of the data sets, and of the projects that the verb
/// <c>new</c> makes: it copies this file and replaces the type parameters by the types of the message, and <c>Set</c> in the names of
/// cells by the name of the message.</summary>
/// <remarks>Serialize cells write to a buffer that is reused and return the number of bytes. Deserialize cells read contiguous memory, as
/// the span or the memory that the library takes, and return the message. DeserializeTouch cells also read every field of it and return
/// the sum. Each operation takes the next message.</remarks>
public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    readonly ArrayBufferWriter<byte> written = new(1 << 16);

    // protobuf-net writes to a stream in an eighth to a quarter of the time that it takes to a buffer writer.
    readonly MemoryStream stream = new(1 << 16);

    /// <summary>Gets the libraries, Google first. The others are left out where they do not keep the content of a message.</summary>
    internal static IReadOnlyList<ComparedLibrary> Libraries { get; } =
    [
        new("Google", ComparedLibrary.VersionOf("Google.Protobuf", typeof(IMessage)), bytes => TSet.Parser.ParseFrom(bytes).ToByteArray()),
        new("PBN", ComparedLibrary.VersionOf("protobuf-net", typeof(Serializer)), bytes => ToProtobuf(ToPlain(bytes))) { IsOptional = true },
        new("PBNRuntime", ComparedLibrary.VersionOf("protobuf-net's runtime model", typeof(Serializer)), ByRuntimeModel) { IsOptional = true },
        OfOwnFormat("MessagePack", "MessagePack", typeof(MessagePackSerializer),
            plain => MessagePackSerializer.Serialize(plain), bytes => MessagePackSerializer.Deserialize<TPlain>(bytes)),
        OfOwnFormat("Nerdbank", "Nerdbank.MessagePack", typeof(Nerdbank.MessagePack.MessagePackSerializer),
            plain => OfNerdbank.Serializer.Serialize(plain), bytes => OfNerdbank.Serializer.Deserialize<TPlain>(bytes)!),
        OfOwnFormat("MemoryPack", "MemoryPack", typeof(MemoryPackSerializer),
            plain => MemoryPackSerializer.Serialize(plain), bytes => MemoryPackSerializer.Deserialize<TPlain>(bytes)!),
        OfOwnFormat("Orleans", "Orleans.Serialization", typeof(Orleans.Serialization.Serializer<>),
            plain => OfOrleans.Serializer.SerializeToArray(plain), bytes => OfOrleans.Serializer.Deserialize(bytes)!),
        OfOwnFormat("SystemTextJson", "System.Text.Json", typeof(JsonSerializer),
            plain => JsonSerializer.SerializeToUtf8Bytes(plain, TSet.Json), bytes => JsonSerializer.Deserialize(bytes, TSet.Json)!),
        new("Slab", ComparedLibrary.VersionOf("ProtoBench.Codec", typeof(Message<TSlab>)), bytes =>
        {
            using var message = Message<TSlab>.Rent();
            message.Parse(bytes);
            return message.ToByteArray();
        }),
    ];

    private protected ArrayBufferWriter<byte> To
    {
        get
        {
            written.ResetWrittenCount();
            return written;
        }
    }

    [Benchmark(Baseline = true), BenchmarkCategory("SerializeSet"), Measures("Google")]
    public long SerializeSetGoogle() { var to = To; content.Google.Next.WriteTo(to); return to.WrittenCount; }

    [Benchmark(Baseline = true), BenchmarkCategory("DeserializeSet"), Measures("Google")]
    public TGoogle DeserializeSetGoogle() => TSet.Parser.ParseFrom(content.Wire.Next.AsSpan());

    [Benchmark(Baseline = true), BenchmarkCategory("DeserializeTouchSet"), Measures("Google")]
    public long DeserializeTouchSetGoogle() => TSet.Touch(TSet.Parser.ParseFrom(content.Wire.Next.AsSpan()));

    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("PBN")]
    public long SerializeSetPBN() { stream.SetLength(0); TSet.Model.Serialize(stream, content.Plain.Next); return stream.Length; }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("PBN")]
    public TPlain DeserializeSetPBN() => TSet.Model.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.PBN.Next);

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("PBN")]
    public long DeserializeTouchSetPBN() => TSet.Touch(TSet.Model.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.PBN.Next));

    // protobuf-net's generator writes the serializers of Model in the build. The default model writes its own at the first call.
    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("PBNRuntime")]
    public long SerializeSetPBNRuntime() { stream.SetLength(0); Serializer.Serialize(stream, content.Plain.Next); return stream.Length; }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("PBNRuntime")]
    public TPlain DeserializeSetPBNRuntime() => Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.PBN.Next);

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("PBNRuntime")]
    public long DeserializeTouchSetPBNRuntime() => TSet.Touch(Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.PBN.Next));

    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("Slab")]
    public long SerializeSetSlab() { var to = To; content.Slab.Next.WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("Slab")]
    public Message<TSlab> DeserializeSetSlab() { Renew(); last.Parse(content.Wire.Next); return last; }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("Slab")]
    public Message<TSlab> DeserializeSetSlab_Alias() { Renew(); last.ParseAlias(content.Wire.Next); return last; }

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("Slab")]
    public long DeserializeTouchSetSlab() { Renew(); return TSet.Touch(last.Parse(content.Wire.Next)); }

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("Slab")]
    public long DeserializeTouchSetSlab_Alias() { Renew(); return TSet.Touch(last.ParseAlias(content.Wire.Next)); }

    // The slab codec makes .NET strings when they are asked for: here all of them are. The other libraries make them while they read.
    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("Slab")]
    public long DeserializeTouchSetSlab_Strings() { Renew(); return TSet.Strings(last.Parse(content.Wire.Next)); }

    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("MessagePack")]
    public long SerializeSetMessagePack() { var to = To; MessagePackSerializer.Serialize(to, content.Plain.Next); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("MessagePack")]
    public TPlain DeserializeSetMessagePack() => MessagePackSerializer.Deserialize<TPlain>(content.MessagePack.Next);

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("MessagePack")]
    public long DeserializeTouchSetMessagePack() => TSet.Touch(MessagePackSerializer.Deserialize<TPlain>(content.MessagePack.Next));

    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("Nerdbank")]
    public long SerializeSetNerdbank() { var to = To; ForNerdbank.Serialize(to, content.Plain.Next); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("Nerdbank")]
    public TPlain DeserializeSetNerdbank() => ForNerdbank.Deserialize<TPlain>(content.Nerdbank.Next)!;

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("Nerdbank")]
    public long DeserializeTouchSetNerdbank() => TSet.Touch(ForNerdbank.Deserialize<TPlain>(content.Nerdbank.Next)!);

    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("MemoryPack")]
    public long SerializeSetMemoryPack() { var to = To; MemoryPackSerializer.Serialize(to, content.Plain.Next); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("MemoryPack")]
    public TPlain DeserializeSetMemoryPack() => MemoryPackSerializer.Deserialize<TPlain>(content.MemoryPack.Next)!;

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("MemoryPack")]
    public long DeserializeTouchSetMemoryPack() => TSet.Touch(MemoryPackSerializer.Deserialize<TPlain>(content.MemoryPack.Next)!);

    // MemoryPack can overwrite an object, as the slab codec does.
    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("MemoryPack")]
    public TPlain DeserializeSetMemoryPack_Overwrite()
    {
        MemoryPackSerializer.Deserialize(content.MemoryPack.Next, ref overwritten);
        return overwritten!;
    }

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("MemoryPack")]
    public long DeserializeTouchSetMemoryPack_Overwrite() => TSet.Touch(DeserializeSetMemoryPack_Overwrite());

    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("Orleans")]
    public long SerializeSetOrleans() { var to = To; ForOrleans.Serialize(content.Plain.Next, to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("Orleans")]
    public TPlain DeserializeSetOrleans() => ForOrleans.Deserialize((ReadOnlyMemory<byte>)content.Orleans.Next)!;

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("Orleans")]
    public long DeserializeTouchSetOrleans() => TSet.Touch(ForOrleans.Deserialize((ReadOnlyMemory<byte>)content.Orleans.Next)!);

    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("SystemTextJson")]
    public long SerializeSetSystemTextJson()
    {
        var to = To;
        json ??= new(to, new() { SkipValidation = true });
        json.Reset(to);
        JsonSerializer.Serialize(json, content.Plain.Next, TSet.Json);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("SystemTextJson")]
    public TPlain DeserializeSetSystemTextJson() => JsonSerializer.Deserialize(content.SystemTextJson.Next, TSet.Json)!;

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("SystemTextJson")]
    public long DeserializeTouchSetSystemTextJson() => TSet.Touch(JsonSerializer.Deserialize(content.SystemTextJson.Next, TSet.Json)!);

    Utf8JsonWriter? json;

    TPlain? overwritten;

    Nerdbank.MessagePack.MessagePackSerializer ForNerdbank => field ??= OfNerdbank.Serializer;

    Orleans.Serialization.Serializer<TPlain> ForOrleans => field ??= OfOrleans.Serializer;

    // The message of the last operation. The next one releases it, as a service does.
    Message<TSlab> last;

    void Renew()
    {
        last.Dispose();
        last = Message<TSlab>.Rent();
    }

    // protobuf-net fills the plain classes, for the libraries with formats of their own too.
    static TPlain ToPlain(byte[] bytes) => TSet.Model.Deserialize<TPlain>((ReadOnlyMemory<byte>)bytes);

    static byte[] ToProtobuf(TPlain plain)
    {
        var to = new ArrayBufferWriter<byte>();
        TSet.Model.Serialize(to, plain);
        return to.WrittenSpan.ToArray();
    }

    static byte[] ByRuntimeModel(byte[] bytes)
    {
        var to = new ArrayBufferWriter<byte>();
        Serializer.Serialize(to, Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)bytes));
        return to.WrittenSpan.ToArray();
    }

    static ComparedLibrary OfOwnFormat(string name, string package, Type type, Func<TPlain, byte[]> write, Func<byte[], TPlain> read) =>
        new(name, ComparedLibrary.VersionOf(package, type), bytes => write(read(bytes)))
        {
            IsOptional = true,
            FromProtobuf = bytes => write(ToPlain(bytes)),
            ToProtobuf = bytes => ToProtobuf(read(bytes)),
        };

    /// <summary>What cells read and write. Each list is made when a cell first uses it, so that a process loads only the measured library,
    /// and protobuf-net for plain classes. A library that reads other bytes than <see cref="Wire"/> has a list with its name.</summary>
    sealed class Content(Func<IReadOnlyList<byte[]>> make)
    {
        IReadOnlyList<byte[]> Messages => field ??= make();

        public Cycle<byte[]> Wire => field ??= new(Messages);

        public Cycle<TGoogle> Google => field ??= new([.. Messages.Select(TSet.Parser.ParseFrom)]);

        public Cycle<TPlain> Plain => field ??= new([.. Messages.Select(ToPlain)]);

        public Cycle<Message<TSlab>> Slab => field ??= new([.. Messages.Select(Parsed)]);

        public Cycle<byte[]> PBN => field ??= new([.. Messages.Select(one => ToProtobuf(ToPlain(one)))]);

        public Cycle<byte[]> MessagePack => field ??= new([.. Messages.Select(one => MessagePackSerializer.Serialize(ToPlain(one)))]);

        public Cycle<byte[]> Nerdbank => field ??= new([.. Messages.Select(one => OfNerdbank.Serializer.Serialize(ToPlain(one)))]);

        public Cycle<byte[]> MemoryPack => field ??= new([.. Messages.Select(one => MemoryPackSerializer.Serialize(ToPlain(one)))]);

        public Cycle<byte[]> Orleans => field ??= new([.. Messages.Select(one => OfOrleans.Serializer.SerializeToArray(ToPlain(one)))]);

        public Cycle<byte[]> SystemTextJson =>
            field ??= new([.. Messages.Select(one => JsonSerializer.SerializeToUtf8Bytes(ToPlain(one), TSet.Json))]);

        static Message<TSlab> Parsed(byte[] bytes)
        {
            var message = Message<TSlab>.Rent();
            message.Parse(bytes);
            return message;
        }
    }

    // Each in a class of its own, so that it is made in the process that measures it, and once.
    static class OfNerdbank
    {
        public static readonly Nerdbank.MessagePack.MessagePackSerializer Serializer = new();
    }

    static class OfOrleans
    {
        public static readonly Orleans.Serialization.Serializer<TPlain> Serializer =
            new ServiceCollection().AddSerializer().BuildServiceProvider().GetRequiredService<Orleans.Serialization.Serializer<TPlain>>();
    }
}

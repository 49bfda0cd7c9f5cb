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
/// the sum. Make cells make a message from plain values and write it, MakeNew cells do so with new strings. Forward cells read and write.
/// Serve cells read a message and a third of its fields, and make and write a reply. Each operation takes the next message.</remarks>
public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    readonly ArrayBufferWriter<byte> written = new(1 << 16);

    // protobuf-net writes lists of sub-messages to a stream in an eighth to a quarter of the time that it takes to a buffer writer.
    readonly MemoryStream stream = new(1 << 16);

    /// <summary>Gets the libraries. The others are compared with the first one, and left out where they do not keep the content of a
    /// message.</summary>
    internal static IReadOnlyList<ComparedLibrary> Libraries { get; } =
    [
        new("Google", ComparedLibrary.VersionOf("Google.Protobuf", typeof(IMessage)), bytes => TSet.Parser.ParseFrom(bytes).ToByteArray())
        {
            Works = Works(plain => TSet.MakeGoogle(plain).ToByteArray(), plain => TSet.MakeGoogleNew(plain).ToByteArray(),
                bytes => TSet.Reply(TSet.Parser.ParseFrom(bytes)).ToByteArray()),
        },
        OfPlain("PBN", "protobuf-net", typeof(Serializer), ToPayload, ToPlain),
        OfPlain("PBNRuntime", "protobuf-net's runtime model", typeof(Serializer), ByRuntimeModel,
            bytes => Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)bytes)),
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
        })
        {
            Works = Works(plain => BySlab(made => TSet.Make(made, plain)), plain => BySlab(made => TSet.MakeNew(made, plain)), bytes =>
            {
                using var request = Message<TSlab>.Rent();
                request.Parse(bytes);
                return BySlab(made => TSet.Reply(made, request.Value));
            }),
        },
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

    // Without many sub-messages, the buffer writer is faster: 0.69 of the stream's time for an order event.
    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("PBN")]
    public long SerializeSetPBN_BW() { var to = To; TSet.Model.Serialize(to, content.Plain.Next); return to.WrittenCount; }

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
        JsonSerializer.Serialize(JsonTo(to), content.Plain.Next, TSet.Json);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("SystemTextJson")]
    public TPlain DeserializeSetSystemTextJson() => JsonSerializer.Deserialize(content.SystemTextJson.Next, TSet.Json)!;

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("SystemTextJson")]
    public long DeserializeTouchSetSystemTextJson() => TSet.Touch(JsonSerializer.Deserialize(content.SystemTextJson.Next, TSet.Json)!);

    // From values that exist to bytes: a service makes a message, writes it once and drops it.
    [Benchmark(Baseline = true), BenchmarkCategory("MakeSet"), Measures("Google")]
    public long MakeSetGoogle() { var to = To; TSet.MakeGoogle(content.Source.Next).WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("PBN")]
    public long MakeSetPBN()
    {
        stream.SetLength(0);
        TSet.Model.Serialize(stream, TSet.MakePlain(content.Source.Next));
        return stream.Length;
    }

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("PBNRuntime")]
    public long MakeSetPBNRuntime()
    {
        stream.SetLength(0);
        Serializer.Serialize(stream, TSet.MakePlain(content.Source.Next));
        return stream.Length;
    }

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("Slab")]
    public long MakeSetSlab()
    {
        using var made = Message<TSlab>.Rent();
        TSet.Make(made.Value, content.Source.Next);
        var to = To;
        made.WriteTo(to);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("MessagePack")]
    public long MakeSetMessagePack()
    {
        var to = To;
        MessagePackSerializer.Serialize(to, TSet.MakePlain(content.Source.Next));
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("Nerdbank")]
    public long MakeSetNerdbank() { var to = To; ForNerdbank.Serialize(to, TSet.MakePlain(content.Source.Next)); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("MemoryPack")]
    public long MakeSetMemoryPack()
    {
        var to = To;
        MemoryPackSerializer.Serialize(to, TSet.MakePlain(content.Source.Next));
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("Orleans")]
    public long MakeSetOrleans() { var to = To; ForOrleans.Serialize(TSet.MakePlain(content.Source.Next), to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("SystemTextJson")]
    public long MakeSetSystemTextJson()
    {
        var to = To;
        JsonSerializer.Serialize(JsonTo(to), TSet.MakePlain(content.Source.Next), TSet.Json);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("PBN")]
    public long MakeSetPBN_BW() { var to = To; TSet.Model.Serialize(to, TSet.MakePlain(content.Source.Next)); return to.WrittenCount; }

    // The same with new strings, as most strings of services are.
    [Benchmark(Baseline = true), BenchmarkCategory("MakeNewSet"), Measures("Google")]
    public long MakeNewSetGoogle() { var to = To; TSet.MakeGoogleNew(content.Source.Next).WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("PBN")]
    public long MakeNewSetPBN()
    {
        stream.SetLength(0);
        TSet.Model.Serialize(stream, TSet.MakePlainNew(content.Source.Next));
        return stream.Length;
    }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("PBNRuntime")]
    public long MakeNewSetPBNRuntime()
    {
        stream.SetLength(0);
        Serializer.Serialize(stream, TSet.MakePlainNew(content.Source.Next));
        return stream.Length;
    }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("Slab")]
    public long MakeNewSetSlab()
    {
        using var made = Message<TSlab>.Rent();
        TSet.MakeNew(made.Value, content.Source.Next);
        var to = To;
        made.WriteTo(to);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("MessagePack")]
    public long MakeNewSetMessagePack()
    {
        var to = To;
        MessagePackSerializer.Serialize(to, TSet.MakePlainNew(content.Source.Next));
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("Nerdbank")]
    public long MakeNewSetNerdbank()
    {
        var to = To;
        ForNerdbank.Serialize(to, TSet.MakePlainNew(content.Source.Next));
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("MemoryPack")]
    public long MakeNewSetMemoryPack()
    {
        var to = To;
        MemoryPackSerializer.Serialize(to, TSet.MakePlainNew(content.Source.Next));
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("Orleans")]
    public long MakeNewSetOrleans()
    {
        var to = To;
        ForOrleans.Serialize(TSet.MakePlainNew(content.Source.Next), to);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("SystemTextJson")]
    public long MakeNewSetSystemTextJson()
    {
        var to = To;
        JsonSerializer.Serialize(JsonTo(to), TSet.MakePlainNew(content.Source.Next), TSet.Json);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("PBN")]
    public long MakeNewSetPBN_BW()
    {
        var to = To;
        TSet.Model.Serialize(to, TSet.MakePlainNew(content.Source.Next));
        return to.WrittenCount;
    }

    // What a proxy or a queue does.
    [Benchmark(Baseline = true), BenchmarkCategory("ForwardSet"), Measures("Google")]
    public long ForwardSetGoogle() { var to = To; TSet.Parser.ParseFrom(content.Wire.Next.AsSpan()).WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("PBN")]
    public long ForwardSetPBN()
    {
        stream.SetLength(0);
        TSet.Model.Serialize(stream, TSet.Model.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.PBN.Next));
        return stream.Length;
    }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("PBNRuntime")]
    public long ForwardSetPBNRuntime()
    {
        stream.SetLength(0);
        Serializer.Serialize(stream, Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.PBN.Next));
        return stream.Length;
    }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("Slab")]
    public long ForwardSetSlab() { Renew(); last.Parse(content.Wire.Next); var to = To; last.WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("Slab")]
    public long ForwardSetSlab_Alias()
    {
        Renew();
        last.ParseAlias(content.Wire.Next);
        var to = To;
        last.WriteTo(to);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("MessagePack")]
    public long ForwardSetMessagePack()
    {
        var to = To;
        MessagePackSerializer.Serialize(to, MessagePackSerializer.Deserialize<TPlain>(content.MessagePack.Next));
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("Nerdbank")]
    public long ForwardSetNerdbank()
    {
        var to = To;
        ForNerdbank.Serialize(to, ForNerdbank.Deserialize<TPlain>(content.Nerdbank.Next)!);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("MemoryPack")]
    public long ForwardSetMemoryPack()
    {
        var to = To;
        MemoryPackSerializer.Serialize(to, MemoryPackSerializer.Deserialize<TPlain>(content.MemoryPack.Next)!);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("Orleans")]
    public long ForwardSetOrleans()
    {
        var to = To;
        ForOrleans.Serialize(ForOrleans.Deserialize((ReadOnlyMemory<byte>)content.Orleans.Next)!, to);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("SystemTextJson")]
    public long ForwardSetSystemTextJson()
    {
        var to = To;
        JsonSerializer.Serialize(JsonTo(to), JsonSerializer.Deserialize(content.SystemTextJson.Next, TSet.Json)!, TSet.Json);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("PBN")]
    public long ForwardSetPBN_BW()
    {
        var to = To;
        TSet.Model.Serialize(to, TSet.Model.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.PBN.Next));
        return to.WrittenCount;
    }

    // A request of which a third of the fields is read, and a reply that repeats some of them. Returns the sum of what was read.
    [Benchmark(Baseline = true), BenchmarkCategory("ServeSet"), Measures("Google")]
    public long ServeSetGoogle()
    {
        var request = TSet.Parser.ParseFrom(content.Wire.Next.AsSpan());
        var sum = TSet.TouchThird(request);
        TSet.Reply(request).WriteTo(To);
        return sum;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("PBN")]
    public long ServeSetPBN()
    {
        var request = TSet.Model.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.PBN.Next);
        var sum = TSet.TouchThird(request);
        stream.SetLength(0);
        TSet.Model.Serialize(stream, TSet.Reply(request));
        return sum;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("PBNRuntime")]
    public long ServeSetPBNRuntime()
    {
        var request = Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.PBN.Next);
        var sum = TSet.TouchThird(request);
        stream.SetLength(0);
        Serializer.Serialize(stream, TSet.Reply(request));
        return sum;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("Slab")]
    public long ServeSetSlab()
    {
        Renew();
        var request = last.Parse(content.Wire.Next);
        var sum = TSet.TouchThird(request);
        using var reply = Message<TSlab>.Rent();
        TSet.Reply(reply.Value, request);
        reply.WriteTo(To);
        return sum;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("Slab")]
    public long ServeSetSlab_Strings()
    {
        Renew();
        var request = last.Parse(content.Wire.Next);
        var sum = TSet.StringsThird(request);
        using var reply = Message<TSlab>.Rent();
        TSet.Reply(reply.Value, request);
        reply.WriteTo(To);
        return sum;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("MessagePack")]
    public long ServeSetMessagePack()
    {
        var request = MessagePackSerializer.Deserialize<TPlain>(content.MessagePack.Next);
        var sum = TSet.TouchThird(request);
        MessagePackSerializer.Serialize(To, TSet.Reply(request));
        return sum;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("Nerdbank")]
    public long ServeSetNerdbank()
    {
        var request = ForNerdbank.Deserialize<TPlain>(content.Nerdbank.Next)!;
        var sum = TSet.TouchThird(request);
        ForNerdbank.Serialize(To, TSet.Reply(request));
        return sum;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("MemoryPack")]
    public long ServeSetMemoryPack()
    {
        var request = MemoryPackSerializer.Deserialize<TPlain>(content.MemoryPack.Next)!;
        var sum = TSet.TouchThird(request);
        MemoryPackSerializer.Serialize(To, TSet.Reply(request));
        return sum;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("Orleans")]
    public long ServeSetOrleans()
    {
        var request = ForOrleans.Deserialize((ReadOnlyMemory<byte>)content.Orleans.Next)!;
        var sum = TSet.TouchThird(request);
        ForOrleans.Serialize(TSet.Reply(request), To);
        return sum;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("SystemTextJson")]
    public long ServeSetSystemTextJson()
    {
        var request = JsonSerializer.Deserialize(content.SystemTextJson.Next, TSet.Json)!;
        var sum = TSet.TouchThird(request);
        JsonSerializer.Serialize(JsonTo(To), TSet.Reply(request), TSet.Json);
        return sum;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("PBN")]
    public long ServeSetPBN_BW()
    {
        var request = TSet.Model.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.PBN.Next);
        var sum = TSet.TouchThird(request);
        TSet.Model.Serialize(To, TSet.Reply(request));
        return sum;
    }

    Utf8JsonWriter? json;

    TPlain? overwritten;

    Nerdbank.MessagePack.MessagePackSerializer ForNerdbank => field ??= OfNerdbank.Serializer;

    Orleans.Serialization.Serializer<TPlain> ForOrleans => field ??= OfOrleans.Serializer;

    // The message of the last operation. The next one releases it, as a service does.
    Message<TSlab> last;

    Utf8JsonWriter JsonTo(IBufferWriter<byte> to)
    {
        json ??= new(to, new() { SkipValidation = true });
        json.Reset(to);
        return json;
    }

    void Renew()
    {
        last.Dispose();
        last = Message<TSlab>.Rent();
    }

    // protobuf-net fills the plain classes, for the libraries with formats of their own too.
    static TPlain ToPlain(byte[] bytes) => TSet.Model.Deserialize<TPlain>((ReadOnlyMemory<byte>)bytes);

    static byte[] ToPayload(TPlain plain)
    {
        var to = new ArrayBufferWriter<byte>();
        TSet.Model.Serialize(to, plain);
        return to.WrittenSpan.ToArray();
    }

    static byte[] ByRuntimeModel(TPlain plain)
    {
        var to = new ArrayBufferWriter<byte>();
        Serializer.Serialize(to, plain);
        return to.WrittenSpan.ToArray();
    }

    static byte[] BySlab(Action<TSlab> make)
    {
        using var made = Message<TSlab>.Rent();
        make(made.Value);
        return made.ToByteArray();
    }

    static ComparedLibrary OfPlain(string name, string package, Type type, Func<TPlain, byte[]> write, Func<byte[], TPlain> read) =>
        new(name, ComparedLibrary.VersionOf(package, type), bytes => write(read(bytes)))
        {
            IsOptional = true,
            Works = Works(plain => write(TSet.MakePlain(plain)), plain => write(TSet.MakePlainNew(plain)),
                bytes => write(TSet.Reply(read(write(ToPlain(bytes)))))),
        };

    static ComparedLibrary OfOwnFormat(string name, string package, Type type, Func<TPlain, byte[]> write, Func<byte[], TPlain> read) =>
        OfPlain(name, package, type, write, read) with
        {
            FromPayload = bytes => write(ToPlain(bytes)),
            ToPayload = bytes => ToPayload(read(bytes)),
        };

    static Dictionary<string, Func<byte[], byte[]>> Works(Func<TPlain, byte[]> make, Func<TPlain, byte[]> makeNew,
        Func<byte[], byte[]> serve) => new()
        {
            ["Make"] = bytes => make(ToPlain(bytes)),
            ["Make, new strings"] = bytes => makeNew(ToPlain(bytes)),
            ["Serve"] = serve,
        };

    /// <summary>What cells read and write. Each list is made when a cell first uses it, so that a process loads only the measured library,
    /// and protobuf-net for plain classes. A library that reads other bytes than <see cref="Wire"/> has a list with its name.</summary>
    sealed partial class Content(Func<IReadOnlyList<byte[]>> make)
    {
        const int sources = 64;
        const int mostSourceBytes = 1 << 20;

        IReadOnlyList<byte[]> Messages => field ??= make();

        public Cycle<byte[]> Wire => field ??= new(Messages);

        public Cycle<TGoogle> Google => field ??= new([.. Messages.Select(TSet.Parser.ParseFrom)]);

        public Cycle<TPlain> Plain => field ??= new([.. Messages.Select(ToPlain)]);

        /// <summary>Gets the values of which messages are made. There are at least <see cref="sources"/> objects, so that no library is
        /// served from one string, unless they would be larger than <see cref="mostSourceBytes"/> on the wire.</summary>
        public Cycle<TPlain> Source => field ??= new([.. Sources.Select(ToPlain)]);

        IEnumerable<byte[]> Sources => Enumerable.Repeat(Messages, Math.Max(1,
            Math.Min((sources + Messages.Count - 1) / Messages.Count, mostSourceBytes / Math.Max(1, Messages.Sum(one => one.Length)))))
            .SelectMany(one => one);

        public Cycle<Message<TSlab>> Slab => field ??= new([.. Messages.Select(Parsed)]);

        static Message<TSlab> Parsed(byte[] bytes)
        {
            var message = Message<TSlab>.Rent();
            message.Parse(bytes);
            return message;
        }

        public Cycle<byte[]> PBN => field ??= new([.. Messages.Select(one => ToPayload(ToPlain(one)))]);

        public Cycle<byte[]> MessagePack => field ??= new([.. Messages.Select(one => MessagePackSerializer.Serialize(ToPlain(one)))]);

        public Cycle<byte[]> Nerdbank => field ??= new([.. Messages.Select(one => OfNerdbank.Serializer.Serialize(ToPlain(one)))]);

        public Cycle<byte[]> MemoryPack => field ??= new([.. Messages.Select(one => MemoryPackSerializer.Serialize(ToPlain(one)))]);

        public Cycle<byte[]> Orleans => field ??= new([.. Messages.Select(one => OfOrleans.Serializer.SerializeToArray(ToPlain(one)))]);

        public Cycle<byte[]> SystemTextJson =>
            field ??= new([.. Messages.Select(one => JsonSerializer.SerializeToUtf8Bytes(ToPlain(one), TSet.Json))]);
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

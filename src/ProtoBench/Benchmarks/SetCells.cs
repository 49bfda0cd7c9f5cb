using System.Buffers;
using ProtoBench.Harness;

namespace ProtoBench.Benchmarks;

/// <summary>How each library reads and writes a message. Its file has its cells, which are those of the data sets and of the projects that
/// the verb <c>new</c> makes. <c>new</c> copies this class, and replaces the type parameters by the types of the message, and <c>Set</c>
/// in the names of cells by the name of the message.</summary>
/// <remarks>Serialize cells write to a buffer that is reused and return the number of bytes. Deserialize cells read contiguous memory, as
/// the span or the memory that the library takes, and return the message. DeserializeTouch cells also read every field of it and return
/// the sum. Make cells make a message from plain values and write it, MakeNew cells do so with new strings. Forward cells read and write.
/// Serve cells read a message and a third of its fields, and make and write a reply. Each operation takes the next message.
/// <c>ComparedNAME</c> of a library is for the check before the measurement.</remarks>
public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    readonly ArrayBufferWriter<byte> written = new(1 << 16);

    private protected ArrayBufferWriter<byte> To
    {
        get
        {
            written.ResetWrittenCount();
            return written;
        }
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

        public Cycle<TPlain> Plain => field ??= new([.. Messages.Select(ToPlain)]);

        /// <summary>Gets the values of which messages are made. There are at least <see cref="sources"/> objects, so that no library is
        /// served from one string, unless they would be larger than <see cref="mostSourceBytes"/> on the wire.</summary>
        public Cycle<TPlain> Source => field ??= new([.. Sources.Select(ToPlain)]);

        IEnumerable<byte[]> Sources => Enumerable.Repeat(Messages, Math.Max(1,
            Math.Min((sources + Messages.Count - 1) / Messages.Count, mostSourceBytes / Math.Max(1, Messages.Sum(one => one.Length)))))
            .SelectMany(one => one);
    }
}

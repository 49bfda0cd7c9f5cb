using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec.Tests;

/// <summary>A message type that somebody wrote by hand: without fields, but for what it says itself.</summary>
interface IHandWritten<TSelf> : ISlabMessage<TSelf>
    where TSelf : struct, ISlabMessage<TSelf>
{
    static string ISlabMessage<TSelf>.FullName => typeof(TSelf).Name;

    static bool ISlabMessage<TSelf>.NeedsSizes => false;

    static Storage ISlabMessage<TSelf>.CreateStorage(MessageMemory memory) => Storage<long>.Of(memory);

    static TSelf ISlabMessage<TSelf>.Create(Storage storage) => default;

    static void ISlabMessage<TSelf>.Parse(WireReader reader, TSelf message)
    {
    }

    static long ISlabMessage<TSelf>.CalculateSize(TSelf message) => 0;

    static void ISlabMessage<TSelf>.Write(ref WireWriter writer, TSelf message)
    {
    }

    static void ISlabMessage<TSelf>.Print<TPrinter>(ref TPrinter printer, TSelf message)
    {
    }

    byte[] ISlabMessage<TSelf>.ToByteArray() => throw new NotSupportedException();

    TSelf IListElement<TSelf>.At(int index) => default;
}

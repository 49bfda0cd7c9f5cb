using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using ProtoBench.Benchmarks;

namespace ProtoBench.Peers;

/// <summary>The cells of .NET beside which peers/originals measures the systems of the published tables.</summary>
static class Originals
{
    const int callsOfCell = 36;

    static readonly FormatBenchmarks formats = new();

    public static IEnumerable<Way> Ways(string set, string verb) => (set.Split('/'), verb) switch
    {
        (["Formats", "protobuf"], "write") => [Cell(formats.MarshalByGoogle), Cell(formats.MarshalBySlab)],
        (["Formats", "protobuf"], "read") =>
            [Cell(formats.UnmarshalByGoogle), Cell(formats.UnmarshalBySlab), Cell(formats.UnmarshalBySlab_Strings)],
        (["Formats", "MessagePack"], "write") => [Cell(formats.MarshalByMessagePack)],
        (["Formats", "MessagePack"], "read") => [Cell(formats.UnmarshalByMessagePack)],
        (["Formats", "JSON"], "write") => [Cell(formats.MarshalBySystemTextJson)],
        (["Formats", "JSON"], "read") => [Cell(formats.UnmarshalBySystemTextJson)],
        (["Encode", var size], _) => Encode(size),
        (["RPC", var stack, var size], _) => Echo(stack, size, int.Parse(verb, CultureInfo.InvariantCulture)),
        _ => throw new ArgumentException($"nothing is beside {set}, {verb}", nameof(set)),
    };

    static IEnumerable<Way> Encode(string size)
    {
        var cells = new EncodeBenchmarks
        {
            Size = EncodeBenchmarks.Sizes.First(known => known.Text.Replace(" ", "", StringComparison.Ordinal) == size),
        };
        cells.Setup();
        return [Cell(cells.EncodeByteArray), Cell(cells.EncodeDirect), Cell(cells.EncodeSlab)];
    }

    static IEnumerable<Way> Echo(string stack, string size, int callers)
    {
        return stack switch
        {
            "gRPC" => [Call(New().GRPC_Plain), Call(New().GRPCSlab_Plain)],
            "gob" => [Call(New().NativeRPC_Plain)],
            "protobuf" => [Call(New().ProtoRPC_Plain), Call(New().ProtoRPCSlab_Plain)],
            "HTTP1" => [Call(New().ProtoHTTP1_Plain)],
            _ => [Call(New().ProtoHTTP2_Plain)],
        };

        // host and client are those of its first cell
        RpcStackBenchmarks New() => new() { Size = EchoSize.All.First(known => known.ToString() == size), Concurrency = callers };
    }

    static Way Cell<T>(Func<T> cell, [CallerArgumentExpression(nameof(cell))] string row = "") =>
        Of(row, Way.ProcessorTime(() => cell()));

    static Way Call(Func<Task<long>> cell, [CallerArgumentExpression(nameof(cell))] string row = "") => Of(row, seconds =>
    {
        var (start, calls) = (Stopwatch.GetTimestamp(), 0L);
        do
        {
            cell().GetAwaiter().GetResult();
            calls += callsOfCell;
        }
        while (Stopwatch.GetElapsedTime(start).TotalSeconds < seconds);
        return Stopwatch.GetElapsedTime(start).TotalNanoseconds / calls;
    });

    static Way Of(string row, Func<double, double> nanoseconds) => new(row.Split('.')[^1], "", "cell", 0, nanoseconds);
}

using System.Diagnostics;
using System.Globalization;
using Google.Protobuf;
using Upstream;

// Google.Protobuf 3.36.2: the time to parse a map with 64-bit keys grows with the square of its entries if the sender chooses the keys
// (README.md). The argument is the number of entries.
var count = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 50_000;
foreach (var (name, key) in new (string, Func<long, long>)[] { ("i", i => i), ("(i << 32) | i", i => (i << 32) | i) })
{
    var stream = new MemoryStream();
    using (var output = new CodedOutputStream(stream, leaveOpen: true))
    {
        for (var i = 1L; i <= count; i++)
        {
            output.WriteTag(1, WireFormat.WireType.LengthDelimited);
            output.WriteLength(1 + CodedOutputStream.ComputeInt64Size(key(i)));
            output.WriteTag(1, WireFormat.WireType.Varint);
            output.WriteInt64(key(i));
        }
    }

    var wire = stream.ToArray();
    var start = Stopwatch.GetTimestamp();
    var entries = Keys.Parser.ParseFrom(wire).Values.Count;
    Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
        $"keys {name,-13} {wire.Length,9:N0} bytes, {entries,7:N0} entries: {Stopwatch.GetElapsedTime(start).TotalMilliseconds,9:N1} ms"));
}

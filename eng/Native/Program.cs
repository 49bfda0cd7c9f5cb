using System.Buffers;
using System.Diagnostics;
using System.Globalization;
using System.IO.Pipelines;
using Depot;
using ProtoBench.Allocators;
using ProtoBench.Codec;
using ProtoBench.Codec.WellKnownTypes;

// Each allocator and every construct of the codec, in native code. What does not hold ends the program with an exception.
using var pool = SlabPool.Create(new() { Name = "native" });
using (var arena = new Arena(pool)) arena.Rent(100).Fill(1);
using (var slices = new SliceAllocator(pool)) slices.Rent(100).Release();
using (var list = new PooledList<int>()) list.Add(1);

using var built = Message<Parcel>.Rent(pool);
var parcel = built.Value;
parcel.SetTo("Ada");
var item = parcel.AddItems();
item.SetName("tea");
item.SetPicture([1, 2, 3]);
parcel.SetLabels("fragile", 1);
parcel.SetLabels("left", 2);
parcel.MutableSent().Set(DateTime.UnixEpoch.AddDays(20_000));
parcel.SetFloor(-1);
parcel.AddWeights([-5, 7]);
parcel.SetFragile(false);
parcel.MutableBarter().MergeFrom(item);
parcel.SetSize(Parcel.Types.Size.Large);

using var output = new SlabBufferWriter(pool);
built.WriteTo(output);
using var copied = Parcel.Rent();
using var aliased = Parcel.Rent();
using var piped = Parcel.Rent();
var one = copied.Parse(output.GetWrittenSequence());
var bytes = output.GetWrittenSequence().ToArray();
var two = aliased.ParseAlias(bytes);
var three = await piped.ParseAsync(PipeReader.Create(new ReadOnlySequence<byte>(bytes)));
Check(one == parcel && two == parcel && three == parcel);
Check(one.GetHashCode() == parcel.GetHashCode());
Check(one.TryGetLabels("left", out var left) && left == 2);
Check(one.HasSent && one.Sent.ToDateTime() == DateTime.UnixEpoch.AddDays(20_000));
Check(one.Floor == -1 && one.HasFragile && one.PaidCase == Parcel.PaidOneofCase.Barter);
Check(one.ToString().Contains("SIZE_LARGE", StringComparison.Ordinal));
try
{
    copied.Parse([0x0A, 5]);
    Check(false);
}
catch (WireFormatException e)
{
    Check(e.Offset > 0);
}

Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"the codec holds: {bytes.Length} bytes"));

static void Check(bool holds)
{
    if (!holds) throw new UnreachableException("The codec does something else in native code.");
}

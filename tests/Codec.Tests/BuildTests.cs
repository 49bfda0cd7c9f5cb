using System.Buffers;
using Google.Protobuf;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

public class BuildTests
{
    [Fact]
    public void A_request_is_built_as_it_is_spoken()
    {
        using var message = ForwardRequest.Rent();
        var request = message.Value;
        request.SetTraceId("0123456789abcdef");
        for (var i = 0; i < 1_000; i++)
        {
            var item = request.AddItemRequests();
            item.SetItemId($"{i}");
            item.SetItemContext(new byte[i]);
        }

        request.SetRequestContextInfo("context"u8);

        var expected = new Gpb.ForwardRequest { TraceId = "0123456789abcdef", RequestContextInfo = ByteString.CopyFromUtf8("context") };
        for (var i = 0; i < 1_000; i++)
            expected.ItemRequests.Add(new Gpb.ForwardPerItemRequest { ItemId = $"{i}", ItemContext = ByteString.CopyFrom(new byte[i]) });
        Assert.Equal(expected.ToByteArray(), message.ToByteArray());
        Assert.Equal(expected, MessageCopier.ToGoogle<Gpb.ForwardRequest>(request));
    }

    [Fact]
    public void A_zoo_is_built_as_it_is_spoken()
    {
        using var message = Zoo.Rent();
        Build(message.Value);
        Assert.Equal(Expected().ToByteArray(), message.ToByteArray());
        Assert.Equal(Expected(), MessageCopier.ToGoogle<Gpb.Zoo>(message.Value));
    }

    [Fact]
    public void What_was_read_can_be_changed()
    {
        using var message = ForwardPerItemRequest.Rent();
        var item = message.Parse(Convert.FromHexString("0A0131120132").AsSpan());
        item.SetItemContext("changed"u8);
        Assert.Equal(new Gpb.ForwardPerItemRequest { ItemId = "1", ItemContext = ByteString.CopyFromUtf8("changed") }.ToByteArray(),
            message.ToByteArray());
    }

    [Fact]
    public void A_string_takes_UTF8_only()
    {
        using var message = ForwardPerItemRequest.Rent();
        Assert.Throws<ArgumentException>(() => message.Value.SetItemId([0xFF]));
        message.Value.SetItemId("\uD800");
        Assert.Equal("\uFFFD", message.Value.ItemId.ToString());
    }

    [Fact]
    public void Every_destination_gets_the_same_bytes()
    {
        using var message = Zoo.Rent();
        Build(message.Value);
        var expected = Expected().ToByteArray();

        var writer = new ArrayBufferWriter<byte>();
        message.WriteTo(writer);
        Assert.Equal(expected, writer.WrittenSpan);

        for (var grain = 1; grain < 90; grain++)
        {
            var pieces = new WindowWriter(grain);
            message.WriteTo(pieces);
            Assert.Equal(expected, pieces.Written);
        }

        var span = new byte[expected.Length + 1];
        Assert.Equal(expected.Length, message.WriteTo(span));
        Assert.Equal(expected, span[..^1]);
        Assert.Throws<ArgumentException>(() => message.WriteTo(span.AsSpan(2)));

        var stream = new MemoryStream();
        stream.WriteByte(7);
        message.WriteTo(stream);
        message.WriteTo(stream);
        Assert.Equal([7, .. expected, .. expected], stream.ToArray());
        var buffered = new MemoryStream();
        using (var closed = new BufferedStream(buffered)) message.WriteTo(closed);
        Assert.Equal(expected, buffered.ToArray());
    }

    static void Build(Zoo zoo)
    {
        var scalars = zoo.MutableScalars();
        scalars.SetDoubleValue(1.5);
        scalars.SetInt32Value(-1);
        scalars.SetSint64Value(long.MinValue);
        scalars.SetBoolValue(true);
        scalars.SetEnumValue(Mood.Asleep);
        scalars.SetLargestNumber(1);
        var packed = zoo.MutablePacked();
        for (var i = 0; i < 5; i++)
        {
            packed.AddUint64Values(1ul << (12 * i));
            packed.AddEnumValues(Mood.Wild);
            packed.AddFixed32Values((uint)i);
        }

        zoo.MutableUnpacked().AddStringValues("one");
        zoo.MutableUnpacked().AddStringValues("two"u8);
        zoo.MutableUnpacked().AddFloatValues(0);
        zoo.MutableOptionals().SetInt32Value(0);
        zoo.MutableOptionals().SetStringValue("");
        for (var i = 0; i < 3; i++)
        {
            var cage = zoo.AddCages();
            cage.SetLabel($"cage {i}");
            for (var k = 0; k < 3; k++)
            {
                var animal = cage.AddAnimals();
                animal.SetName(new string('n', 40 * k));
                animal.SetPhoto("first"u8);
                animal.SetStreet("then");
                animal.MutableMother().AddYoung().MutableCage().SetLabel("deep");
                animal.AddWeights(-k);
            }
        }

        zoo.SetVisitors("Ann", 2);
        zoo.SetVisitors("Ann"u8, 3);
        zoo.MutableAnimals(7);
        zoo.SetMoods(false, Mood.Unspecified);
        zoo.MutableBranch();
    }

    static Gpb.Zoo Expected()
    {
        var zoo = new Gpb.Zoo
        {
            Scalars = new()
            {
                DoubleValue = 1.5,
                Int32Value = -1,
                Sint64Value = long.MinValue,
                BoolValue = true,
                EnumValue = Gpb.Mood.Asleep,
                LargestNumber = 1
            },
            Packed = new()
            {
                Uint64Values = { 1, 1 << 12, 1 << 24, 1ul << 36, 1ul << 48 },
                EnumValues = { Enumerable.Repeat(Gpb.Mood.Wild, 5) },
                Fixed32Values = { 0, 1, 2, 3, 4 }
            },
            Unpacked = new() { StringValues = { "one", "two" }, FloatValues = { 0 } },
            Optionals = new() { Int32Value = 0, StringValue = "" },
            Visitors = { ["Ann"] = 3 },
            Animals = { [7] = new() },
            Moods = { [false] = Gpb.Mood.Unspecified },
            Branch = new(),
        };
        for (var i = 0; i < 3; i++)
        {
            var cage = new Gpb.Cage { Label = $"cage {i}" };
            for (var k = 0; k < 3; k++)
            {
                var mother = new Gpb.Animal { Young = { new Gpb.Animal { Cage = new() { Label = "deep" } } } };
                cage.Animals.Add(new Gpb.Animal { Name = new string('n', 40 * k), Street = "then", Mother = mother, Weights = { -k } });
            }

            zoo.Cages.Add(cage);
        }

        return zoo;
    }
}

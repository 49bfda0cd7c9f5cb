using System.Buffers;
using Google.Protobuf;
using ProtoBench.Codec;

namespace ProtoBench.Stress.Tests;

/// <summary>A built message, which anybody uses at any time in any way, and whoever comes first releases.</summary>
sealed class Published(Message<SlabProtobuf.Zoo> message, byte[] wire, List<Twin> views)
{
    readonly byte[][] parts = [.. views.Select(view => view.Google.ToByteArray())];

    /// <summary>Uses the message in a random way.</summary>
    /// <returns>Whether it was still there. Anything else than the right value or the documented exception fails the test.</returns>
    public bool Use(Random random)
    {
        try
        {
            switch (random.Next(9))
            {
                case 0:
                    Assert.Equal(wire, message.ToByteArray());
                    break;
                case 1:
                    var writer = new ArrayBufferWriter<byte>(random.Next(1, 200));
                    message.WriteTo(writer);
                    Assert.Equal(wire, writer.WrittenSpan);
                    break;
                case 2:
                    var stream = new MemoryStream();
                    message.WriteTo(random.Next(2) == 0 ? stream : new BufferedStream(stream, 1));
                    Assert.Equal(wire, stream.ToArray());
                    break;
                case 3 or 4:
                    var which = random.Next(views.Count);
                    Assert.Equal(parts[which], views[which].Bytes());
                    break;
                case 5:
                    using (var copy = SlabProtobuf.Zoo.Rent())
                    {
                        copy.Value.CopyFrom(message.Value);
                        Assert.Equal(wire, copy.ToByteArray());
                    }

                    break;
                case 6:
                    Assert.Equal(wire.Length, message.CalculateSize());
                    break;
                case 7:
                    Read(message.Value);
                    break;
                default:
                    if (random.Next(3) == 0) message.Dispose();
                    break;
            }

            return true;
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }

    public void Release() => message.Dispose();

    void Read(SlabProtobuf.Zoo zoo)
    {
        var google = Gpb.Zoo.Parser.ParseFrom(wire);
        Assert.Equal(google.Cages.Count, zoo.Cages.Count);
        for (var i = 0; i < google.Cages.Count; i++)
        {
            var cage = zoo.Cages[i];
            Assert.Equal(google.Cages[i].Label, cage.Label.ToString());
            Assert.Equal(google.Cages[i].Animals.Count, cage.Animals.Count);
            foreach (var animal in cage.Animals) Assert.Equal(animal.Photo.Length, animal.Photo.ToArray().Length);
        }

        foreach (var (key, value) in google.Visitors)
        {
            Assert.True(zoo.TryGetVisitors(key, out var visits));
            Assert.Equal(value, visits);
        }
    }
}

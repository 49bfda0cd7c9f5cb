using Google.Protobuf;

namespace ProtoBench.Stress.Tests;

/// <summary>A view that was kept while its message was built, and Google's object for the same part of the message.</summary>
sealed record Twin(Func<byte[]> Bytes, IMessage Google);

/// <summary>Builds one message in both libraries, by random setters in random order, on views that are as old as the message.</summary>
sealed class TwinBuilder
{
    readonly Random random;
    readonly List<(SlabProtobuf.Animal Slab, Gpb.Animal Google)> animals = [];
    readonly List<(SlabProtobuf.Cage Slab, Gpb.Cage Google)> cages = [];
    readonly List<(SlabProtobuf.Zoo Slab, Gpb.Zoo Google)> zoos = [];

    public TwinBuilder(Random random, SlabProtobuf.Zoo zoo)
    {
        this.random = random;
        zoos.Add((zoo, Zoo));
    }

    public Gpb.Zoo Zoo { get; } = new();

    public List<Twin> Twins() =>
    [
        .. animals.Select(pair => new Twin(pair.Slab.ToByteArray, pair.Google)),
        .. cages.Select(pair => new Twin(pair.Slab.ToByteArray, pair.Google)),
        .. zoos.Select(pair => new Twin(pair.Slab.ToByteArray, pair.Google)),
    ];

    public void Step()
    {
        switch (random.Next(5))
        {
            case 0:
                ZooStep();
                break;
            case 1 when cages.Count > 0:
                CageStep();
                break;
            case 2 or 3 when animals.Count > 0:
                AnimalStep();
                break;
            default:
                ScalarStep();
                break;
        }
    }

    T Any<T>(List<T> list) => list[random.Next(list.Count)];

    void ZooStep()
    {
        var (slab, google) = Any(zoos);
        var number = random.Next(20);
        switch (random.Next(9))
        {
            case 0 or 1:
                google.Cages.Add(new Gpb.Cage());
                cages.Add((slab.AddCages(), google.Cages[^1]));
                break;
            case 2:
                slab.SetVisitors($"visitor {number}", number * number);
                google.Visitors[$"visitor {number}"] = number * number;
                break;
            case 3:
                if (!google.Animals.ContainsKey(number)) google.Animals[number] = new();
                animals.Add((slab.MutableAnimals(number), google.Animals[number]));
                break;
            case 4:
                slab.SetMoods(number % 2 == 0, (SlabProtobuf.Mood)number);
                google.Moods[number % 2 == 0] = (Gpb.Mood)number;
                break;
            case 5:
                google.Branch ??= new();
                zoos.Add((slab.MutableBranch(), google.Branch));
                break;
            case 6:
                Assert.Equal(google.Visitors.Remove($"visitor {number}"), slab.RemoveVisitors($"visitor {number}"));
                Assert.Equal(google.Animals.Remove(number), slab.RemoveAnimals(number));
                break;
            case 7 when google.Cages.Count > 0:
                var at = random.Next(google.Cages.Count);
                slab.RemoveCagesAt(at);
                google.Cages.RemoveAt(at);
                break;
            case 8 when number == 0:
                slab.ClearBranch();
                google.Branch = null;
                break;
        }
    }

    void CageStep()
    {
        var (slab, google) = Any(cages);
        if (random.Next(4) == 0)
        {
            google.Label = new string('c', random.Next(100));
            slab.SetLabel(google.Label);
            return;
        }

        google.Animals.Add(new Gpb.Animal());
        animals.Add((slab.AddAnimals(), google.Animals[^1]));
    }

    void AnimalStep()
    {
        var (slab, google) = Any(animals);
        var number = random.Next(1, 1_000);
        switch (random.Next(13))
        {
            case 0:
                slab.SetName($"name {number}");
                google.Name = $"name {number}";
                break;
            case 1:
                google.Mother ??= new();
                animals.Add((slab.MutableMother(), google.Mother));
                break;
            case 2 or 3:
                google.Young.Add(new Gpb.Animal());
                animals.Add((slab.AddYoung(), google.Young[^1]));
                break;
            case 4:
                slab.AddWeights(-number);
                google.Weights.Add(-number);
                break;
            case 5:
                google.Cage ??= new();
                cages.Add((slab.MutableCage(), google.Cage));
                break;
            case 6:
                slab.SetStreet($"street {number}");
                google.Street = $"street {number}";
                break;
            case 7:
                slab.SetTag((uint)number);
                google.Tag = (uint)number;
                break;
            case 8:
                slab.SetPhoto(new byte[number]);
                google.Photo = ByteString.CopyFrom(new byte[number]);
                break;
            case 9 when google.Young.Count > 0:
                var at = random.Next(google.Young.Count);
                slab.RemoveYoungAt(at);
                google.Young.RemoveAt(at);
                break;
            case 10 when number < 100:
                slab.ClearMother();
                google.Mother = null;
                slab.ClearHome();
                google.ClearHome();
                break;
            case 11 when google.Weights.Count > 0:
                var which = random.Next(google.Weights.Count);
                slab.SetWeights(which, number);
                google.Weights[which] = number;
                break;
            case 12 when number < 200:
                var (from, original) = Any(animals);
                if (original.CalculateSize() > 10_000) break;
                var copy = original.Clone();
                slab.CopyFrom(from);
                (google.Name, google.Mother) = ("", null);
                google.Young.Clear();
                google.Weights.Clear();
                google.ClearHome();
                google.MergeFrom(copy);
                break;
        }
    }

    void ScalarStep()
    {
        var (slab, google) = Any(zoos);
        var number = random.Next(-1_000, 1_000);
        switch (random.Next(4))
        {
            case 0:
                Scalars.Set(random, slab.MutableScalars(), google.Scalars ??= new(), number);
                break;
            case 1:
                Scalars.Add(random, slab.MutablePacked(), google.Packed ??= new(), number);
                break;
            case 2:
                Scalars.Add(random, slab.MutableUnpacked(), google.Unpacked ??= new(), number);
                break;
            default:
                Scalars.Set(random, slab.MutableOptionals(), google.Optionals ??= new(), number);
                break;
        }
    }
}

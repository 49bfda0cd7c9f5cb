using Google.Protobuf;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>Messages that are built in random order, with every view kept and used again, and the same by Google.</summary>
public class BuildOrderTests
{
    [Fact]
    public void No_order_of_building_loses_anything()
    {
        for (var seed = 0; seed < 20_000; seed++)
        {
            using var message = Animal.Rent();
            var random = new Random(seed);
            var google = new Gpb.Animal();
            List<(Animal Slab, Gpb.Animal Google)> animals = [(message.Value, google)];
            List<(Cage Slab, Gpb.Cage Google)> cages = [];
            for (var step = random.Next(30); step > 0; step--) Step(random, animals, cages);
            var written = message.ToByteArray();
            if (!google.ToByteArray().AsSpan().SequenceEqual(written))
                Assert.Fail($"seed {seed}: {Gpb.Animal.Parser.ParseFrom(written)} instead of {google}");
            foreach (var (slab, expected) in animals) Assert.True(expected.Equals(MessageCopier.ToGoogle<Gpb.Animal>(slab)), $"seed {seed}: a view differs");
        }
    }

    static void Step(Random random, List<(Animal Slab, Gpb.Animal Google)> animals, List<(Cage Slab, Gpb.Cage Google)> cages)
    {
        var (slab, google) = animals[random.Next(animals.Count)];
        var number = random.Next(1, 1000);
        switch (random.Next(10))
        {
            case 0:
                slab.SetName($"{number}");
                google.Name = $"{number}";
                break;
            case 1:
                google.Mother ??= new();
                animals.Add((slab.MutableMother(), google.Mother));
                break;
            case 2:
            case 3:
                google.Young.Add(new Gpb.Animal());
                animals.Add((slab.AddYoung(), google.Young[^1]));
                break;
            case 4:
                slab.AddWeights(number);
                google.Weights.Add(number);
                break;
            case 5 when google.Cage is null:
                // A view of a cage that another field of the oneof replaces stays with its content, which Google's stays with too.
                google.Cage = new();
                cages.Add((slab.MutableCage(), google.Cage));
                break;
            case 6:
                slab.SetTag((uint)number);
                google.Tag = (uint)number;
                break;
            case 7:
                slab.SetStreet($"street {number}");
                google.Street = $"street {number}";
                break;
            case 8 when cages.Count > 0:
                var (slabCage, googleCage) = cages[random.Next(cages.Count)];
                googleCage.Animals.Add(new Gpb.Animal());
                animals.Add((slabCage.AddAnimals(), googleCage.Animals[^1]));
                break;
            case 9 when cages.Count > 0:
                var (named, expected) = cages[random.Next(cages.Count)];
                named.SetLabel($"{number}");
                expected.Label = $"{number}";
                break;
        }
    }
}

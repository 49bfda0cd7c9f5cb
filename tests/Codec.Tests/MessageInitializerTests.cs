using ProtoBench.Allocators;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

public class MessageInitializerTests
{
    [Fact]
    public void Fill_returns_the_view_that_it_has_filled()
    {
        using var message = Animal.Rent();
        var added = message.Value.AddYoung().Fill(young =>
        {
            young.SetName("Kion");
            message.Value.AddYoung().SetName("Kiara");
        });
        Assert.Equal(added, message.Value.Young[0]);
        Assert.Equal(["Kion", "Kiara"], message.Value.Young.Select(young => young.Name.ToString()));
    }

    [Fact]
    public void Fill_returns_the_message_and_releases_it_if_the_action_throws()
    {
        var pool = new DiagnosticSlabPool(SlabPool.Create());
        using (var message = Message<Animal>.Rent(pool).Fill(animal => animal.SetName("Leo")))
            Assert.Equal("Leo", message.Value.Name.ToString());
        Assert.Empty(pool.Outstanding());
        Assert.Throws<FormatException>(() => Message<Animal>.Rent(pool).Fill(animal =>
        {
            animal.SetName("Leo");
            throw new FormatException();
        }));
        Assert.Throws<ArgumentNullException>(() => Message<Animal>.Rent(pool).Fill(null!));
        Assert.Throws<ArgumentNullException>(() => default(Animal).Fill(null!));
        Assert.Empty(pool.Outstanding());
        var released = Animal.Rent();
        released.Dispose();
        Assert.Throws<ObjectDisposedException>(() => released.Fill(_ => { }));
    }
}

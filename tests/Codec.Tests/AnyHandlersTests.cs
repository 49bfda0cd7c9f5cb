using Google.Protobuf;
using ProtoBench.Codec.WellKnownTypes;
using ProtoBench.SlabProtobuf;
using Google_ = Google.Protobuf.WellKnownTypes;

namespace ProtoBench.Codec.Tests;

/// <summary>Functions for the messages in an Any. Which URLs have which type is that of Google's Any.Unpack with a registry.</summary>
public class AnyHandlersTests
{
    [Theory]
    [InlineData("type.googleapis.com/google.protobuf.Duration")]
    [InlineData("/google.protobuf.Duration")]
    [InlineData("a/b/google.protobuf.Duration")]
    [InlineData("a/ZooPkg.Animal")]
    [InlineData("google.protobuf.Duration")]
    [InlineData("a/google.protobuf.Duration/")]
    [InlineData("a/google.protobuf.duration")]
    [InlineData("a/google.protobuf.Timestamp")]
    [InlineData("/google.protobuf.Duration\u00E9")]
    [InlineData("/")]
    [InlineData("")]
    public void The_function_of_the_type_is_called(string type)
    {
        var registry = Google.Protobuf.Reflection.TypeRegistry.FromMessages(Google_.Duration.Descriptor, Gpb.Animal.Descriptor);
        var google = new Google_.Any { TypeUrl = type, Value = new Google_.Duration { Seconds = 7 }.ToByteString() };
        var expected = google.Unpack(registry) switch
        {
            Google_.Duration => "duration 7",
            Gpb.Animal => "animal",
            _ => null,
        };
        var handlers = new AnyHandlers<string>().Add<Duration>(one => $"duration {one.Seconds}").Add<Animal>(_ => "animal");
        using var any = Any.Rent();
        Assert.Equal(expected is not null, handlers.TryHandle(any.Parse(google.ToByteArray()), out var result));
        Assert.Equal(expected, result);
    }

    [Fact]
    public void The_view_ends_with_the_call()
    {
        using var any = Any.Rent();
        using var content = Animal.Rent();
        content.Value.SetName("Leo");
        any.Value.Pack(content);
        Animal seen = default;
        var handlers = new AnyHandlers<string>().Add<Animal>(animal =>
        {
            seen = animal;
            return animal.Name == "Leo" ? throw new InvalidDataException() : animal.Name.ToString();
        });
        Assert.Throws<InvalidDataException>(() => handlers.TryHandle(any.Value, out _));
        Assert.Throws<ObjectDisposedException>(() => seen.Name);
        content.Value.SetName("Lea");
        any.Value.Pack(content);
        Assert.True(handlers.TryHandle(any.Value, out var name) && name == "Lea");
        Assert.Throws<ObjectDisposedException>(() => seen.Name);
    }

    [Fact]
    public void A_second_function_and_what_is_no_message_are_refused()
    {
        var handlers = new AnyHandlers<int>().Add<Duration>(_ => 1);
        Assert.Throws<ArgumentException>(() => handlers.Add<Duration>(_ => 2));
        Assert.Throws<ArgumentNullException>(() => handlers.Add<Timestamp>(null!));
        using var any = Any.Rent();
        any.Value.SetTypeUrl("/google.protobuf.Duration");
        Assert.True(handlers.TryHandle(any.Value, out var one) && one == 1);
        any.Value.SetValue([8]);
        Assert.Throws<WireFormatException>(() => handlers.TryHandle(any.Value, out _));
        any.Value.SetTypeUrl("/" + new string('x', 1_000_000));
        Assert.False(handlers.TryHandle(any.Value, out var none) || none != 0);
        var view = any.Value;
        any.Dispose();
        Assert.Throws<ObjectDisposedException>(() => handlers.TryHandle(view, out _));
    }

    [Fact]
    public void A_call_allocates_nothing_and_threads_share_the_functions()
    {
        var handlers = new AnyHandlers<long>().Add<Duration>(one => one.Seconds).Add<Animal>(one => one.Tag);
        using var any = Any.Rent();
        using var stranger = Any.Rent();
        using var content = Duration.Rent();
        content.Value.SetSeconds(5);
        any.Value.Pack(content);
        stranger.Value.SetTypeUrl("/" + new string('x', 100_000));
        Call();
        Assert.Equal(0, AllocatedBytes.Of(Call));
        Parallel.For(0, 1_000, _ => Call());

        void Call()
        {
            Assert.True(handlers.TryHandle(any.Value, out var seconds) && seconds == 5);
            Assert.False(handlers.TryHandle(stranger.Value, out _));
        }
    }
}

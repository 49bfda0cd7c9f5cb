using Grpc.Core;
using ProtoBench.Rpc.Tests.Peers;

namespace ProtoBench.Rpc.Tests.Contracts;

/// <summary>What a host holds of messages that have arrived in part: up to <see cref="RpcLimits.MaxPartialBytes"/> over all calls,
/// and not a byte more.</summary>
public class PartialBytesTests
{
    const int limit = 50_000;

    [Theory]
    [MemberData(nameof(TransportFixture.Stacks), MemberType = typeof(TransportFixture))]
    public async Task As_many_bytes_as_the_limit_may_wait_for_the_rest(string stack)
    {
        await using var fixture = await StartAsync(stack);
        // twice: what the first has held was given back
        for (var i = 0; i < 2; i++)
        {
            await using var call = PartialRequest.Send(fixture, EchoService.Echo.Path, limit + 1, first: limit);
            // time for the first part to arrive, on the connections of others
            for (var other = 0; other < 20; other++)
                await fixture.Client.UnaryAsync(EchoService.Echo, EchoService.Message("")).AsTask().WaitAsync(TransportFixture.Patience);
            Assert.False(call.Status.IsCompleted);
            call.GoOn();
            Assert.Equal(StatusCode.OK, await call.Status.WaitAsync(TransportFixture.Patience));
        }
    }

    [Theory]
    [MemberData(nameof(TransportFixture.Stacks), MemberType = typeof(TransportFixture))]
    public async Task One_byte_more_is_refused_and_gives_back_what_it_held(string stack)
    {
        await using var fixture = await StartAsync(stack);
        for (var i = 0; i < 3; i++)
        {
            await using var call = PartialRequest.Send(fixture, EchoService.Echo.Path, limit + 2, first: limit + 1);
            Assert.Equal(StatusCode.ResourceExhausted, await call.Status.WaitAsync(TransportFixture.Patience));
        }
    }

    [Theory]
    [MemberData(nameof(TransportFixture.Stacks), MemberType = typeof(TransportFixture))]
    public async Task The_limit_is_one_for_all_calls(string stack)
    {
        await using var fixture = await StartAsync(stack);
        for (var i = 0; i < 3; i++)
        {
            await using var one = PartialRequest.Send(fixture, EchoService.Echo.Path, limit + 1, first: limit);
            await using var other = PartialRequest.Send(fixture, EchoService.Echo.Path, 10, first: 1);
            // whichever comes second
            var refused = await Task.WhenAny(one.Status, other.Status).WaitAsync(TransportFixture.Patience);
            Assert.Equal(StatusCode.ResourceExhausted, await refused);
            one.GoOn();
            other.GoOn();
            Assert.Equal(StatusCode.OK, await (refused == one.Status ? other : one).Status.WaitAsync(TransportFixture.Patience));
        }
    }

    static Task<TransportFixture> StartAsync(string stack) =>
        TransportFixture.StartAsync(stack, new EchoService().Handlers, new() { MaxPartialBytes = limit });
}

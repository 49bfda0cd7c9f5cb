using ProtoBench.Rpc.Calls;

namespace ProtoBench.Rpc.Tests.Contracts;

/// <summary>A host and a client of one stack of the registry: what holds for one holds for all of them.</summary>
sealed class TransportFixture : IAsyncDisposable
{
    /// <summary>For what must happen at some time: a machine that is ten times slower still makes it.</summary>
    public static TimeSpan Patience { get; } = TimeSpan.FromSeconds(60);

    TransportFixture(RpcTransport stack, IRpcServer server, RpcLimits? clientLimits) =>
        (Stack, Server, Client) = (stack, server, stack.Connect(server.Endpoint, clientLimits));

    /// <summary>Every stack of this build.</summary>
    public static TheoryData<string> Stacks => [.. RpcTransports.All.Select(stack => stack.Name)];

    public RpcTransport Stack { get; }

    public IRpcServer Server { get; }

    public IRpcClient Client { get; }

    public static async Task<TransportFixture> StartAsync(string stack, IEnumerable<RpcHandler> handlers, RpcLimits? hostLimits = null,
        RpcLimits? clientLimits = null)
    {
        var one = RpcTransports.Named(stack);
        return new(one, await one.StartAsync(new(), handlers, hostLimits, null), clientLimits);
    }

    /// <summary>Another client, on a connection of its own.</summary>
    public IRpcClient Connect() => Stack.Connect(Server.Endpoint, null);

    /// <summary>The call fails with this status.</summary>
    public static async Task<RpcException> FailsAsync(RpcStatus status, Task call)
    {
        var failure = await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(Patience));
        Assert.True(status == failure.Status, failure.ToString());
        return failure;
    }

    /// <summary>Waits until it holds.</summary>
    public static async Task UntilAsync(Func<bool> holds,
        [System.Runtime.CompilerServices.CallerArgumentExpression(nameof(holds))] string what = "")
    {
        var limit = Task.Delay(Patience);
        while (!holds())
        {
            Assert.False(limit.IsCompleted, what);
            await Task.Delay(1);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Client.DisposeAsync();
        await Server.DisposeAsync();
    }
}

using Xunit.v3;

namespace ProtoBench.Rpc.Tests;

/// <summary>A host and a client of one stack of the registry: what holds for one holds for all of them.</summary>
sealed class TransportFixture : IAsyncDisposable
{
    /// <summary>For what must happen at some time: a machine that is ten times slower still makes it.</summary>
    public static TimeSpan Patience { get; } = TimeSpan.FromSeconds(60);

    TransportFixture(RpcTransport stack, IRpcServer server, RpcLimits? clientLimits, int connections) =>
        (Stack, Server, Client) = (stack, server, stack.Connect(server.Endpoint, clientLimits, connections));

    /// <summary>Every stack whose settings are ours.</summary>
    public static TheoryData<string> Stacks => Where(_ => true);

    public static TheoryData<string> GrpcStacks => Where(stack => stack.SpeaksGrpc);

    public static TheoryData<string> PlainStacks => Where(stack => !stack.SpeaksGrpc);

    public RpcTransport Stack { get; }

    public IRpcServer Server { get; }

    public IRpcClient Client { get; }

    public static async Task<TransportFixture> StartAsync(string stack, IEnumerable<RpcHandler> handlers, RpcLimits? hostLimits = null,
        RpcLimits? clientLimits = null, bool tls = false, int connections = 1)
    {
        var one = RpcTransports.Named(stack);
        var certificate = tls ? SelfSignedCertificate.Create() : null;
        return new(one, await one.StartAsync(new(), handlers, hostLimits, certificate), clientLimits, connections);
    }

    public IRpcClient Connect() => Stack.Connect(Server.Endpoint, null);

    public static async Task<RpcException> FailsAsync(StatusCode status, Task call)
    {
        var failure = await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(Patience));
        Assert.True(status == failure.StatusCode, failure.ToString());
        return failure;
    }

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

    static TheoryData<string> Where(Func<RpcTransport, bool> wanted) =>
        [.. RpcTransports.All.Where(stack => !stack.HasLibraryDefaults && wanted(stack)).Select(stack => stack.Name)];
}

/// <summary>A theory for every stack whose settings are ours, or for some of them.</summary>
[AttributeUsage(AttributeTargets.Method)]
sealed class StacksAttribute : MemberDataAttributeBase
{
    public StacksAttribute(string memberName = nameof(TransportFixture.Stacks))
        : base(memberName, []) => MemberType = typeof(TransportFixture);
}

using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Settings;

/// <summary>A row of the table of settings.</summary>
/// <param name="Name">The name in options and results.</param>
/// <param name="Arguments">What it adds to the options of <c>run</c>.</param>
sealed record Setting(string Name, params string[] Arguments)
{
    const string inlineCompletions = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS=1";
    const string socketThreads = "DOTNET_SYSTEM_NET_SOCKETS_THREAD_COUNT=2";

    /// <summary>The name of the row that every other one is compared with.</summary>
    public const string Default = "default";

    /// <summary>The options of the default: Kestrel, SocketsHttpHandler and grpc-dotnet as they are, and on both sides the collector that
    /// an ASP.NET Core service has.</summary>
    static readonly (string Option, string Value)[] byDefault =
        [("--stack", RpcTransports.All.Single(stack => stack.HasLibraryDefaults).Name), ("--host-gc", "datas"), ("--client-gc", "datas")];

    /// <summary>All of them; the default first.</summary>
    public static IReadOnlyList<Setting> All { get; } =
    [
        new(Default),
        new("server-window-2MB", "--server-window", "2MB"),
        new("server-window-8MB", "--server-window", "8MB"),
        new("client-window-fixed", "--fixed-window"),
        new("client-window-1MB", "--client-window", "1MB"),
        new("client-window-8MB", "--client-window", "8MB"),
        new("windows-8MB", "--server-window", "8MB", "--client-window", "8MB"),
        new("one-connection", "--multiple-connections", "off"),
        new("channels-2", "--connections", "2"),
        new("channels-4", "--connections", "4"),
        new("host-server-gc", "--host-gc", "server-concurrent"),
        new("host-server-gc-not-concurrent", "--host-gc", "server"),
        new("host-workstation-gc", "--host-gc", "workstation-concurrent"),
        new("client-server-gc", "--client-gc", "server-concurrent"),
        new("client-workstation-gc", "--client-gc", "workstation-concurrent"),
        new("both-server-gc", "--host-gc", "server-concurrent", "--client-gc", "server-concurrent"),
        new("inline-completions", "--host-env", inlineCompletions),
        new("inline-scheduling", "--inline-scheduling"),
        new("inline-both", "--host-env", inlineCompletions, "--inline-scheduling"),
        new("client-inline-completions", "--client-env", inlineCompletions),
        new("io-queues-0", "--io-queues", "0"),
        new("io-queues-1", "--io-queues", "1"),
        new("socket-threads-2", "--host-env", socketThreads, "--client-env", socketThreads),
        new("unix-socket", "--uds"),
        new("duplex-stream", "--duplex"),
        new("gzip", "--compression", "gzip"),
        new("brotli", "--compression", "br"),
        new("retry-policy", "--retry-policy"),
    ];

    /// <summary>All options of <c>run</c> that it stands for.</summary>
    public IEnumerable<string> Options =>
    [
        .. byDefault.Where(option => !Arguments.Contains(option.Option))
            .SelectMany(option => (IEnumerable<string>)[option.Option, option.Value]),
        .. Arguments,
    ];

    /// <summary>Whether a load can run under it: the proxies that delay are for TCP.</summary>
    public bool Carries(SettingsLoad load) => load.DelayMs == 0 || !Arguments.Contains("--uds");
}

using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Settings;

/// <summary>Represents a row of the table of settings.</summary>
/// <param name="Name">The name in options and results.</param>
/// <param name="Arguments">The options of <c>run</c> that it adds.</param>
sealed record Setting(string Name, params string[] Arguments)
{
    const string inlineCompletions = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS=1";
    const string socketThreads = "DOTNET_SYSTEM_NET_SOCKETS_THREAD_COUNT=2";

    /// <summary>The name of the row with which the others are compared.</summary>
    public const string Default = "default";

    /// <summary>The options of the default: the defaults of Kestrel, SocketsHttpHandler and grpc-dotnet, and on both sides the GC mode of
    /// an ASP.NET Core service.</summary>
    static readonly (string Option, string Value)[] byDefault =
        [("--stack", RpcTransports.All.Single(stack => stack.HasLibraryDefaults).Name), ("--host-gc", "datas"), ("--client-gc", "datas")];

    /// <summary>Gets all settings. The first is the default.</summary>
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

    /// <summary>Gets all options of <c>run</c> for this setting.</summary>
    public IEnumerable<string> Options =>
    [
        .. byDefault.Where(option => !Arguments.Contains(option.Option))
            .SelectMany(option => (IEnumerable<string>)[option.Option, option.Value]),
        .. Arguments,
    ];

    /// <summary>Returns whether a load can run with it. Loads with a delay need TCP.</summary>
    public bool Carries(SettingsLoad load) => load.DelayMs == 0 || !Arguments.Contains("--uds");
}

using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace ProtoBench.Rpc.Tests.Peers;

/// <summary>Exceptions that would have ended this process: thrown on a timer's or a pool's thread, where nobody catches them.</summary>
static class Unhandled
{
    static readonly ConcurrentQueue<Exception> seen = new();

    public static IReadOnlyCollection<Exception> Seen => seen;

    [ModuleInitializer]
    internal static void Watch() => ExceptionHandling.SetUnhandledExceptionHandler(exception =>
    {
        seen.Enqueue(exception);
        return true;
    });
}

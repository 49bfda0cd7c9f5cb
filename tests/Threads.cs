using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace ProtoBench.Testing;

/// <summary>Threads that really run side by side, and end: a thread pool promises neither.</summary>
static class Threads
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    [SuppressMessage("Design", "CA1031", Justification = "a thread's failure is thrown by the thread that waits for it")]
    public static void Run(int count, Action<int> body)
    {
        Exception? failure = null;
        var threads = Enumerable.Range(0, count).Select(index => new Thread(() =>
        {
            try
            {
                body(index);
            }
            catch (Exception e)
            {
                // The first failure is thrown below, on the test's own thread.
                Interlocked.CompareExchange(ref failure, e, null);
            }
        })
        { IsBackground = true }).ToList();
        threads.ForEach(thread => thread.Start());
        foreach (var thread in threads)
        {
            while (!thread.Join(TimeSpan.FromSeconds(1)))
            {
                if (failure is not null) break;
            }
        }

        if (failure is not null) ExceptionDispatchInfo.Throw(failure);
    }
}

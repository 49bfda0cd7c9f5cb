namespace ProtoBench.GrpcHost;

/// <summary>Runs work that has a thread of its own until it ends. Callers never continue on this thread.</summary>
static class LoadThread
{
    const TaskCreationOptions options = TaskCreationOptions.LongRunning | TaskCreationOptions.RunContinuationsAsynchronously;

    public static Task RunAsync(Action work) => Task.Factory.StartNew(work, CancellationToken.None, options, TaskScheduler.Default);

    public static Task<T> RunAsync<T>(Func<T> work) => Task.Factory.StartNew(work, CancellationToken.None, options, TaskScheduler.Default);
}

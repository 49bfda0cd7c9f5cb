namespace ProtoBench.Benchmarks;

/// <summary>Threads that live as long as the process and do the same thing at the same time, without allocating for it.</summary>
/// <typeparam name="TOwn">What each thread owns.</typeparam>
sealed class WorkerGroup<TOwn>
    where TOwn : new()
{
    static WorkerGroup<TOwn>? current;

    readonly Barrier barrier;
    readonly TOwn own = new();
    readonly int size;
    Action<TOwn>? task;
    int rounds;

    WorkerGroup(int size)
    {
        this.size = size;
        barrier = new(size);
        for (var i = 1; i < size; i++)
            new Thread(Follow) { IsBackground = true, Name = nameof(WorkerGroup<>) }.Start();
    }

    /// <summary>The group of this process. A measured process has one size all its life.</summary>
    public static WorkerGroup<TOwn> Of(int size) => current?.size == size ? current : current = new(size);

    /// <summary>Every thread does <paramref name="task"/> <paramref name="rounds"/> times; returns when all are done.</summary>
    /// <returns>The number of threads.</returns>
    public int Do(int rounds, Action<TOwn> task)
    {
        (this.rounds, this.task) = (rounds, task);
        Turn(own);
        return size;
    }

    void Follow()
    {
        var mine = new TOwn();
        while (true)
            Turn(mine);
    }

    void Turn(TOwn mine)
    {
        barrier.SignalAndWait();
        for (var round = 0; round < rounds; round++)
            task!(mine);
        barrier.SignalAndWait();
    }
}

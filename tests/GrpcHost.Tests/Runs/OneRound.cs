using ProtoBench.Results;
namespace ProtoBench.GrpcHost.Tests;

/// <summary>A round of a load that this process makes.</summary>
static class OneRound
{
    public static async Task<LoadRound> RunAsync(TargetSubject subject, LoadPlan plan)
    {
        await using var session = new LoadSession(subject, plan);
        return await RunOnAsync(session, plan);
    }

    public static async Task<LoadRound> RunOnAsync(LoadSession session, LoadPlan plan)
    {
        using var cancellation = new RunCancellation(default);
        await session.ConnectAsync(default).WaitAsync(TheProgram.Limit);
        return await session.RunAsync(plan, cancellation, _ => { }).WaitAsync(TheProgram.Limit);
    }
}

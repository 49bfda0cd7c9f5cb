using System.Collections.Immutable;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Order;
using BenchmarkDotNet.Running;

namespace ProtoBench;

/// <summary>Runs cells in the order of their declaration, or, with PROTOBENCH_ORDER=reversed, the other way round: the verb <c>repeat</c> alternates, so that drift over
/// a launch does not always hit the same cells. Tables are always printed in the order of declaration.</summary>
sealed class LaunchOrder : DefaultOrderer
{
    public const string Variable = "PROTOBENCH_ORDER";

    public LaunchOrder()
        : base(SummaryOrderPolicy.Declared, MethodOrderPolicy.Declared)
    {
    }

    public override IEnumerable<BenchmarkCase> GetExecutionOrder(ImmutableArray<BenchmarkCase> benchmarksCase, IEnumerable<BenchmarkLogicalGroupRule>? order = null)
    {
        var declared = base.GetExecutionOrder(benchmarksCase, order);
        return Environment.GetEnvironmentVariable(Variable) == "reversed" ? declared.Reverse() : declared;
    }
}

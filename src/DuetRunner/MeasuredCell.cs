using System.Reflection;
using BenchmarkDotNet.Running;

namespace ProtoBench.DuetRunner;

/// <summary>A cell with an instance of its own, as BenchmarkDotNet would have made it: parameters set, global setup run.</summary>
sealed class MeasuredCell : IDisposable
{
    readonly BenchmarkCase benchmark;
    readonly object? instance;
    readonly object?[] arguments;
    readonly CallLoop loop;

    public MeasuredCell(BenchmarkCase benchmark)
    {
        this.benchmark = benchmark;
        var type = benchmark.Descriptor.Type;
        instance = Activator.CreateInstance(type);
        foreach (var parameter in benchmark.Parameters.Items.Where(parameter => !parameter.IsArgument))
            Set(type, parameter.Name, parameter.Value);
        var given = benchmark.Parameters.Items.Where(parameter => parameter.IsArgument)
            .ToDictionary(parameter => parameter.Name, parameter => parameter.Value);
        arguments = [.. benchmark.Descriptor.WorkloadMethod.GetParameters().Select(parameter => given[parameter.Name!])];
        loop = CallLoops.Of(benchmark.Descriptor.WorkloadMethod);
        Invoke(benchmark.Descriptor.GlobalSetupMethod);
    }

    /// <summary>Whether a call ends only when a task has ended, so that other threads may do its work.</summary>
    public bool Waits => CallLoops.Waits(benchmark.Descriptor.WorkloadMethod);

    /// <summary>How many operations a call counts as.</summary>
    public int OperationsPerCall => benchmark.Descriptor.OperationsPerInvoke;

    public void Call(long calls) => loop(instance, arguments, calls);

    public void Dispose() => Invoke(benchmark.Descriptor.GlobalCleanupMethod);

    void Set(Type type, string name, object? value)
    {
        const BindingFlags any = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;
        if (type.GetProperty(name, any) is { } property)
            property.SetValue(instance, value);
        else
            type.GetField(name, any)!.SetValue(instance, value);
    }

    void Invoke(MethodInfo? method)
    {
        switch (method?.Invoke(method.IsStatic ? null : instance, BindingFlags.DoNotWrapExceptions, null, null, null))
        {
            case Task task:
                task.GetAwaiter().GetResult();
                break;
            case ValueTask task:
                task.AsTask().GetAwaiter().GetResult();
                break;
        }
    }
}

using System.Diagnostics;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace ProtoBench.DuetRunner;

/// <param name="target">The instance of its class; null for a static method.</param>
delegate void CallLoop(object? target, object?[] arguments, long calls);

// A loop calls a method through its entry point, so that the JIT can neither inline the call nor drop its result, like BenchmarkDotNet's
// calls through a delegate. Around the call there are only the counter and the loads of the arguments.
static class CallLoops
{
    static readonly MethodInfo waitForTask =
        typeof(CallLoops).GetMethod(nameof(WaitForTask), BindingFlags.NonPublic | BindingFlags.Static)!;
    static readonly MethodInfo waitForValueTask =
        typeof(CallLoops).GetMethod(nameof(WaitForValueTask), BindingFlags.NonPublic | BindingFlags.Static)!;
    static readonly MethodInfo waitForValueTaskOf =
        typeof(CallLoops).GetMethod(nameof(WaitForValueTaskOf), BindingFlags.NonPublic | BindingFlags.Static)!;

    /// <summary>Gets the loop of an empty method, which measures the cost of the loop itself.</summary>
    public static CallLoop Empty { get; } =
        Of(typeof(CallLoops).GetMethod(nameof(DoNothing), BindingFlags.NonPublic | BindingFlags.Static)!);

    public static bool Waits(MethodInfo method) => WaitFor(method.ReturnType) is not null;

    public static CallLoop Of(MethodInfo method)
    {
        Type[] parameters = [.. method.GetParameters().Select(parameter => parameter.ParameterType)];
        var loop = new DynamicMethod("Call " + method.Name, typeof(void), [typeof(object), typeof(object[]), typeof(long)],
            typeof(CallLoops).Module, skipVisibility: true);
        var code = loop.GetILGenerator();

        LocalBuilder? target = null;
        if (!method.IsStatic)
        {
            target = code.DeclareLocal(method.DeclaringType!);
            code.Emit(OpCodes.Ldarg_0);
            code.Emit(OpCodes.Castclass, method.DeclaringType!);
            code.Emit(OpCodes.Stloc, target);
        }

        var arguments = new LocalBuilder[parameters.Length];
        for (var i = 0; i < parameters.Length; i++)
        {
            arguments[i] = code.DeclareLocal(parameters[i]);
            code.Emit(OpCodes.Ldarg_1);
            code.Emit(OpCodes.Ldc_I4, i);
            code.Emit(OpCodes.Ldelem_Ref);
            code.Emit(OpCodes.Unbox_Any, parameters[i]);
            code.Emit(OpCodes.Stloc, arguments[i]);
        }

        var (test, body) = (code.DefineLabel(), code.DefineLabel());
        code.Emit(OpCodes.Br, test);
        code.MarkLabel(body);
        if (target is not null)
            code.Emit(OpCodes.Ldloc, target);
        foreach (var argument in arguments)
            code.Emit(OpCodes.Ldloc, argument);
        code.Emit(OpCodes.Ldc_I8, method.MethodHandle.GetFunctionPointer());
        code.Emit(OpCodes.Conv_I);
        code.EmitCalli(OpCodes.Calli, target is null ? CallingConventions.Standard : CallingConventions.HasThis, method.ReturnType,
            parameters, null);
        if (WaitFor(method.ReturnType) is { } wait)
            code.Emit(OpCodes.Call, wait);
        else if (method.ReturnType != typeof(void))
            code.Emit(OpCodes.Pop);
        code.Emit(OpCodes.Ldarg_2);
        code.Emit(OpCodes.Ldc_I4_1);
        code.Emit(OpCodes.Conv_I8);
        code.Emit(OpCodes.Sub);
        code.Emit(OpCodes.Starg_S, (byte)2);
        code.MarkLabel(test);
        code.Emit(OpCodes.Ldarg_2);
        code.Emit(OpCodes.Ldc_I4_0);
        code.Emit(OpCodes.Conv_I8);
        code.Emit(OpCodes.Bgt, body);
        code.Emit(OpCodes.Ret);
        return loop.CreateDelegate<CallLoop>();
    }

    static MethodInfo? WaitFor(Type result) =>
        typeof(Task).IsAssignableFrom(result) ? waitForTask
        : result == typeof(ValueTask) ? waitForValueTask
        : result.IsGenericType
        && result.GetGenericTypeDefinition() == typeof(ValueTask<>) ? waitForValueTaskOf.MakeGenericMethod(result.GetGenericArguments())
        : null;

    static void WaitForTask(Task task) => task.GetAwaiter().GetResult();

    static void WaitForValueTask(ValueTask task) => task.AsTask().GetAwaiter().GetResult();

    static void WaitForValueTaskOf<T>(ValueTask<T> task) => task.AsTask().GetAwaiter().GetResult();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void DoNothing()
    {
    }
}

static class EmptyCall
{
    /// <summary>Returns the nanoseconds of a call of an empty method: the minimum of ten batches.</summary>
    public static double Nanoseconds()
    {
        const long calls = 20_000;
        var least = double.MaxValue;
        for (var batch = 0; batch < 10; batch++)
        {
            var from = Stopwatch.GetTimestamp();
            CallLoops.Empty(null, [], calls);
            least = Math.Min(least, Stopwatch.GetElapsedTime(from).TotalNanoseconds / calls);
        }

        return least;
    }
}

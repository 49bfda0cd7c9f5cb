using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace ProtoBench.Codec.Analyzers;

// What a value refers to.
sealed partial class BodyWalk
{
    static readonly HashSet<string> later =
    [
        "Run", "StartNew", "QueueUserWorkItem", "UnsafeQueueUserWorkItem", "ContinueWith", "Register", "UnsafeRegister", "OnCompleted",
        "OnStarting", "Thread", "Timer",
    ];

    /// <summary>Gets the views that a value holds, or that it reads later; none if it is a copy.</summary>
    ImmutableHashSet<Held> Flow(IOperation? value)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        switch (value)
        {
            case ILocalReferenceOperation local:
                return state.Of(local.Local);
            case IParameterReferenceOperation { Parameter: var parameter }:
                var held = state.Of(parameter);
                return held.IsEmpty && types.Carries(parameter.Type) ? [new(new(parameter, "", Life.Parameter), "", null, null, null)] : held;
            case IConversionOperation { OperatorMethod: null } conversion:
                return Flow(conversion.Operand);
            case IConversionOperation conversion:
                return CanHold(conversion.Type) ? Flow(conversion.Operand) : [];
            case IParenthesizedOperation parenthesized:
                return Flow(parenthesized.Operand);
            case IPropertyReferenceOperation property:
                return OfProperty(property);
            case IFieldReferenceOperation { Instance: { } instance } field when CanHold(field.Type) && types.Carries(instance.Type):
                return Flow(instance);
            case IArrayElementReferenceOperation element:
                return CanHold(element.Type) ? Flow(element.ArrayReference) : [];
            case IInvocationOperation call:
                return OfCall(call);
            case IAwaitOperation awaited:
                return CanHold(awaited.Type) ? Flow(awaited.Operation) : [];
            case IConditionalOperation conditional:
                return Flow(conditional.WhenTrue).Union(Flow(conditional.WhenFalse));
            case ICoalesceOperation coalesce:
                return Flow(coalesce.Value).Union(Flow(coalesce.WhenNull));
            case ISwitchExpressionOperation choice:
                return Flow(choice.Arms.Select(arm => arm.Value));
            case IConditionalAccessOperation access:
                return Flow(access.WhenNotNull);
            case IConditionalAccessInstanceOperation instance:
                return Flow(Accessed(instance));
            case ITupleOperation tuple:
                return Flow(tuple.Elements);
            case IAnonymousObjectCreationOperation creation:
                return Flow(creation.Initializers);
            case IObjectCreationOperation creation:
                return OfCreation(creation);
            case IArrayCreationOperation { Initializer: { } initializer }:
                return Flow(initializer.ElementValues);
            case ICollectionExpressionOperation collection:
                return Flow(collection.Elements);
            case ISpreadOperation spread:
                return Flow(spread.Operand);
            case IWithOperation copy:
                return Flow(copy.Operand).Union(Flow(copy.Initializer?.Initializers ?? []));
            case ISimpleAssignmentOperation assignment:
                return Flow(assignment.Value);
            case ITranslatedQueryOperation query:
                return Flow(query.Operation);
            case IDelegateCreationOperation { Target: IAnonymousFunctionOperation lambda }:
                return Captured(lambda);
            case IDelegateCreationOperation { Target: IMethodReferenceOperation { Instance: { } instance } }:
                return types.IsView(instance.Type) ? Flow(instance) : [];
            default:
                return [];
        }
    }

    ImmutableHashSet<Held> Flow(IEnumerable<IOperation> values) =>
        values.Aggregate(ImmutableHashSet<Held>.Empty, (all, one) => all.Union(Flow(one)));

    ImmutableHashSet<Held> OfProperty(IPropertyReferenceOperation property)
    {
        if (property.Instance is not { } instance || !CanHold(property.Type)) return [];
        var (name, type) = (property.Property.Name, instance.Type);
        if ((types.IsMessage(type) || ViewTypes.IsGrpc(type, "GrpcMessage")) && name == "Value") return Of(instance, Life.Message);
        if (types.IsReader(type) && name == "Current") return Of(instance, Life.Reader);
        if (ViewTypes.IsWriter(type) && name == "Next") return Of(instance, Life.Writer);
        return [.. Flow(instance).Select(one => one.Within(property.Arguments.IsEmpty && types.IsView(type) ? name : null))];
    }

    ImmutableHashSet<Held> OfCall(IInvocationOperation call)
    {
        var (method, type) = (call.TargetMethod, call.Type);
        if (IsLater(call)) return Flow(call.Arguments.Select(argument => argument.Value)).Union(Flow(call.Instance));
        if (IsTask(type) && !types.Carries(type)) return OfTask(call);
        var isLazy = IsLazy(call);
        if (!isLazy && !CanHold(type)) return [];
        if (call.Instance is { } instance)
        {
            if (types.IsMessage(instance.Type)) return Of(instance, Life.Message);
            if (types.IsView(instance.Type))
                return [.. Flow(instance).Select(one => one.Within(
                    method.Name.StartsWith("Mutable", StringComparison.Ordinal) ? method.Name.Substring(7) : null))];
        }

        if (method.ContainingType.Name == "MessageInitializers") return Flow(call.Arguments[0].Value);
        var held = Sources(call);
        if (isLazy || IsQuery(method))
            foreach (var argument in call.Arguments)
                if (Unconverted(argument.Value) is IDelegateCreationOperation { Target: IAnonymousFunctionOperation lambda }
                    && (isLazy || types.Carries(lambda.Symbol.ReturnType))) held = held.Union(Captured(lambda));

        return held;
    }

    /// <summary>Gets the views that a method may still use while its task runs, and the messages that are disposed in their
    /// block.</summary>
    ImmutableHashSet<Held> OfTask(IInvocationOperation call)
    {
        var receiver = call.Instance?.Type;
        if (ViewTypes.IsWriter(receiver) || types.IsReader(receiver) || types.IsMessage(receiver)) return [];
        var held = ImmutableHashSet<Held>.Empty;
        foreach (var argument in call.Arguments)
        {
            var value = Unconverted(argument.Value);
            if (types.IsMessage(value.Type)) held = held.Union(Of(value, Life.Message).Where(one => disposed.Contains(one.Owner.Root)));
            else if (types.Carries(value.Type) && !IsDelegate(value)) held = held.Union(Flow(value));
        }

        return held;
    }

    /// <summary>Gets the views, messages and streams that a method gets.</summary>
    ImmutableHashSet<Held> Sources(IInvocationOperation call)
    {
        var held = call.Instance is { } instance && types.Carries(instance.Type) ? Flow(instance) : [];
        foreach (var argument in call.Arguments)
        {
            var value = Unconverted(argument.Value);
            if (argument.Parameter?.RefKind == RefKind.Out || value is IDelegateCreationOperation) continue;
            if (types.IsMessage(value.Type)) held = held.Union(Of(value, Life.Message));
            else if (types.IsReader(value.Type)) held = held.Union(Of(value, Life.Reader));
            else held = held.Union(Flow(value));
        }

        return held;
    }

    ImmutableHashSet<Held> OfCreation(IObjectCreationOperation creation)
    {
        if (IsLaterName(creation.Type)) return Flow(creation.Arguments.Select(one => one.Value));
        if (!CanHold(creation.Type)) return [];
        var held = Flow(creation.Arguments.Select(one => one.Value)
            .Where(one => types.Carries(Unconverted(one).Type) || ViewTypes.IsSpan(one.Type) || IsDelegate(one)));
        foreach (var one in creation.Initializer?.Initializers ?? [])
        {
            if (one is IInvocationOperation add) held = held.Union(Flow(add.Arguments.Select(argument => argument.Value)));
            else held = held.Union(Flow(one));
        }

        return held;
    }

    /// <summary>Gets the views that a lambda uses, and the messages that are disposed at the end of their block.</summary>
    ImmutableHashSet<Held> Captured(IAnonymousFunctionOperation lambda)
    {
        var held = ImmutableHashSet<Held>.Empty;
        foreach (var one in lambda.Descendants())
        {
            var symbol = one switch
            {
                ILocalReferenceOperation local => local.Local,
                IParameterReferenceOperation parameter => parameter.Parameter,
                _ => (ISymbol?)null,
            };
            if (symbol is null || IsInside(symbol, lambda)) continue;
            if (types.IsMessage(one.Type) && disposed.Contains(symbol)) held = held.Union(Of(one, Life.Message));
            else held = held.Union(Flow(one));
        }

        return held;
    }

    static bool IsInside(ISymbol symbol, IAnonymousFunctionOperation lambda) =>
        symbol.DeclaringSyntaxReferences.FirstOrDefault() is { } place && lambda.Syntax.Span.Contains(place.Span)
        && place.SyntaxTree == lambda.Syntax.SyntaxTree;

    ImmutableHashSet<Held> Of(IOperation owner, Life life)
    {
        if (RootOf(owner) is not { } root) return [];
        return [new(new(root.Root, root.Path, life), "", null, null, null)];
    }

    Owner RootOf(ISymbol variable) => aliases.TryGetValue(variable, out var owner) ? owner : new(variable, "", Life.Message);

    /// <summary>Gets the variable of a message, a stream or a call; null for one that has none.</summary>
    Owner? RootOf(IOperation? value)
    {
        switch (value)
        {
            case ILocalReferenceOperation local:
                return RootOf(local.Local);
            case IParameterReferenceOperation parameter:
                return RootOf(parameter.Parameter);
            case IFieldReferenceOperation field:
                return new(field.Field, "", Life.Message);
            case IPropertyReferenceOperation { Instance: null or IInstanceReferenceOperation } property:
                return new(property.Property, "", Life.Message);
            case IPropertyReferenceOperation property when RootOf(property.Instance) is { } root:
                var name = property.Property.Name;
                return new(root.Root, root.Path.Length == 0 ? name : $"{root.Path}.{name}", root.Life);
            case IConversionOperation conversion:
                return RootOf(conversion.Operand);
            case IInvocationOperation { TargetMethod.Name: "WithDiscardUnknownFields", Instance: { } instance }:
                return RootOf(instance);
            case IInvocationOperation { TargetMethod: { Name: "Fill", IsStatic: true } } fill when types.IsMessage(fill.Type):
                return RootOf(fill.Arguments[0].Value);
            default:
                return null;
        }
    }

    bool CanHold(ITypeSymbol? type) => types.Carries(type) || ViewTypes.IsSpan(type);

    /// <summary>Determines whether a method returns before it has used its arguments.</summary>
    static bool IsLater(IInvocationOperation call) => later.Contains(call.TargetMethod.Name)
        && call.TargetMethod.ContainingType is { Name: "Task" or "TaskFactory" or "ThreadPool" or "CancellationToken" or "HttpResponse" or "TaskExtensions" }
        && (call.TargetMethod.ContainingNamespace.ToDisplayString().StartsWith("System.Threading", StringComparison.Ordinal)
            || call.TargetMethod.ContainingType.Name == "HttpResponse");

    static bool IsLaterName(ITypeSymbol? type) =>
        type is { Name: "Thread" or "Timer" or "Task", ContainingNamespace: var space } && space.ToDisplayString().StartsWith("System.Threading", StringComparison.Ordinal);

    static bool IsQuery(IMethodSymbol method) =>
        method.ContainingType is { Name: "Enumerable" or "AsyncEnumerable" or "ParallelEnumerable", ContainingNamespace: { Name: "Linq", ContainingNamespace.Name: "System" } };

    /// <summary>Determines whether a query has read nothing yet when it is returned.</summary>
    static bool IsLazy(IInvocationOperation call) => IsQuery(call.TargetMethod) && call.Type?.Name is
        "IEnumerable" or "IOrderedEnumerable" or "IAsyncEnumerable" or "IOrderedAsyncEnumerable" or "ParallelQuery";

    static IOperation? Accessed(IOperation instance)
    {
        for (var parent = instance.Parent; parent is not null; parent = parent.Parent)
        {
            if (parent is IConditionalAccessOperation access && !access.Operation.Syntax.Span.Contains(instance.Syntax.Span))
                return access.Operation;
        }

        return null;
    }

    static IOperation Unconverted(IOperation value)
    {
        while (value is IConversionOperation { OperatorMethod: null } conversion) value = conversion.Operand;
        return value;
    }
}

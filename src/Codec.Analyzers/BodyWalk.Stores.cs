using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace ProtoBench.Codec.Analyzers;

// Where a value is put.
sealed partial class BodyWalk
{
    static readonly HashSet<string> adds =
    [
        "Add", "TryAdd", "AddRange", "AddFirst", "AddLast", "AddBefore", "AddAfter", "AddOrUpdate", "GetOrAdd", "Insert", "InsertRange",
        "Enqueue", "EnqueueRange", "Push", "PushRange", "Set", "SetValue", "TryUpdate", "TryWrite", "WriteAsync", "Post", "SendAsync",
        "GetOrCreate", "GetOrCreateAsync", "SetResult", "TrySetResult", "UnionWith",
    ];

    void Assignment(IOperation assignment, IOperation target, IOperation value)
    {
        switch (target)
        {
            case ILocalReferenceOperation local:
                Visit(value);
                Assign(local.Local, value, isDeclaration: local.IsDeclaration);
                break;
            case IParameterReferenceOperation parameter when !IsField(parameter.Parameter):
                Visit(value);
                Assign(parameter.Parameter, value, isDeclaration: false);
                break;
            case IDiscardOperation:
                Visit(value);
                Discarded(value);
                break;
            default:
                foreach (var child in target.ChildOperations) Visit(child);
                Visit(value);
                if (target is IArrayElementReferenceOperation element) ChangeInput(element.ArrayReference, assignment);
                if (target is IPropertyReferenceOperation indexed) StoreKeys(indexed);
                Store(target, value);
                break;
        }
    }

    void StoreKeys(IPropertyReferenceOperation indexed)
    {
        if (indexed.Instance is null || !IsCollection(indexed.Instance)) return;
        foreach (var key in indexed.Arguments) Store(indexed, key.Value);
    }

    void Deconstruct(IOperation target, IOperation value)
    {
        value = Unconverted(value);
        if (target is IDeclarationExpressionOperation declaration) target = declaration.Expression;
        if (target is not ITupleOperation targets) return;
        var values = (value as ITupleOperation)?.Elements;
        for (var i = 0; i < targets.Elements.Length; i++)
        {
            var one = targets.Elements[i] is IDeclarationExpressionOperation inner ? inner.Expression : targets.Elements[i];
            var part = values is { } elements && i < elements.Length ? elements[i] : value;
            if (one is ITupleOperation) Deconstruct(one, part);
            else if (one is ILocalReferenceOperation local) Assign(local.Local, part, local.IsDeclaration);
            else if (one is not IDiscardOperation && types.Carries(one.Type)) Store(one, part);
        }
    }

    /// <summary>The variables of a pattern hold what is tested.</summary>
    void Declare(IPatternOperation pattern, IOperation value)
    {
        foreach (var one in pattern.DescendantsAndSelf())
        {
            var symbol = one switch
            {
                IDeclarationPatternOperation declaration => declaration.DeclaredSymbol,
                IRecursivePatternOperation recursive => recursive.DeclaredSymbol,
                IListPatternOperation list => list.DeclaredSymbol,
                _ => null,
            };
            if (symbol is ILocalSymbol local && types.Carries(local.Type)) state = state.With(local, Flow(value));
        }
    }

    void Assign(ISymbol variable, IOperation value, bool isDeclaration)
    {
        var type = (variable as ILocalSymbol)?.Type ?? (variable as IParameterSymbol)?.Type;
        var held = CanHold(type) || type is { TypeKind: TypeKind.Delegate or TypeKind.Interface or TypeKind.Class } ? Flow(value) : [];
        var isOuter = !isDeclaration && functions.Count > 0 && !AreSame(variable.ContainingSymbol, Function)
;
        if (isOuter)
        {
            foreach (var one in held)
                if (IsEndedByCaller(one))
                {
                    Report(Rules.Stored, value, Text(value), variable.Name, Why(one), Copy(value, one.Owner.Life));
                    return;
                }
        }

        if (variable is IParameterSymbol { RefKind: RefKind.Out or RefKind.Ref })
            foreach (var one in held)
                if (IsDisposedHere(one)) Report(Rules.Returned, value, Text(value), Why(one), Copy(value, one.Owner.Life));

        if (types.IsMessage(type) || ViewTypes.IsCall(type) || types.IsReader(type) || ViewTypes.IsWriter(type))
        {
            Forget(variable);
            if (RootOf(value) is { } root && !AreSame(root.Root, variable)) aliases[variable] = root;
            else aliases.Remove(variable);
        }

        if (ContainerOf(value) is { } container) partOf[variable] = container;
        state = state.With(variable, held);
        if (FindPending(value) is { } sent) state = state.With(state.Pending.SetItem(sent.Message, (variable, sent.Call)));
    }

    /// <summary>Gets the collection that a collection is a part of, as in <c>groups[id]</c>.</summary>
    ISymbol? ContainerOf(IOperation value)
    {
        value = Unconverted(value);
        if (value is IAwaitOperation || value.Type is not { IsReferenceType: true }) return null;
        return value switch
        {
            ILocalReferenceOperation local => partOf.TryGetValue(local.Local, out var other) ? other : local.Local,
            IFieldReferenceOperation field => field.Field,
            IParameterReferenceOperation { Parameter: var parameter } when IsField(parameter) => parameter,
            IPropertyReferenceOperation { Instance: null or IInstanceReferenceOperation } property => property.Property,
            IPropertyReferenceOperation property => ContainerOf(property.Instance!),
            IArrayElementReferenceOperation element => ContainerOf(element.ArrayReference),
            _ => null,
        };
    }

    void Store(IOperation target, IOperation value)
    {
        var rule = IsCode(value) ? Rules.Captured : Rules.Stored;
        // a member of an initializer is a part of the object that is made
        if (target is IMemberReferenceOperation { Instance: IInstanceReferenceOperation made }
            && made.ReferenceKind == InstanceReferenceKind.ImplicitReceiver) return;
        var held = Flow(value);
        if (held.IsEmpty) return;
        var isTarget = true;
        ISymbol? member = null;
        for (var place = (IOperation?)Unconverted(target); place is not null; isTarget = false)
        {
            switch (place)
            {
                case IFieldReferenceOperation { Instance: null or IInstanceReferenceOperation } field:
                    StoreOutside(field.Field, value, held, rule, isTarget);
                    return;
                case IPropertyReferenceOperation { Instance: null or IInstanceReferenceOperation } property:
                    StoreOutside(property.Property, value, held, rule, isTarget);
                    return;
                case IEventReferenceOperation { Event: var change }:
                    StoreOutside(change, value, held, rule, isTarget);
                    return;
                case ILocalReferenceOperation local:
                    StoreIn(local.Local, value, held, rule);
                    return;
                case IParameterReferenceOperation { Parameter: var captured } when IsField(captured):
                    StoreOutside(captured, value, held, rule, isTarget);
                    return;
                case IParameterReferenceOperation parameter:
                    StoreIn(parameter.Parameter, value, held, rule);
                    return;
                case IFieldReferenceOperation field:
                    place = Unconverted(field.Instance!);
                    break;
                case IPropertyReferenceOperation property:
                    if (LivesWithCall(property.Instance!.Type)) return;
                    member ??= property.Property;
                    place = Unconverted(property.Instance);
                    break;
                case IArrayElementReferenceOperation element:
                    place = Unconverted(element.ArrayReference);
                    break;
                case IInvocationOperation { Instance: { } instance and not IInstanceReferenceOperation }:
                    place = Unconverted(instance);
                    break;
                case IInvocationOperation call
                    when member is not null || !AreSame(call.TargetMethod.ContainingType, owningSymbol.ContainingType):
                    StoreOutside(member ?? call.TargetMethod, value, held, rule, isTarget);
                    return;
                default:
                    return;
            }

            if (LivesWithCall(place.Type)) return;
        }
    }

    /// <summary>Determines whether a parameter is one of a primary constructor, which a method uses as a field.</summary>
    bool IsField(IParameterSymbol parameter) =>
        parameter.ContainingSymbol is IMethodSymbol { MethodKind: MethodKind.Constructor } made && !AreSame(made, owningSymbol);

    bool LivesWithCall(ITypeSymbol? type) => type is not null
        && (AreSame(type, types.CallContext) || AreSame(type, types.HttpContext));

    void StoreIn(ISymbol variable, IOperation value, ImmutableHashSet<Held> held, DiagnosticDescriptor rule)
    {
        if (partOf.TryGetValue(variable, out var container) && !AreSame(container, variable))
        {
            if (container is ILocalSymbol) StoreIn(container, value, held, rule);
            else StoreOutside(container, value, held, rule, isTarget: false);
            return;
        }

        var isOuter = !AreSame(variable.ContainingSymbol, Function);
        var isParameter = variable is IParameterSymbol;
        foreach (var one in held)
        {
            var isLate = (isOuter && IsEndedByCaller(one))
                || (isParameter && (IsDisposedHere(one) || one.Owner.Life is Life.Reader or Life.Writer));
            if (!isLate) continue;
            ReportStore(rule, value, variable, one);
            return;
        }

        state = state.With(variable, state.Of(variable).Union(held.Select(one => one.In(value))));
    }

    void StoreOutside(ISymbol place, IOperation value, ImmutableHashSet<Held> held, DiagnosticDescriptor rule, bool isTarget)
    {
        var type = owningSymbol.ContainingType;
        var isOwn = AreSame(place.ContainingType, type);
        var isConstructor = owningSymbol is IMethodSymbol { MethodKind: MethodKind.Constructor };
        foreach (var one in held)
        {
            if (one.Owner is { Life: Life.Message, Root: IFieldSymbol or IPropertySymbol }) continue;
            var isGiven = one.Owner.Life == Life.Parameter || one.Owner is { Life: Life.Message, Root: IParameterSymbol };
            if (isOwn && isGiven && ((isTarget && (type.IsValueType || isConstructor)) || HasMessage(type))) continue;
            if (one.Owner is { Life: Life.Message, Root: ILocalSymbol } && !IsDisposedHere(one) && one.End is null) continue;
            ReportStore(rule, value, place, one);
            return;
        }
    }

    void ReportStore(DiagnosticDescriptor rule, IOperation value, ISymbol place, Held held)
    {
        if (rule == Rules.Captured) Report(rule, value, CapturedOf(held), Why(held), Copy(value, held.Owner.Life));
        else Report(rule, value, Text(value), place.Name, Why(held), Copy(value, held.Owner.Life));
    }

    /// <summary>Determines whether a type owns messages, so that it can hold their views too.</summary>
    bool HasMessage(INamedTypeSymbol type) => type.GetMembers().OfType<IFieldSymbol>().Any(field => !field.IsStatic
        && (types.IsMessage(field.Type) || (field.Type is INamedTypeSymbol named && named.TypeArguments.Any(types.IsMessage))));

    static bool IsEndedByCaller(Held held) => held.Owner.Life is Life.Callback or Life.Reader;

    bool IsDisposedHere(Held held) => held.Owner.Root is ILocalSymbol local && disposed.Contains(local)
        && AreSame(local.ContainingSymbol, Function);

    void Returned(IReturnOperation result)
    {
        if (result.ReturnedValue is not { } value || result.Kind == OperationKind.YieldReturn) return;
        foreach (var one in Flow(value))
        {
            if (!IsDisposedHere(one)) continue;
            Report(Rules.Returned, value, Text(value), Why(one), IsTask(value.Type) ? "Await it here" : Copy(value, one.Owner.Life));
            return;
        }

        if (FindPending(value) is { } sent && disposed.Contains(sent.Message) && AreSame(sent.Message.ContainingSymbol, Function)
            && Function is IMethodSymbol { IsAsync: false })
            Report(Rules.Pending, value, sent.Message.Name, "released", Line(sent.Call));
        if (Unconverted(value) is IFieldReferenceOperation field && ViewTypes.IsCall(field.Type)
            && Function is IMethodSymbol { IsOverride: true })
            Report(Rules.SharedCall, value, Text(value));
    }

    /// <summary>Determines whether a value is code that has not run: a lambda, a task, a thread or a timer.</summary>
    bool IsCode(IOperation value)
    {
        value = Unconverted(value);
        return value switch
        {
            IDelegateCreationOperation { Target: IAnonymousFunctionOperation lambda } => !types.Carries(lambda.Symbol.ReturnType),
            IDelegateCreationOperation => true,
            IInvocationOperation call => IsLater(call) || IsTask(call.Type),
            _ => IsLaterName(value.Type),
        };
    }

    static bool IsDelegate(IOperation value) => Unconverted(value) is IDelegateCreationOperation;

    string Why(Held held)
    {
        var name = held.Owner.Root.Name;
        if (held.End is { } end) return $"{Because(held)} (line {Line(end)})";
        return held.Owner.Life switch
        {
            Life.Parameter when IsServiceMethod => $"the call releases '{name}' when it ends",
            Life.Parameter => $"the caller may release the message of '{name}'",
            Life.Reader => "the next read of the stream ends it",
            Life.Writer => "the next write ends it",
            Life.Callback => $"'{name}' is valid until the lambda returns",
            _ when disposed.Contains(held.Owner.Root) => $"this method disposes '{name}'",
            _ => $"'{name}' may be released, cleared or parsed again",
        };
    }

    string Because(Held held) => held.End switch
    {
        { Parent: IForEachLoopOperation } => "the loop has read the next message",
        { } end when held.Owner.Life == Life.Message && disposed.Contains(held.Owner.Root) && end is not IInvocationOperation
            => $"the block of '{held.Owner.Root.Name}' has ended",
        { } end => $"'{Text(end)}' has ended it",
        null => "",
    };

    bool IsServiceMethod => owningSymbol is IMethodSymbol method
        && method.Parameters.Any(one => types.CallContext is not null && AreSame(one.Type, types.CallContext));

    /// <summary>Says how to keep the content, with a field of the type.</summary>
    string WayOut(IOperation value, Life life)
    {
        var inner = Unconverted(value);
        var text = Text(inner);
        if (inner.Type is { Name: "Utf8String" }) return $"copy it with '{text}.ToString()'";
        if (inner.Type is { Name: "Bytes" } || ViewTypes.IsSpan(inner.Type)) return $"copy it with '{text}.ToArray()'";
        var isNamed = inner is ILocalReferenceOperation or IParameterReferenceOperation or IPropertyReferenceOperation;
        var copy = isNamed && types.IsMessageView(inner.Type) ? $"copy what you need, as in '{text}.{FieldOf(inner.Type!)}'"
            : "copy what you need, as strings and numbers";
        return life == Life.Reader ? copy + ", or take the message with TakeCurrent" : copy + ", or the whole message with CopyFrom";
    }

    /// <summary>Gets the same as the begin of a sentence.</summary>
    string Copy(IOperation value, Life life)
    {
        var way = WayOut(value, life);
        return char.ToUpperInvariant(way[0]) + way.Substring(1);
    }

    static string FieldOf(ITypeSymbol type)
    {
        var fields = type.GetMembers().OfType<IPropertySymbol>()
            .Where(one => one is { IsStatic: false, DeclaredAccessibility: Accessibility.Public }).ToList();
        return fields.Find(one => one.Type.Name == "Utf8String") is { } text ? $"{text.Name}.ToString()"
            : fields.Find(one => one.Type.SpecialType != SpecialType.None)?.Name ?? "ToString()";
    }

    static string CapturedOf(Held held) => held.Owner.Life is Life.Parameter or Life.Callback or Life.Message ? $"'{held.Owner.Root.Name}'"
        : $"a view of '{held.Owner.Root.Name}'";

    static int Line(IOperation one) => one.Syntax.GetLocation().GetMappedLineSpan().StartLinePosition.Line + 1;

    public static string Text(IOperation one)
    {
        var text = string.Join(" ", one.Syntax.ToString().Split(['\n', '\r', ' '], StringSplitOptions.RemoveEmptyEntries));
        return text.Length <= 60 ? text : text.Substring(0, 57) + "...";
    }
}

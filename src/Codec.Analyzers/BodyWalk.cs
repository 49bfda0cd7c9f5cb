using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace ProtoBench.Codec.Analyzers;

/// <summary>Walks a method in the order in which it runs, and follows which variable holds a view of what. Each branch is walked, and a
/// loop twice, so that what its end does is known at its begin.</summary>
sealed partial class BodyWalk(ViewTypes types, ISymbol owningSymbol, Action<Diagnostic> report)
{
    readonly HashSet<(string, SyntaxNode)> reported = [];
    readonly HashSet<(ISymbol, SyntaxNode)> lateUses = [];
    readonly HashSet<ISymbol> disposed = new(SymbolEqualityComparer.Default);
    readonly Dictionary<ISymbol, Owner> aliases = new(SymbolEqualityComparer.Default);

    /// <summary>Where a local collection is from, if it was not made here.</summary>
    readonly Dictionary<ISymbol, ISymbol> partOf = new(SymbolEqualityComparer.Default);
    readonly Dictionary<ILabelSymbol, State> branches = new(SymbolEqualityComparer.Default);
    readonly Stack<List<ILocalSymbol>> usings = new();
    readonly Stack<IMethodSymbol> functions = new();
    State state = State.Start;

    ISymbol Function => functions.Count > 0 ? functions.Peek() : owningSymbol;

    public void Run(IOperation block)
    {
        foreach (var one in block.Descendants()) FindDisposed(one);
        Visit(block);
    }

    void FindDisposed(IOperation one)
    {
        switch (one)
        {
            case IUsingDeclarationOperation declaration:
                disposed.UnionWith(declaration.DeclarationGroup.GetDeclaredVariables());
                break;
            case IUsingOperation block:
                disposed.UnionWith(block.Locals);
                if (RootOf(block.Resources) is { } resource) disposed.Add(resource.Root);
                break;
            case IInvocationOperation { TargetMethod: { Name: "Dispose" or "DisposeAsync", Parameters.IsEmpty: true }, Instance: { } instance }:
                if (!IsIn<ICatchClauseOperation>(one) && RootOf(instance) is { } owner) disposed.Add(owner.Root);
                break;
        }
    }

    void Visit(IOperation? one)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        if (one is not null && GoogleCalls.Translate(one, types) is { } written) Report(Rules.GoogleCall, one, written);
        switch (one)
        {
            case null or INameOfOperation or ITypeOfOperation or ISizeOfOperation or ILiteralOperation:
                break;
            case IBlockOperation block:
                Block(block.Operations);
                break;
            case IUsingDeclarationOperation declaration:
                Visit(declaration.DeclarationGroup);
                if (usings.Count > 0) usings.Peek().AddRange(declaration.DeclarationGroup.GetDeclaredVariables());
                break;
            case IUsingOperation block:
                Visit(block.Resources);
                Visit(block.Body);
                foreach (var local in block.Locals) EndOf(local, block);
                if (block.Locals.IsEmpty && RootOf(block.Resources) is { } resource) End(resource, block);
                break;
            case IVariableDeclaratorOperation { Initializer: { } initializer } declarator:
                Visit(initializer.Value);
                Assign(declarator.Symbol, initializer.Value, isDeclaration: true);
                break;
            case ISimpleAssignmentOperation assignment:
                Assignment(assignment, assignment.Target, assignment.Value);
                break;
            case ICoalesceAssignmentOperation assignment:
                var before = state;
                Assignment(assignment, assignment.Target, assignment.Value);
                state = state.Or(before);
                break;
            case ICompoundAssignmentOperation { Target: IPropertyReferenceOperation indexed } assignment:
                foreach (var child in assignment.ChildOperations) Visit(child);
                StoreKeys(indexed);
                break;
            case IIncrementOrDecrementOperation { Target: IPropertyReferenceOperation indexed }:
                Visit(indexed);
                StoreKeys(indexed);
                break;
            case IEventAssignmentOperation { Adds: true } assignment:
                Visit(assignment.HandlerValue);
                Store(assignment.EventReference, assignment.HandlerValue);
                break;
            case IDeconstructionAssignmentOperation
            { Target: IDeclarationExpressionOperation { Expression: ITupleOperation targets } } assignment
                when Unconverted(assignment.Value) is ITupleOperation values && values.Elements.Length == targets.Elements.Length:
                // as several declarations, because the second value may end the first
                for (var i = 0; i < targets.Elements.Length; i++)
                {
                    Visit(values.Elements[i]);
                    if (targets.Elements[i] is ILocalReferenceOperation local) Assign(local.Local, values.Elements[i], isDeclaration: true);
                }

                break;
            case IDeconstructionAssignmentOperation assignment:
                Visit(assignment.Value);
                Deconstruct(assignment.Target, assignment.Value);
                break;
            case ILocalReferenceOperation local:
                Use(local.Local, local);
                break;
            case IParameterReferenceOperation parameter:
                Use(parameter.Parameter, parameter);
                break;
            case IInvocationOperation call:
                Visit(call.Instance);
                foreach (var argument in call.Arguments) VisitArgument(argument, call);
                Called(call);
                break;
            case IObjectCreationOperation creation:
                foreach (var argument in creation.Arguments) VisitArgument(argument, creation);
                Visit(creation.Initializer);
                Created(creation);
                break;
            case IAwaitOperation awaited:
                Visit(awaited.Operation);
                Awaited(awaited);
                break;
            case IConditionalOperation conditional:
                Visit(conditional.Condition);
                Branch(() => Visit(conditional.WhenTrue), () => Visit(conditional.WhenFalse));
                break;
            case ICoalesceOperation coalesce:
                Visit(coalesce.Value);
                Branch(() => Visit(coalesce.WhenNull), null);
                break;
            case IConditionalAccessOperation access:
                Visit(access.Operation);
                Branch(() => Visit(access.WhenNotNull), null);
                break;
            case IBinaryOperation { OperatorKind: BinaryOperatorKind.ConditionalAnd or BinaryOperatorKind.ConditionalOr } binary:
                Visit(binary.LeftOperand);
                Branch(() => Visit(binary.RightOperand), null);
                break;
            case IIsPatternOperation test:
                Visit(test.Value);
                Declare(test.Pattern, test.Value);
                break;
            case ISwitchOperation choice:
                Switch(choice);
                break;
            case ISwitchExpressionOperation choice:
                Visit(choice.Value);
                Branch([.. choice.Arms.Select(arm => (Action)(() =>
                {
                    Declare(arm.Pattern, choice.Value);
                    Visit(arm.Guard);
                    Visit(arm.Value);
                }))]);
                break;
            case ILoopOperation loop:
                Loop(loop);
                break;
            case ITryOperation attempt:
                Try(attempt);
                break;
            case IReturnOperation result:
                Visit(result.ReturnedValue);
                Returned(result);
                if (result.Kind != OperationKind.YieldReturn) state = State.Nowhere;
                break;
            case IThrowOperation thrown:
                Visit(thrown.Exception);
                state = State.Nowhere;
                break;
            case IBranchOperation branch:
                Leave(branch.Target);
                break;
            case ILabeledOperation labeled:
                Arrive(labeled.Label);
                Visit(labeled.Operation);
                break;
            case IAnonymousFunctionOperation lambda:
                Lambda(lambda, null);
                break;
            case ILocalFunctionOperation function:
                Separate(function);
                break;
            default:
                foreach (var child in one.ChildOperations) Visit(child);
                break;
        }
    }

    void Block(ImmutableArray<IOperation> operations)
    {
        usings.Push([]);
        foreach (var one in operations) Visit(one);
        var locals = usings.Pop();
        for (var i = locals.Count - 1; i >= 0; i--) EndOf(locals[i], operations[operations.Length - 1]);
    }

    void Branch(params Action?[] ways)
    {
        var before = state;
        State? after = null;
        foreach (var way in ways)
        {
            state = before;
            way?.Invoke();
            after = after is null ? state : after.Or(state);
        }

        if (ways.Length == 1) after = after!.Or(before);
        state = after ?? before;
    }

    void Switch(ISwitchOperation choice)
    {
        Visit(choice.Value);
        Branch([.. choice.Cases.Select(part => (Action)(() =>
        {
            foreach (var clause in part.Clauses)
            {
                if (clause is IPatternCaseClauseOperation pattern)
                {
                    Declare(pattern.Pattern, choice.Value);
                    Visit(pattern.Guard);
                }
            }

            Block(part.Body);
        })), () => { }]);
        Arrive(choice.ExitLabel);
    }

    void Try(ITryOperation attempt)
    {
        var before = state;
        Visit(attempt.Body);
        var (after, thrown) = (state, before.Or(state));
        foreach (var handler in attempt.Catches)
        {
            state = thrown;
            Visit(handler.Filter);
            Visit(handler.Handler);
            after = after.Or(state);
        }

        state = after;
        if (attempt.Finally is null) return;
        var isReachable = state.IsReachable;
        state = state.Or(thrown);
        Visit(attempt.Finally);
        if (!isReachable) state = State.Nowhere;
    }

    void Loop(ILoopOperation loop)
    {
        Action turn = () => { };
        Action? leave = null;
        switch (loop)
        {
            case IForEachLoopOperation each:
                Visit(each.Collection);
                var element = each.Locals.FirstOrDefault();
                if (each.IsAsynchronous && types.Carries(types.StreamElement(Unconverted(each.Collection).Type)))
                {
                    var stream = Stream(each, element);
                    turn = () =>
                    {
                        End(stream, each.Collection);
                        SetElements(each, [new(stream, "", null, null, null)]);
                        Visit(each.Body);
                    };
                    leave = () => End(stream, each.Collection);
                    break;
                }

                var held = Flow(each.Collection).Select(one => one.Within(null)).ToImmutableHashSet();
                if (element is not null && ContainerOf(each.Collection) is { } container) partOf[element] = container;
                turn = () =>
                {
                    foreach (var local in each.Locals) Forget(local);
                    SetElements(each, held);
                    Visit(each.Body);
                };
                break;
            case IForLoopOperation steps:
                foreach (var one in steps.Before) Visit(one);
                Visit(steps.Condition);
                turn = () =>
                {
                    Visit(steps.Body);
                    Arrive(loop.ContinueLabel);
                    foreach (var one in steps.AtLoopBottom) Visit(one);
                    Visit(steps.Condition);
                };
                break;
            case IWhileLoopOperation { ConditionIsTop: true } loopWhile:
                Visit(loopWhile.Condition);
                turn = () =>
                {
                    Visit(loopWhile.Body);
                    Arrive(loop.ContinueLabel);
                    Visit(loopWhile.Condition);
                };
                break;
            case IWhileLoopOperation loopWhile:
                turn = () =>
                {
                    Visit(loopWhile.Body);
                    Arrive(loop.ContinueLabel);
                    Visit(loopWhile.Condition);
                };
                break;
        }

        var before = state;
        turn();
        Arrive(loop.ContinueLabel);
        var again = before.Or(state);
        if (!again.IsSameAs(before))
        {
            state = again;
            turn();
            Arrive(loop.ContinueLabel);
            again = again.Or(state);
        }

        var isEndless = loop is IWhileLoopOperation { Condition.ConstantValue: { HasValue: true, Value: true } }
            or IForLoopOperation { Condition: null };
        state = isEndless ? State.Nowhere : again;
        Arrive(loop.ExitLabel);
        leave?.Invoke();
    }

    /// <summary>Gets the owner of the elements of an <c>await foreach</c>: the reader, or the loop itself.</summary>
    Owner Stream(IForEachLoopOperation each, ILocalSymbol? element)
    {
        var reader = Flow(each.Collection).Select(one => one.Owner).FirstOrDefault(one => one.Life == Life.Reader);
        return reader ?? new(element is not null ? element : Function, "await foreach", Life.Reader);
    }

    void SetElements(IForEachLoopOperation each, ImmutableHashSet<Held> held)
    {
        foreach (var local in each.Locals) state = state.With(local, types.Carries(local.Type) ? held : []);
    }

    void Leave(ILabelSymbol target)
    {
        branches[target] = branches.TryGetValue(target, out var other) ? other.Or(state) : state;
        state = State.Nowhere;
    }

    void Arrive(ILabelSymbol label)
    {
        if (!branches.TryGetValue(label, out var other)) return;
        branches.Remove(label);
        state = state.Or(other);
    }

    /// <summary>Walks a lambda where it is written. What it adds to variables outside of it stays.</summary>
    void Lambda(IAnonymousFunctionOperation lambda, ImmutableHashSet<Held>? arguments)
    {
        var before = state;
        functions.Push(lambda.Symbol);
        foreach (var parameter in lambda.Symbol.Parameters)
            if (types.Carries(parameter.Type))
                state = state.With(parameter, arguments ?? [new(new(parameter, "", Life.Callback), "", null, null, null)]);

        Visit(lambda.Body);
        functions.Pop();
        var after = before;
        foreach (var one in state.Variables)
        {
            if (AreSame(one.Key.ContainingSymbol, lambda.Symbol)) continue;
            var added = one.Value.Where(held => held is { End: null, Store: not null }).ToImmutableHashSet();
            if (!added.IsEmpty) after = after.With(one.Key, after.Of(one.Key).Union(added));
        }

        state = after;
    }

    /// <summary>Walks a local function as a method of its own.</summary>
    void Separate(ILocalFunctionOperation function)
    {
        var before = state;
        state = State.Start;
        functions.Push(function.Symbol);
        Visit(function.Body);
        functions.Pop();
        state = before;
    }

    void VisitArgument(IArgumentOperation argument, IOperation call)
    {
        var value = Unconverted(argument.Value);
        if (value is IDelegateCreationOperation { Target: IAnonymousFunctionOperation lambda }) Lambda(lambda, ArgumentsOf(call));
        else if (argument.Parameter?.RefKind != RefKind.Out) Visit(argument.Value);
    }

    /// <summary>Gets what a lambda is called with: a part of what else the method gets.</summary>
    ImmutableHashSet<Held>? ArgumentsOf(IOperation operation)
    {
        if (operation is not IInvocationOperation call) return null;
        var isFill = call.TargetMethod.ContainingType.Name == "MessageInitializers";
        var held = isFill ? Flow(call.Arguments[0].Value) : Sources(call).Select(one => one.Within(null)).ToImmutableHashSet();
        return held.IsEmpty && !isFill ? null : held;
    }

    void Use(ISymbol variable, IOperation at)
    {
        var held = state.Of(variable);
        if (held.IsEmpty) return;
        if (at.Parent is IInvocationOperation { TargetMethod.Name: "Clear" } && !types.IsView(at.Type))
        {
            state = state.With(variable, []);
            return;
        }

        if (!held.Any(one => one.End is not null)) return;
        foreach (var one in held)
        {
            if (one.End is null || !lateUses.Add((variable, one.End.Syntax))) continue;
            var (end, line) = (Text(one.End), Line(one.End));
            if (one.Rule == Rules.InputChanged) Report(one.Rule, at, Text(at), InputOf(one), end, line);
            else if (one.Rule == Rules.OldList) Report(one.Rule, at, Text(at), end, line);
            else if (one.Store is { } store)
                Report(Rules.Stored, store, Text(store), variable.Name, Why(one), Copy(store, one.Owner.Life));
            else Report(Rules.Ended, at, Text(at), Because(one), line, WayOut(at, one.Owner.Life));
        }

        // only the first late use is reported
        state = state.With(variable, held.Where(one => one.End is null).ToImmutableHashSet());
    }

    string InputOf(Held held) =>
        state.Inputs.Where(one => one.Value.EndsWith(held.Owner)).Select(one => one.Key.Name).FirstOrDefault() ?? "the input";

    void EndOf(ISymbol local, IOperation at) => End(RootOf(local), at);

    void End(Owner owner, IOperation at, DiagnosticDescriptor? rule = null, Life? life = null) =>
        state = state.Map(one => one.Owner.EndsWith(owner) && (life is null || one.Owner.Life == life)
            ? one.EndedBy(at, rule ?? Rules.Ended) : one);

    /// <summary>The variable gets another message. What is held of the one before does not end.</summary>
    void Forget(ISymbol variable)
    {
        if (types.Carries((variable as ILocalSymbol)?.Type)) return;
        var owner = new Owner(variable, "", Life.Message);
        state = state.Map(one => one.End is null && one.Owner.EndsWith(owner) ? null : one);
    }

    void Report(DiagnosticDescriptor rule, IOperation at, params object[] arguments)
    {
        if (reported.Add((rule.Id, at.Syntax))) report(Diagnostic.Create(rule, at.Syntax.GetLocation(), arguments));
    }

    static bool AreSame(ISymbol? left, ISymbol? right) => SymbolEqualityComparer.Default.Equals(left, right);

    static bool IsIn<T>(IOperation one)
    {
        for (var parent = one.Parent; parent is not null; parent = parent.Parent)
            if (parent is T) return true;

        return false;
    }
}

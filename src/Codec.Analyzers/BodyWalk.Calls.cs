using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace ProtoBench.Codec.Analyzers;

// What calls do with messages and streams.
sealed partial class BodyWalk
{
    static readonly HashSet<string> enders =
    [
        "Parse", "ParseAlias", "ParseAsync", "TryParseDelimited", "TryParseDelimitedAsync", "MergeFrom", "CopyFrom", "Clear", "Dispose",
    ];

    static readonly HashSet<string> buffering =
    [
        "GroupBy", "OrderBy", "OrderByDescending", "Order", "OrderDescending", "Reverse", "Chunk", "Distinct", "DistinctBy", "Union", "UnionBy",
        "Intersect", "IntersectBy", "Except", "ExceptBy", "TakeLast", "SkipLast", "Buffer", "Join", "GroupJoin", "Last", "LastOrDefault", "Single",
        "SingleOrDefault", "Max", "Min", "MaxBy", "MinBy",
    ];

    void Called(IInvocationOperation call)
    {
        var (method, instance) = (call.TargetMethod, call.Instance);
        SetOut(call);
        if (instance is not null && types.IsMessage(instance.Type) && enders.Contains(method.Name)) EndMessage(call, instance);
        else if (method.ContainingType.Name == "ProtoJson" && method.Name is "ParseJson" or "ParseJsonAsync" or "MergeJson")
            EndMessage(call, call.Arguments[0].Value);
        else if (instance is not null && types.IsReader(instance.Type)) Read(call, instance);
        else if (instance is not null && ViewTypes.IsWriter(instance.Type)) Written(call, instance);
        else if (instance is not null && types.IsView(instance.Type)) Changed(call, instance);
        else if (method.Name is "Dispose" or "DisposeAsync" && method.Parameters.IsEmpty && RootOf(instance) is { } owner) End(owner, call);
        else if (method.ContainingType.Name == "AnyConversions" && method.Name is "Unpack" or "TryUnpack" && RootOf(call.Arguments[1].Value) is { } target)
            End(target, call);
        else if (method.ContainingType is { Name: "Parallel" } or { Name: "ParallelEnumerable" }) Threads(call);
        else Buffer(call);

        Put(call);
        Doubles(call);
        ChangeInputs(call);
        if (call.Parent is IExpressionStatementOperation) Discarded(call);
        if (call.Arguments.Length > 0) ForgetPending(call);
    }

    void Created(IObjectCreationOperation creation)
    {
        if (creation.Arguments.IsEmpty && types.IsMessageView(creation.Type) && !creation.IsImplicit)
            Report(Rules.NoMemory, creation, creation.Type!.Name);
        if (creation.Parent is IExpressionStatementOperation) Discarded(creation);
    }

    void EndMessage(IInvocationOperation call, IOperation instance)
    {
        if (RootOf(instance) is not { } owner) return;
        CheckPending(owner, call);
        End(owner, call, life: null);
        foreach (var input in state.Inputs)
            if (input.Value.EndsWith(owner)) state = state.With(state.Inputs.Remove(input.Key));

        if (call.TargetMethod.Name == "ParseAlias" && InputOf(call.Arguments[0].Value) is { } memory)
            state = state.With(state.Inputs.SetItem(memory, owner));
    }

    void Read(IInvocationOperation call, IOperation instance)
    {
        if (RootOf(instance) is not { } owner) return;
        if (call.TargetMethod.Name == "MoveNext")
        {
            End(owner, call, life: Life.Reader);
            ForgetPending(owner.Root);
        }
        else if (call.TargetMethod.Name == "TakeCurrent")
        {
            // the message lives on, and so do its views
            state = state.Map(one => one.Owner.Life == Life.Reader && one.End is null && one.Owner.EndsWith(owner) ? null : one);
        }
    }

    void Written(IInvocationOperation call, IOperation instance)
    {
        if (call.TargetMethod.Name == "WriteAsync" && RootOf(instance) is { } owner
            && !call.TargetMethod.Parameters.Any(one => types.IsMessage(one.Type))) End(owner, call, life: Life.Writer);
    }

    /// <summary>A member that changes a message: lists that were taken before keep their elements.</summary>
    void Changed(IInvocationOperation call, IOperation instance)
    {
        var name = call.TargetMethod.Name;
        if (!IsChange(call)) return;
        var views = Flow(instance);
        foreach (var view in views) CheckPending(view.Owner, call);
        var field = name.StartsWith("Add", StringComparison.Ordinal) || name.StartsWith("Set", StringComparison.Ordinal) ? name.Substring(3)
            : name.StartsWith("Clear", StringComparison.Ordinal) ? name.Substring(5)
            : name.StartsWith("Remove", StringComparison.Ordinal) ? name.Substring(6) : "";
        if (name.StartsWith("Remove", StringComparison.Ordinal) && field.EndsWith("At", StringComparison.Ordinal)) field = field.Substring(0, field.Length - 2);
        if (field.Length == 0) return;
        foreach (var view in views)
        {
            if (view.Field is null) continue;
            var changed = view.Field.Length == 0 ? field : $"{view.Field}.{field}";
            foreach (var one in state.Variables)
            {
                if (!IsList(one.Key)) continue;
                state = state.With(one.Key, [.. one.Value.Select(held =>
                    held.Store is null && held.Field == changed && held.Owner.Equals(view.Owner)
                        ? held.EndedBy(call, Rules.OldList) : held)]);
            }
        }
    }

    static bool IsList(ISymbol variable) => variable is ILocalSymbol { Type: var type }
        && (ViewTypes.IsSpan(type) || type.Name is "MessageList" or "Utf8StringList" or "BytesList");

    bool IsChange(IInvocationOperation call)
    {
        var name = call.TargetMethod.Name;
        return types.IsMessageView(call.Instance?.Type) && !call.TargetMethod.IsStatic
            && (name is "CopyFrom" or "MergeFrom" || StartsWith("Set") || StartsWith("Add") || StartsWith("Clear") || StartsWith("Remove") || StartsWith("Mutable"));

        bool StartsWith(string prefix) => name.StartsWith(prefix, StringComparison.Ordinal);
    }

    void Threads(IInvocationOperation call)
    {
        if (call.TargetMethod.Name == "ForEachAsync" && types.StreamElement(Unconverted(call.Arguments[0].Value).Type) is { } element && types.Carries(element))
            Report(Rules.Buffered, call, "Parallel.ForEachAsync", Mapped(element));
        if (!call.TargetMethod.Name.StartsWith("For", StringComparison.Ordinal) && call.TargetMethod.Name != "Invoke") return;
        foreach (var lambda in call.Descendants().OfType<IAnonymousFunctionOperation>())
        {
            foreach (var change in lambda.Descendants().OfType<IInvocationOperation>())
            {
                // of a.MutableB().SetC() only the whole is reported
                if (!IsChange(change) || (change.Parent is IInvocationOperation outer && IsChange(outer))) continue;
                if (!IsIn<ILockOperation>(change) && Outermost(change.Instance!) is { } symbol && !IsInside(symbol, lambda))
                    Report(Rules.Threads, change, Text(change));
            }
        }
    }

    static ISymbol? Outermost(IOperation view) => view switch
    {
        ILocalReferenceOperation local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        IPropertyReferenceOperation { Instance: { } instance } => Outermost(instance),
        IInvocationOperation { Instance: { } instance } => Outermost(instance),
        _ => null,
    };

    void Buffer(IInvocationOperation call)
    {
        var method = call.TargetMethod;
        if (!method.IsExtensionMethod || call.Arguments.IsEmpty) return;
        var source = Unconverted(call.Arguments[0].Value);
        var element = types.StreamElement(source.Type);
        var isStream = element is not null;
        if (!isStream)
        {
            element = types.Element(source.Type);
            if (source.Type is not { TypeKind: TypeKind.Interface } || !Flow(source).Any(one => one.Owner.Life == Life.Reader)) return;
        }

        if (!types.Carries(element)) return;
        var name = method.Name.EndsWith("Async", StringComparison.Ordinal) ? method.Name.Substring(0, method.Name.Length - 5) : method.Name;
        if (buffering.Contains(name) || (name.StartsWith("To", StringComparison.Ordinal) && name is not "ToBlockingEnumerable" and not "ToAsyncEnumerable"
                && !name.EndsWith("Observable", StringComparison.Ordinal)))
        {
            if (types.Carries(call.Type)) Report(Rules.Buffered, call, method.Name, Mapped(element));
        }
    }

    string Mapped(ITypeSymbol? element) => types.IsMessageView(element) ? $"one.{FieldOf(element!)}"
        : element is { Name: "Bytes" } ? "one.ToArray()" : "one.ToString()";

    /// <summary>A method that puts a view into a collection, a cache or a channel.</summary>
    void Put(IInvocationOperation call)
    {
        var method = call.TargetMethod;
        if (!adds.Contains(method.Name)) return;
        var receiver = call.Instance ?? (method.IsExtensionMethod ? call.Arguments[0].Value : null);
        if (receiver is null or IInstanceReferenceOperation || !IsCollection(receiver)) return;
        if (types.IsView(receiver.Type) || types.IsMessage(receiver.Type) || ViewTypes.IsWriter(receiver.Type)) return;
        foreach (var argument in call.Arguments)
        {
            var value = argument.Value;
            if (value == receiver) continue;
            // the elements are read now, and only they are stored
            if ((method.Name.EndsWith("Range", StringComparison.Ordinal) || method.Name == "UnionWith")
                && types.Element(Unconverted(value).Type) is { } element && !types.Carries(element)) continue;
            if (Unconverted(value) is IDelegateCreationOperation { Target: IAnonymousFunctionOperation lambda })
            {
                // a factory is called now, and its result is stored
                var isStored = argument.Parameter?.OriginalDefinition.Type is ITypeParameterSymbol;
                if (!isStored && !types.Carries(lambda.Symbol.ReturnType)) continue;
            }

            Store(Unconverted(receiver), value);
        }
    }

    /// <summary>What tests write: a call that a double returns each time, and a collection that gets the views of a method of the
    /// codec.</summary>
    void Doubles(IInvocationOperation call)
    {
        foreach (var argument in call.Arguments)
        {
            var value = Unconverted(argument.Value);
            if (call.TargetMethod.Name.StartsWith("Returns", StringComparison.Ordinal) && ViewTypes.IsCall(value.Type)
                && value is IInvocationOperation { TargetMethod.ContainingType.Name: "SlabTestCalls" })
                Report(Rules.SharedCall, value, Text(value));
            if (value is IDelegateCreationOperation { Target: IMethodReferenceOperation { Instance: { } collection } group }
                && group.Method is var method && adds.Contains(method.Name) && IsCollection(collection) && method.Parameters.Length == 1
                && types.IsView(method.Parameters[0].Type) && ViewTypes.IsOfCodec(call.TargetMethod))
                Report(Rules.Stored, value, "one", Text(collection), $"it is valid until '{Text(group)}' returns",
                    $"Write a lambda that copies what you need, as in 'one => {Text(group)}({Mapped(method.Parameters[0].Type)})'");
        }
    }

    static bool IsCollection(IOperation receiver)
    {
        var type = Unconverted(receiver).Type;
        if (type is IArrayTypeSymbol or { SpecialType: SpecialType.System_Collections_IEnumerable }) return true;
        if (type is null) return false;
        return type.AllInterfaces.Any(one => one.SpecialType == SpecialType.System_Collections_IEnumerable)
            || type.Name is "ChannelWriter" or "IMemoryCache" or "MemoryCache" or "TaskCompletionSource" or "ITargetBlock" or "ActionBlock" or "BufferBlock";
    }

    /// <summary>A call or a task that nobody waits for.</summary>
    void Discarded(IOperation value)
    {
        value = Unconverted(value);
        while (value is IInvocationOperation { Instance: { } instance } outer && !IsLater(outer) && IsTask(instance.Type))
            value = Unconverted(instance);

        var held = value switch
        {
            IInvocationOperation call when IsLater(call) => Flow(call),
            IInvocationOperation { TargetMethod.Name: "Start" or "UnsafeStart", Instance: IObjectCreationOperation made } => Flow(made),
            IInvocationOperation call when IsTask(call.Type) || call.TargetMethod is { IsAsync: true, ReturnsVoid: true } => OfTask(call),
            IObjectCreationOperation creation => IsLaterName(creation.Type) ? Flow(creation) : [],
            _ => [],
        };
        foreach (var one in held)
        {
            // a message that nobody disposes here may live as long as the task
            if (one.Owner.Life == Life.Message && !IsDisposedHere(one)) continue;
            Report(Rules.Captured, value, CapturedOf(one), Why(one), Copy(value, one.Owner.Life));
            return;
        }
    }

    static bool IsTask(ITypeSymbol? type) => type is { Name: "Task" or "ValueTask", ContainingNamespace: { Name: "Tasks", ContainingNamespace.Name: "Threading" } };

    /// <summary>An <c>out</c> argument is a part of what the method gets.</summary>
    void SetOut(IInvocationOperation call)
    {
        foreach (var argument in call.Arguments)
        {
            if (argument.Parameter?.RefKind != RefKind.Out) continue;
            var target = argument.Value is IDeclarationExpressionOperation declaration ? declaration.Expression : argument.Value;
            if (target is not ILocalReferenceOperation { Local: var local }) continue;
            if (types.IsMessage(local.Type)) Forget(local);
            if (local.Type.IsReferenceType && call.Instance is { } instance && ContainerOf(instance) is { } container)
                partOf[local] = container;
            state = state.With(local, types.Carries(local.Type) ? [.. Sources(call).Select(one => one.Within(null))] : []);
        }
    }

    static ISymbol? InputOf(IOperation value) => Unconverted(value) switch
    {
        ILocalReferenceOperation local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        IFieldReferenceOperation field => field.Field,
        IConversionOperation conversion => InputOf(conversion.Operand),
        IInvocationOperation { TargetMethod.Name: "AsMemory" or "AsSpan" or "Slice" } part =>
            InputOf(part.Instance ?? part.Arguments[0].Value),
        IObjectCreationOperation { Type.Name: "ReadOnlyMemory" or "Memory" or "ReadOnlySequence" } made when !made.Arguments.IsEmpty => InputOf(made.Arguments[0].Value),
        IPropertyReferenceOperation { Property.Name: "Span", Instance: { } instance } => InputOf(instance),
        _ => null,
    };

    void ChangeInputs(IInvocationOperation call)
    {
        if (state.Inputs.IsEmpty) return;
        var (name, type) = (call.TargetMethod.Name, call.TargetMethod.ContainingType.Name);
        if (call.Instance is { } span && ViewTypes.IsSpan(span.Type) && name is "Clear" or "Fill") ChangeInput(span, call);
        else if (type == "Array" && name is "Clear" or "Fill" or "Reverse") ChangeInput(call.Arguments[0].Value, call);
        else if (name == "Return" && type is "ArrayPool") ChangeInput(call.Arguments[0].Value, call);
        else if (name is "Read" or "ReadExactly" or "ReadAtLeast" or "ReadAsync" or "ReadExactlyAsync" or "ReadAtLeastAsync" or "NextBytes" or "CopyTo" or "TryCopyTo")
            foreach (var argument in call.Arguments) ChangeInput(argument.Value, call);
    }

    void ChangeInput(IOperation memory, IOperation at)
    {
        if (InputOf(memory) is { } input && state.Inputs.TryGetValue(input, out var owner)) End(owner, at, Rules.InputChanged);
    }

    /// <summary>Gets the call that sends a message and is not awaited where it is made.</summary>
    (ISymbol Message, IOperation Call)? FindPending(IOperation value)
    {
        value = Unconverted(value);
        while (value is IPropertyReferenceOperation { Property.Name: "ResponseAsync", Instance: { } instance }) value = Unconverted(instance);
        if (value is not IInvocationOperation call || !(ViewTypes.IsCall(call.Type) || (ViewTypes.IsWriter(call.Instance?.Type) && call.TargetMethod.Name == "WriteAsync")))
            return null;
        foreach (var argument in call.Arguments)
            if (types.IsMessage(argument.Value.Type) && RootOf(argument.Value) is { } owner) return (owner.Root, call);

        return null;
    }

    void CheckPending(Owner owner, IOperation at)
    {
        if (!state.Pending.TryGetValue(owner.Root, out var sent)) return;
        Report(Rules.Pending, at, owner.Root.Name, "changed", Line(sent.At));
        state = state.With(state.Pending.Remove(owner.Root));
    }

    void Awaited(IAwaitOperation awaited)
    {
        if (!state.Pending.IsEmpty) ForgetPending(awaited.Operation);
    }

    /// <summary>A call that is awaited, read or passed on has sent its message.</summary>
    void ForgetPending(IOperation operation)
    {
        if (state.Pending.IsEmpty) return;
        var isAll = operation is IInvocationOperation { TargetMethod.Name: "WhenAll" or "WhenAny" };
        if (isAll) state = state.With(state.Pending.Clear());
        foreach (var one in operation.DescendantsAndSelf())
        {
            if (one is ILocalReferenceOperation { Parent: not IPropertyReferenceOperation { Property.Name: "ResponseHeadersAsync" } } local)
                ForgetPending(local.Local);
        }
    }

    void ForgetPending(ISymbol call)
    {
        foreach (var one in state.Pending)
            if (AreSame(one.Value.Call, call)) state = state.With(state.Pending.Remove(one.Key));
    }
}

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace ProtoBench.Codec.Analyzers;

/// <summary>Translates calls of Google's classes that do not compile with a slab message. The error of the compiler does not say what to
/// write.</summary>
static class GoogleCalls
{
    // of Google's Timestamp and Duration
    static readonly string[] conversions = [".ToTimestamp()", ".ToDuration()"];

    /// <summary>Gets the call to write instead; null if it is not known.</summary>
    public static string? Translate(IOperation one, ViewTypes types) => one switch
    {
        ISimpleAssignmentOperation { Target: IInvalidOperation target, Value: var value } => Set(target, value.Syntax.ToString(), types),
        ICompoundAssignmentOperation { Target: IInvalidOperation target, Syntax: AssignmentExpressionSyntax syntax }
            => Set(target, $"{syntax.Left} {syntax.OperatorToken.Text.TrimEnd('=')} {syntax.Right}", types),
        IIncrementOrDecrementOperation { Target: IInvalidOperation target } change
            => Set(target, $"{target.Syntax} {(change.Kind == OperationKind.Increment ? '+' : '-')} 1", types),
        IBinaryOperation { OperatorKind: BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals } comparison => IsSet(comparison, types),
        IInvalidOperation { Syntax: InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax member } syntax } call
            => Call(call, member.Name.Identifier.Text, string.Join(", ", syntax.ArgumentList.Arguments), types),
        _ => null,
    };

    /// <summary>A comparison with null compiles, and has always the same result.</summary>
    static string? IsSet(IBinaryOperation comparison, ViewTypes types)
    {
        var (left, right) = (Inner(comparison.LeftOperand), Inner(comparison.RightOperand));
        var view = IsNull(right) ? left : IsNull(left) ? right : null;
        if (view is null || !types.IsMessageView(view.Type)) return null;
        var not = comparison.OperatorKind == BinaryOperatorKind.Equals ? "!" : "";
        return view is IPropertyReferenceOperation { Instance: { } instance } property && Has(instance, $"Has{property.Property.Name}")
            ? $"{not}{instance.Syntax}.Has{property.Property.Name}" : $"{not}{view.Syntax}.IsSet";
    }

    static bool IsNull(IOperation one) => one.ConstantValue is { HasValue: true, Value: null };

    static IOperation Inner(IOperation one) => one is IConversionOperation { Operand: var operand } ? Inner(operand) : one;

    static string? Set(IInvalidOperation target, string value, ViewTypes types)
    {
        if (target.ChildOperations is not { Count: 1 } children
            || children.First() is not IPropertyReferenceOperation { Instance: { } instance } property
            || !types.IsMessageView(instance.Type)) return null;
        var (view, name) = (instance.Syntax.ToString(), property.Property.Name);
        if (Has(instance, $"Mutable{name}"))
        {
            if (value.StartsWith("new ", StringComparison.Ordinal) || value.StartsWith("new(", StringComparison.Ordinal))
                return $"{view}.Mutable{name}().Fill(one => ...)";
            foreach (var conversion in conversions)
                if (value.EndsWith(conversion, StringComparison.Ordinal))
                    return $"{view}.Mutable{name}().Set({value.Substring(0, value.Length - conversion.Length)})";
        }

        if (value == "null" && Has(instance, $"Clear{name}")) return $"{view}.Clear{name}()";
        return Has(instance, $"Set{name}") ? $"{view}.Set{name}({value})" : null;
    }

    static string? Call(IInvalidOperation call, string method, string arguments, ViewTypes types)
    {
        if (call.ChildOperations.FirstOrDefault() is not { } receiver) return null;
        if (types.IsMessageView(receiver.Type))
        {
            var rent = $"using var message = {receiver.Type!.Name}.Rent();";
            return method switch
            {
                "WriteTo" or "CalculateSize" or "WriteDelimitedTo" => $"message.{method}({arguments})' with the message of '{rent}",
                "Clone" => $"copy.CopyFrom({receiver.Syntax})' with '{rent} var copy = message.Value;",
                _ => null,
            };
        }

        if (receiver is not IPropertyReferenceOperation { Instance: { } instance } list || !types.IsMessageView(instance.Type)) return null;
        var (view, name) = (instance.Syntax.ToString(), list.Property.Name);
        var member = method switch
        {
            "Add" or "AddRange" => Has(instance, $"Add{name}") ? $"Add{name}" : $"Set{name}",
            "Clear" => $"Clear{name}",
            "RemoveAt" => $"Remove{name}At",
            "Remove" => $"Remove{name}",
            "TryGetValue" => $"TryGet{name}",
            "ContainsKey" => $"TryGet{name}",
            _ => "",
        };
        if (!Has(instance, member)) return null;
        if (member == $"Add{name}")
        {
            if (arguments.StartsWith("Any.Pack(", StringComparison.Ordinal)) return $"{view}.{member}().Pack(...)";
            if (arguments.Contains("new ") && list.Type is { Name: "MessageList" }) return $"{view}.{member}().Fill(one => ...)";
            if (method == "AddRange" && !ViewTypes.IsSpan(list.Type)) return $"foreach (var one in {arguments}) {view}.{member}(one);";
        }

        return $"{view}.{member}({arguments}{(method == "ContainsKey" ? ", out _" : "")})";
    }

    static bool Has(IOperation view, string method) => method.Length > 0 && !view.Type!.GetMembers(method).IsEmpty;
}

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace ProtoBench.Codec.Analyzers;

/// <summary>Reports an interceptor that tests for Google's <c>IMessage</c> and never for <c>GrpcMessage</c>.</summary>
static class InterceptorRule
{
    public static void Register(SymbolStartAnalysisContext context, ViewTypes types)
    {
        if (!IsInterceptor((INamedTypeSymbol)context.Symbol, types)) return;
        var gate = new object();
        var found = new List<IOperation>();
        var isTested = false;
        context.RegisterOperationAction(one =>
        {
            var (value, type) = one.Operation switch
            {
                IIsTypeOperation test => (test.ValueOperand, test.TypeOperand),
                IConversionOperation cast => (cast.Operand, cast.Type),
                IDeclarationPatternOperation pattern => (null, pattern.MatchedType),
                IRecursivePatternOperation pattern => (null, pattern.MatchedType),
                ITypePatternOperation pattern => (null, pattern.MatchedType),
                _ => (null, null),
            };
            lock (gate)
            {
                isTested |= type is not null && ViewTypes.IsGrpc(type, "GrpcMessage");
                var isOpen = value?.Type is null or ITypeParameterSymbol or { SpecialType: SpecialType.System_Object };
                if (isOpen && SymbolEqualityComparer.Default.Equals(type, types.GoogleMessage))
                    found.Add(one.Operation);
            }
        }, OperationKind.IsType, OperationKind.Conversion, OperationKind.DeclarationPattern, OperationKind.RecursivePattern,
            OperationKind.TypePattern);
        context.RegisterSymbolEndAction(end =>
        {
            if (isTested) return;
            foreach (var one in found)
            {
                var test = one.Parent is IIsPatternOperation pattern ? pattern : one;
                end.ReportDiagnostic(Diagnostic.Create(Rules.NoGoogleMessage, test.Syntax.GetLocation(), BodyWalk.Text(test)));
            }
        });
    }

    static bool IsInterceptor(INamedTypeSymbol type, ViewTypes types)
    {
        for (var one = type.BaseType; one is not null; one = one.BaseType)
            if (SymbolEqualityComparer.Default.Equals(one, types.Interceptor)) return true;

        return false;
    }
}

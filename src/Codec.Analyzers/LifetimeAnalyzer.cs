using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace ProtoBench.Codec.Analyzers;

/// <summary>Reports views of slab messages that are kept longer than they are valid.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class LifetimeAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
    [
        Rules.Stored, Rules.Captured, Rules.Returned, Rules.Ended, Rules.Buffered, Rules.InputChanged, Rules.OldList, Rules.Threads,
        Rules.Pending, Rules.SharedCall, Rules.NoGoogleMessage, Rules.NoMemory, Rules.GoogleCall,
    ];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        if (context is null) throw new ArgumentNullException(nameof(context));
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(start =>
        {
            if (ViewTypes.Of(start.Compilation) is not { } types) return;
            start.RegisterOperationBlockAction(block => Analyze(block, types));
            if (types is { Interceptor: not null, GoogleMessage: not null })
                start.RegisterSymbolStartAction(type => InterceptorRule.Register(type, types), SymbolKind.NamedType);
        });
    }

    static void Analyze(OperationBlockAnalysisContext context, ViewTypes types)
    {
        foreach (var block in context.OperationBlocks)
        {
            if (!UsesViews(block, types)) continue;
            try
            {
                new BodyWalk(types, context.OwningSymbol, context.ReportDiagnostic).Run(block);
            }
            catch (InsufficientExecutionStackException)
            {
                // an expression of thousands of terms: the rest of the method is not looked at, and the compiler goes on
            }
        }
    }

    /// <summary>Most methods have no view and no call in them, and are not walked.</summary>
    static bool UsesViews(IOperation block, ViewTypes types)
    {
        foreach (var one in block.Descendants())
            if (one is ILocalReferenceOperation or IParameterReferenceOperation or IInvocationOperation or IPropertyReferenceOperation
                    or IObjectCreationOperation or IFieldReferenceOperation
                && (types.IsMessage(one.Type) || ViewTypes.IsCall(one.Type) || types.Carries(one.Type))) return true;

        return false;
    }
}

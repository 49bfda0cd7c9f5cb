using System.Collections.Concurrent;
using Microsoft.CodeAnalysis;

namespace ProtoBench.Codec.Analyzers;

/// <summary>The types of the packages that a compilation uses, and which types can hold a view.</summary>
sealed class ViewTypes
{
    const int maxDepth = 4;

    static readonly HashSet<string> calls =
    [
        "SlabUnaryCall", "SlabClientStreamingCall", "SlabServerStreamingCall", "SlabDuplexStreamingCall",
    ];

    readonly INamedTypeSymbol message;
    readonly INamedTypeSymbol? slabMessage;
    readonly INamedTypeSymbol? element;
    readonly INamedTypeSymbol? streamReader;
    readonly INamedTypeSymbol? anyAsync;
    readonly INamedTypeSymbol? any;
    readonly ConcurrentDictionary<ITypeSymbol, bool> known = new(SymbolEqualityComparer.Default);

    ViewTypes(INamedTypeSymbol message, Compilation compilation)
    {
        this.message = message;
        slabMessage = compilation.GetTypeByMetadataName("ProtoBench.Codec.ISlabMessage`1");
        element = compilation.GetTypeByMetadataName("ProtoBench.Codec.Runtime.IListElement`1");
        streamReader = compilation.GetTypeByMetadataName("Grpc.Core.IAsyncStreamReader`1");
        anyAsync = compilation.GetTypeByMetadataName("System.Collections.Generic.IAsyncEnumerable`1");
        any = compilation.GetTypeByMetadataName("System.Collections.Generic.IEnumerable`1");
        Interceptor = compilation.GetTypeByMetadataName("Grpc.Core.Interceptors.Interceptor");
        GoogleMessage = compilation.GetTypeByMetadataName("Google.Protobuf.IMessage");
        CallContext = compilation.GetTypeByMetadataName("Grpc.Core.ServerCallContext");
        HttpContext = compilation.GetTypeByMetadataName("Microsoft.AspNetCore.Http.HttpContext");
    }

    public INamedTypeSymbol? Interceptor { get; }

    public INamedTypeSymbol? GoogleMessage { get; }

    public INamedTypeSymbol? CallContext { get; }

    public INamedTypeSymbol? HttpContext { get; }

    /// <summary>Gets null if the compilation does not use the codec, or is the codec.</summary>
    public static ViewTypes? Of(Compilation compilation)
    {
        var message = compilation.GetTypeByMetadataName("ProtoBench.Codec.Message`1");
        return message is null || SymbolEqualityComparer.Default.Equals(message.ContainingAssembly, compilation.Assembly)
            ? null : new(message, compilation);
    }

    public static bool IsGrpc(ITypeSymbol? type, string name) =>
        type is INamedTypeSymbol { ContainingNamespace: { Name: "Grpc", ContainingNamespace: { Name: "Codec" } outer } }
        && IsCodec(outer) && type.Name == name;

    public static bool IsCall(ITypeSymbol? type) => type is not null && calls.Contains(type.Name) && IsGrpc(type, type.Name);

    /// <summary>Determines whether a type is a span or memory, which refers to a message if it came from a view.</summary>
    public static bool IsSpan(ITypeSymbol? type) =>
        type is INamedTypeSymbol { IsGenericType: true, ContainingNamespace.Name: "System" or "Buffers" }
        && type.Name is "Span" or "ReadOnlySpan" or "Memory" or "ReadOnlyMemory" or "ReadOnlySequence";

    public bool IsMessage(ITypeSymbol? type) => Is(type, message);

    public static bool IsWriter(ITypeSymbol? type) => IsGrpc(type, "SlabStreamWriter") || IsGrpc(type, "SlabClientStreamWriter");

    /// <summary>Determines whether a type is a reader of a stream of views.</summary>
    public bool IsReader(ITypeSymbol? type) =>
        IsGrpc(type, "SlabStreamReader") || (Is(type, streamReader) && IsView(((INamedTypeSymbol)type!).TypeArguments[0]));

    /// <summary>Gets the elements of a stream that is read by <c>await foreach</c>; null for another type.</summary>
    public ITypeSymbol? StreamElement(ITypeSymbol? type) => Argument(type, anyAsync);

    public ITypeSymbol? Element(ITypeSymbol? type) => type is IArrayTypeSymbol array ? array.ElementType : Argument(type, any);

    public bool IsMessageView(ITypeSymbol? type) => type is { IsValueType: true } && slabMessage is not null
        && type.AllInterfaces.Any(one => Is(one, slabMessage));

    /// <summary>Determines whether a type is a view: a message, a part of one, a text, bytes or a list.</summary>
    public bool IsView(ITypeSymbol? type) => type switch
    {
        ITypeParameterSymbol parameter => parameter.ConstraintTypes.Any(one => Is(one, slabMessage) || Is(one, element)
            || one.AllInterfaces.Any(other => Is(other, slabMessage))),
        INamedTypeSymbol { IsValueType: true } named => (IsCodec(named.ContainingNamespace)
                && named.Name is "Utf8String" or "Bytes" or "MessageList" or "Utf8StringList" or "BytesList")
            || named.AllInterfaces.Any(one => Is(one, element)),
        _ => false,
    };

    /// <summary>Determines whether a value of a type can hold a view: a view, a collection, a tuple, a task, or a class with such a
    /// field.</summary>
    public bool Carries(ITypeSymbol? type)
    {
        if (type is null || type.SpecialType is not SpecialType.None and not SpecialType.System_Nullable_T) return false;
        if (known.TryGetValue(type, out var carries)) return carries;
        return known[type] = Carries(type, maxDepth);
    }

    bool Carries(ITypeSymbol type, int depth)
    {
        if (IsView(type)) return true;
        if (depth == 0) return false;
        if (type is IArrayTypeSymbol array) return Carries(array.ElementType, depth - 1);
        if (type is not INamedTypeSymbol { TypeKind: TypeKind.Class or TypeKind.Struct or TypeKind.Interface } named) return false;
        if (IsMessage(named) || IsInCodec(named)) return false;
        if (named.IsTupleType || named.IsAnonymousType)
            return named.GetMembers().Any(one => one is IFieldSymbol { IsStatic: false } field ? Carries(field.Type, depth - 1)
                : one is IPropertySymbol { IsStatic: false } property && Carries(property.Type, depth - 1));
        if (named.IsGenericType && IsHolder(named) && named.TypeArguments.Any(one => Carries(one, depth - 1))) return true;
        return named.Locations.Any(place => place.IsInSource)
            && named.GetMembers().Any(one => one is IFieldSymbol { IsStatic: false } field && Carries(field.Type, depth - 1));
    }

    /// <summary>Determines whether a generic type holds values of its type arguments, unlike a comparer, a delegate or a logger.</summary>
    bool IsHolder(INamedTypeSymbol type) => type.SpecialType == SpecialType.System_Collections_IEnumerable
        || type.Name is "Task" or "ValueTask" or "KeyValuePair" or "Tuple" or "Lazy" or "Nullable" or "IGrouping" or "WeakReference"
            or "ConfiguredCancelableAsyncEnumerable" or "ConfiguredValueTaskAwaitable" or "ConfiguredTaskAwaitable" or "TaskCompletionSource"
        || Is(type, any) || Is(type, anyAsync) || type.AllInterfaces.Any(one => Is(one, any) || Is(one, anyAsync));

    static ITypeSymbol? Argument(ITypeSymbol? type, INamedTypeSymbol? definition)
    {
        if (type is INamedTypeSymbol named && (Is(named, definition) || named.Name == "ConfiguredCancelableAsyncEnumerable"))
            return named.TypeArguments.FirstOrDefault();
        return type?.AllInterfaces.FirstOrDefault(one => Is(one, definition))?.TypeArguments[0];
    }

    static bool IsInCodec(INamedTypeSymbol type)
    {
        for (var space = type.ContainingNamespace; space is { IsGlobalNamespace: false }; space = space.ContainingNamespace)
            if (IsCodec(space)) return type.ContainingAssembly?.Name.StartsWith("ProtoBench.Codec", StringComparison.Ordinal) == true;

        return false;
    }

    public static bool IsOfCodec(IMethodSymbol method) => IsInCodec(method.ContainingType);

    static bool IsCodec(INamespaceSymbol? space) =>
        space is { Name: "Codec", ContainingNamespace: { Name: "ProtoBench", ContainingNamespace.IsGlobalNamespace: true } };

    static bool Is(ITypeSymbol? type, INamedTypeSymbol? definition) =>
        definition is not null && SymbolEqualityComparer.Default.Equals(type?.OriginalDefinition, definition);
}

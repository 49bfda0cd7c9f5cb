using ProtoBench.GrpcHost.Hive;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Runs;

/// <summary>A variant under load: a transport, a codec, and how the codec recycles message objects.</summary>
sealed record Variant(RpcTransport Stack, string Codec, string Root)
{
    /// <summary>The row's name in results and comparisons. The default root is left out.</summary>
    public string Name => $"{Stack.Name}-{Codec}{(Root == HiveCodecs.Roots[0] ? "" : "-" + Root)}";

    /// <summary>Every codec on every transport that carries it, with each root if the codec recycles roots.</summary>
    public static IReadOnlyList<Variant> Product(IEnumerable<RpcTransport> stacks, IReadOnlyList<string> codecs,
        IReadOnlyList<string> roots) =>
    [
        .. from stack in stacks
           from codec in codecs.Where(stack.Carries)
           from root in HiveCodecs.HasRoots(codec) ? roots : [HiveCodecs.Roots[0]]
           select new Variant(stack, codec, root),
    ];

    /// <summary>The combinations that <see cref="Product"/> leaves out, a sentence for each transport.</summary>
    public static IEnumerable<string> NotPossible(IEnumerable<RpcTransport> stacks, IReadOnlyList<string> codecs) =>
        from stack in stacks
        let others = codecs.Where(codec => !stack.Carries(codec)).ToList()
        where others.Count > 0
        select $"{stack.Name} with {string.Join(", ", others)}: that transport carries only {string.Join(", ", stack.OnlyCodecs!)}";
}

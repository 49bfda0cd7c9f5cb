using ProtoBench.GrpcHost.Hive;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Runs;

/// <summary>One thing under load: a stack, a codec, and how its roots are recycled.</summary>
sealed record Variant(RpcTransport Stack, string Codec, string Root)
{
    /// <summary>The row's name in results and comparisons. The usual root goes without saying.</summary>
    public string Name => $"{Stack.Name}-{Codec}{(Root == HiveCodecs.Roots[0] ? "" : "-" + Root)}";

    /// <summary>Every codec on every stack that carries it; with each root where roots make a difference.</summary>
    public static IReadOnlyList<Variant> Product(IEnumerable<RpcTransport> stacks, IReadOnlyList<string> codecs, IReadOnlyList<string> roots) =>
    [
        .. from stack in stacks
           from codec in codecs.Where(stack.Carries)
           from root in HiveCodecs.HasRoots(codec) ? roots : [HiveCodecs.Roots[0]]
           select new Variant(stack, codec, root),
    ];

    /// <summary>What <see cref="Product"/> leaves out, a sentence for each stack.</summary>
    public static IEnumerable<string> NotPossible(IEnumerable<RpcTransport> stacks, IReadOnlyList<string> codecs) =>
        from stack in stacks
        let others = codecs.Where(codec => !stack.Carries(codec)).ToList()
        where others.Count > 0
        select $"{stack.Name} with {string.Join(", ", others)}: that transport carries only {string.Join(" and ", stack.OnlyCodecs!)}";
}

using Grpc.Core;

namespace ProtoBench.GrpcHost;

/// <summary>Binds every thread of this process to some processors until it is disposed.</summary>
sealed class CoreLimit(int[] before, int count) : IDisposable
{
    const string threads = "/proc/self/task";

    public int Count => count;

    /// <summary>Creates the limit that a driver requests; null for none.</summary>
    /// <exception cref="RpcException">INVALID_ARGUMENT when this machine does not have them, or does not run Linux.</exception>
    public static CoreLimit? Of(int limit, IReadOnlyCollection<int> list)
    {
        if (limit == 0 && list.Count == 0)
            return null;
        if (!OperatingSystem.IsLinux())
            throw Invalid.Argument("core_limit and core_list need Linux");
        var allowed = Affinity.OfThisThread();
        if (limit < 0 || limit > (list.Count > 0 ? list.Count : allowed.Length) || list.Except(allowed).Any())
            throw Invalid.Argument($"core_limit {limit}, core_list [{string.Join(", ", list)}]: this process may use the processors "
                + string.Join(", ", allowed));
        var chosen = (list.Count > 0 ? list.Distinct() : allowed).Take(limit == 0 ? int.MaxValue : limit).ToArray();
        var bound = new CoreLimit(allowed, chosen.Length);
        Bind(chosen);
        return bound;
    }

    public void Dispose() => Bind(before);

    /// <summary>A new thread inherits the processors of its creator, so threads are listed again until there are no new ones.</summary>
    static void Bind(int[] processors)
    {
        HashSet<int> bound = [];
        bool more;
        do
        {
            more = false;
            foreach (var name in Directory.EnumerateDirectories(threads).Select(Path.GetFileName))
            {
                var thread = int.Parse(name!);
                if (bound.Add(thread))
                {
                    _ = Affinity.TryBind(thread, processors); // fails for a thread that has ended
                    more = true;
                }
            }
        }
        while (more);
    }
}

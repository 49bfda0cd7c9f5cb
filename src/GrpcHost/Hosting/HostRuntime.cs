namespace ProtoBench.GrpcHost.Hosting;

/// <summary>The runtime settings of a host process.</summary>
/// <param name="Gc">The mode of the garbage collector.</param>
/// <param name="Processors">How many processors the process may use.</param>
sealed record HostRuntime(GcMode Gc, int Processors)
{
    /// <summary>The name in a table: <c>server, 2 cores</c>.</summary>
    public override string ToString() => $"{Gc.Name}, {Processors} core{(Processors == 1 ? "" : "s")}";
}

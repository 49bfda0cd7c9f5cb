using System.Reflection;
using System.Runtime.InteropServices;
using ProtoBench.DuetRunner;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost;

static class HostProcess
{
    public static ProcessFacts Facts { get; } = new()
    {
        Runtime = RuntimeInformation.FrameworkDescription,
        GcMode = ThisProcess.GcMode(),
        TieredJit = ThisProcess.TieredJit(),
        Cpu = ThisProcess.Cpu(),
        Cores = Environment.ProcessorCount,
        Os = RuntimeInformation.OSDescription,
        Architecture = RuntimeInformation.ProcessArchitecture.ToString(),
        Machine = Environment.MachineName,
    };

    public static IReadOnlyDictionary<string, string> PackageVersions =>
        AppDomain.CurrentDomain.GetAssemblies().Append(typeof(Google.Protobuf.IMessage).Assembly)
            .Where(assembly =>
                assembly.GetName().Name is "Google.Protobuf" or "protobuf-net" or "protobuf-net.Core" or "protobuf-net.Grpc"
                    or "Grpc.Core.Api" or "Grpc.Net.Client" or "Grpc.AspNetCore.Server" or "ProtoBench.Codec")
            .DistinctBy(assembly => assembly.GetName().Name)
            .ToDictionary(assembly => assembly.GetName().Name!, VersionOf);

    static string VersionOf(Assembly assembly) =>
        (assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion
        ?? assembly.GetName().Version?.ToString() ?? "?").Split('+')[0];
}

namespace ProtoBench.Duet;

/// <summary>The program that runs .NET programs here.</summary>
static class DotnetHost
{
    /// <summary>The dotnet that runs this program, or the one beside the runtime that does.</summary>
    public static string Program { get; } = Find();

    static string Find()
    {
        if (Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet")
            return Environment.ProcessPath!;

        // <dotnet>/shared/Microsoft.NETCore.App/<version>/System.Private.CoreLib.dll
        var runtime = Path.GetDirectoryName(typeof(object).Assembly.Location);
        var host = runtime is null
            ? null : Path.GetFullPath(Path.Combine(runtime, "..", "..", "..", OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet"));
        return File.Exists(host) ? host : "dotnet";
    }
}

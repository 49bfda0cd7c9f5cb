namespace ProtoBench;

/// <summary>The folder that holds ProtoBench.sln, found from where the program was built.</summary>
static class Checkout
{
    /// <summary>The folder's full path; null where the program was copied elsewhere.</summary>
    public static string? Root { get; } = Find();

    /// <summary>Where BenchmarkDotNet has to build the project, it looks for it from the current folder on: go where it is.</summary>
    public static void Enter()
    {
        if (Root is not null
            && !(Directory.GetCurrentDirectory() + Path.DirectorySeparatorChar).StartsWith(Root + Path.DirectorySeparatorChar,
                StringComparison.Ordinal))
            Directory.SetCurrentDirectory(Root);
    }

    static string? Find()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "ProtoBench.sln")))
                return folder.FullName;
        }

        return null;
    }
}

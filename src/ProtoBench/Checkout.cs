namespace ProtoBench;

/// <summary>The folder that holds ProtoBench.sln, found from where the program was built.</summary>
static class Checkout
{
    /// <summary>The folder's full path; null where the program was copied elsewhere.</summary>
    public static string? Root { get; } = Find();

    /// <summary>BenchmarkDotNet looks for the project from the current folder on, and every cell fails where it finds none: go where it is.</summary>
    public static void Enter()
    {
        if (Root is null || (Directory.GetCurrentDirectory() + Path.DirectorySeparatorChar).StartsWith(Root + Path.DirectorySeparatorChar, StringComparison.Ordinal))
            return;
        Directory.SetCurrentDirectory(Root);
        Console.WriteLine("// Started outside the checkout; results go to its BenchmarkDotNet.Artifacts");
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

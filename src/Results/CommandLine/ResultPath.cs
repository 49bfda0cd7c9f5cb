namespace ProtoBench;

/// <summary>Tries the files that a run will write before it measures, and says in one line which one cannot be written later.</summary>
public static class ResultPath
{
    // where no space is left, a file can still be created, and a few bytes may have their place
    static readonly byte[] trial = new byte[64 << 10];

    /// <param name="option">The option that names the file, such as --out; null if it is not known.</param>
    /// <exception cref="UsageException">Thrown when the file cannot be written.</exception>
    public static void Check(string path, string? option = "--out")
    {
        if (Directory.Exists(path))
            throw new UsageException($"{Start(option)}{path} is a folder");
        if (File.Exists(path))
            Try(path, option, () => File.Open(path, FileMode.Open, FileAccess.Write).Dispose());
        else
            Try(path, option, () => WriteTrial(path));
    }

    /// <param name="option">The option that names the folder, or what it is for.</param>
    /// <exception cref="UsageException">Thrown when no file can be written there.</exception>
    public static void CheckFolder(string folder, string option) =>
        Try(folder, option, () => WriteTrial(Path.Combine(folder, $".trial-{Guid.NewGuid():N}")));

    /// <summary>Writes what was measured, after it was printed. The folder is created.</summary>
    /// <exception cref="UsageException">Thrown when the file cannot be written. A new file that is incomplete is deleted.</exception>
    public static void Write(string path, Action write)
    {
        var existed = File.Exists(path);
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
            write();
        }
        catch (Exception e) when (IsUnwritable(e))
        {
            if (!existed)
                Delete(path);
            throw new UsageException($"cannot write {path}: {e.Message.ReplaceLineEndings(" ")}; what was measured is above, and is not saved", e);
        }
    }

    public static bool IsUnwritable(Exception e) => e is IOException or UnauthorizedAccessException;

    static string Start(string? option) => option is null ? "" : $"{option}: ";

    static void Try(string path, string? option, Action write)
    {
        try
        {
            write();
        }
        catch (Exception e) when (IsUnwritable(e) || e is ArgumentException or NotSupportedException)
        {
            throw new UsageException($"{Start(option)}cannot write {path}: {e.Message.ReplaceLineEndings(" ")}", e);
        }
    }

    static void WriteTrial(string path)
    {
        var folder = new DirectoryInfo(Path.GetDirectoryName(Path.GetFullPath(path))!);
        var missing = folder.Exists ? null : folder;
        while (missing?.Parent is { Exists: false } parent)
            missing = parent;
        folder.Create();
        try
        {
            File.WriteAllBytes(path, trial);
        }
        finally
        {
            Delete(path);
            missing?.Delete(recursive: true);
        }
    }

    /// <summary>Deletes a file that is not complete, if that is possible.</summary>
    public static void Delete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception e) when (IsUnwritable(e))
        {
        }
    }
}

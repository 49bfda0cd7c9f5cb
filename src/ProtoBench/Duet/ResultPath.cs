using ProtoBench.Results;

namespace ProtoBench.Duet;

/// <summary>The file that a measurement is to leave.</summary>
static class ResultPath
{
    /// <summary>Makes sure before the measurement that the file can be written after it.</summary>
    /// <exception cref="UsageException">It cannot.</exception>
    public static void Check(string path)
    {
        try
        {
            if (Directory.Exists(path))
                throw new UsageException($"--out: {path} is a folder");
            if (Path.GetDirectoryName(Path.GetFullPath(path)) is { } folder)
                Directory.CreateDirectory(folder);
            var existed = File.Exists(path);
            using (File.Open(path, FileMode.OpenOrCreate, FileAccess.Write))
            {
            }

            if (!existed)
                File.Delete(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new UsageException($"--out: cannot write {path}: {e.Message}", e);
        }
    }
}

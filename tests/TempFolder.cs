namespace ProtoBench.Testing;

/// <summary>A folder that is deleted with all that is in it when it is disposed.</summary>
sealed class TempFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("protobench-").FullName;

    public string File(string name) => System.IO.Path.Combine(Path, name);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}

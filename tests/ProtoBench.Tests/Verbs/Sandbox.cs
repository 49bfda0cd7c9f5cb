using System.CommandLine;

namespace ProtoBench.Tests;

sealed class Sandbox : IDisposable
{
    public string Folder { get; } = Directory.CreateTempSubdirectory("verbs-").FullName;

    public void Dispose() => Directory.Delete(Folder, recursive: true);

    public static (int Exit, string Output, string Error) Run(Command verb, params string[] arguments)
    {
        using var output = new StringWriter { NewLine = "\n" };
        using var error = new StringWriter { NewLine = "\n" };
        var parsed = new RootCommand { verb }.Parse([verb.Name, .. arguments]);
        var exit = CommandRunner.RunAsync(parsed, output: new() { Output = output, Error = error }).GetAwaiter().GetResult();
        return (parsed.Errors.Count > 0 ? 2 : exit, output.ToString(), error.ToString());
    }

    public string Put(string name, params (string Method, double Nanoseconds)[] cells)
    {
        var path = Path.Combine(Folder, name);
        File.WriteAllText(path, Json(cells));
        return path;
    }

    static string Json(params (string Method, double Nanoseconds)[] cells) =>
        "{ \"Benchmarks\": [" + string.Join(',', cells.Select(cell => $$"""{ "Type": "Cells", "Method": "{{cell.Method}}", "FullName": "Cells.{{cell.Method}}", "Statistics": { "OriginalValues": [{{cell.Nanoseconds}}] } }""")) + "] }";
}

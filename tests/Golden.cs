using System.Runtime.CompilerServices;

namespace ProtoBench.Testing;

/// <summary>Compares text with a file that is committed beside the test.</summary>
static class Golden
{
    /// <summary>The root of the checkout, found from where this file was compiled.</summary>
    public static string Root { get; } = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(ThisFile())!, ".."));

    /// <summary>Compares with the file <paramref name="name"/> in the test's own folder, and leaves what it saw in <c>name.got</c>: read
    /// it, and rename it if it is right. With PROTOBENCH_ACCEPT=1 it writes the file itself, and passes.</summary>
    public static void Check(string name, string actual, [CallerFilePath] string test = "")
    {
        var path = Path.Combine(Path.GetDirectoryName(test)!, name);
        var expected = File.Exists(path) ? File.ReadAllText(path).ReplaceLineEndings("\n") : "";
        actual = actual.ReplaceLineEndings("\n");
        if (actual == expected)
        {
            File.Delete(path + ".got");
            return;
        }

        if (Environment.GetEnvironmentVariable("PROTOBENCH_ACCEPT") == "1")
        {
            File.WriteAllText(path, actual);
            File.Delete(path + ".got");
            return;
        }

        File.WriteAllText(path + ".got", actual);
        var line = expected.Split('\n').Zip(actual.Split('\n')).TakeWhile(pair => pair.First == pair.Second).Count();
        Assert.Fail($"{name} differs from line {line + 1} on; what the test saw is in {name}.got, and PROTOBENCH_ACCEPT=1 accepts it");
    }

    static string ThisFile([CallerFilePath] string path = "") => path;
}

namespace ProtoBench.Testing;

/// <summary>Starts scripts of tests/python. Where Python or a package is absent a test is skipped and says so.</summary>
static class Python
{
    static readonly string folder = Path.Combine(Golden.Root, "tests", "python");

    // Debian's packages are those of Debian's interpreter, which another one may hide
    static readonly Lazy<Task<string?>> interpreter = new(async () =>
    {
        foreach (var program in (string[])["python3", "/usr/bin/python3", "python"])
        {
            try
            {
                await using var import = new ScriptProcess(program, "-c", "import grpc, google.protobuf");
                if ((await import.EndAsync(TimeSpan.FromMinutes(5))).ExitCode == 0)
                    return program;
            }
            catch (System.ComponentModel.Win32Exception)
            {
                // there is no such interpreter: the next one
            }
        }

        return null;
    });

    public static async Task<ScriptProcess> StartAsync(string script, params string[] arguments)
    {
        var program = await interpreter.Value;
        Assert.SkipWhen(program is null, "needs Python with grpcio and protobuf as a peer: install them (Debian: apt-get install "
            + "python3-grpcio python3-protobuf; others: pip install grpcio protobuf)");
        return new(program!, ["-B", "-u", Path.Combine(folder, script), .. arguments]);
    }
}

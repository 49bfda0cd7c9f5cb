using ProtoBench.Codec.Generator.Build;

if (args.Length != 1)
{
    await Console.Error.WriteLineAsync("usage: dotnet protoc-gen-slab.dll <file of arguments>");
    return 2;
}

try
{
    var errors = await Generation.RunAsync(Arguments.Read(await File.ReadAllLinesAsync(args[0])));
    foreach (var error in errors) await Console.Error.WriteLineAsync(error);
    return errors.Count == 0 ? 0 : 1;
}
catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException or System.ComponentModel.Win32Exception)
{
    await Console.Error.WriteLineAsync($"protoc-gen-slab: error SLAB000: {e.Message}");
    return 1;
}

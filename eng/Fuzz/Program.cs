using ProtoBench.Fuzz;
using SharpFuzz;

// Usage: ProtoBench.Fuzz instrument FOLDER          changes the libraries of a copy of this program
//        ProtoBench.Fuzz TARGET                     runs under afl-fuzz, or once, with the standard input
//        ProtoBench.Fuzz TARGET FILE_OR_FOLDER...   runs each of the files, and says what went wrong
Dictionary<string, Action<byte[]>> targets = new()
{
    ["parse"] = ParseTarget.Run,
    ["generator"] = GeneratorTarget.Run,
    ["http2"] = Http2Target.Run,
    ["json"] = JsonTarget.Run,
    ["data"] = DataTarget.Run,
};

if (args is ["instrument", var folder])
{
    foreach (var (library, prefixes) in new[]
    {
        ("ProtoBench.Allocators", ""), ("ProtoBench.Codec", ""), ("ProtoBench.Conformance", "Slab."), ("ProtoBench.Messages", "ProtoBench.SlabProtobuf."),
        ("protoc-gen-slab", ""), ("ProtoBench.Fuzz", "ProtoBench.Fuzz.GeneratorTarget"), ("GrpcHost", "ProtoBench.GrpcHost.H"),
        ("ProtoBench.Schemas", "ProtoBench.Schemas.Json|ProtoBench.Schemas.Data"),
    })
    {
        var types = Fuzzer.Instrument(Path.Combine(folder, library + ".dll"),
            type => prefixes.Split('|').Any(prefix => type.StartsWith(prefix, StringComparison.Ordinal)), Options.Value);
        Console.WriteLine($"{library}: {types.Count()} types");
    }

    return 0;
}

if (args.Length == 0 || !targets.TryGetValue(args[0], out var target))
{
    Console.Error.WriteLine($"usage: ProtoBench.Fuzz {string.Join('|', targets.Keys)} [FILE_OR_FOLDER...]");
    return 2;
}

if (args.Length == 1)
{
    Fuzzer.Run(stream =>
    {
        using var input = new MemoryStream();
        stream.CopyTo(input);
        target(input.ToArray());
    });
    return 0;
}

var (ran, failed) = (0, 0);
foreach (var path in args[1..].SelectMany(Files))
{
    var input = File.ReadAllBytes(path);
    ran++;
    try
    {
        target(input);
    }
#pragma warning disable CA1031 // whatever it is, it is said
    catch (Exception e)
#pragma warning restore CA1031
    {
        failed++;
        Console.WriteLine($"{path}: {Convert.ToHexString(input.AsSpan(0, Math.Min(input.Length, 4096)))}\n{e}");
    }
}

Console.WriteLine($"{args[0]}: {ran} inputs, {failed} findings");
return failed == 0 ? 0 : 1;

static IEnumerable<string> Files(string path) => Directory.Exists(path) ? Directory.GetFiles(path).Order(StringComparer.Ordinal) : [path];

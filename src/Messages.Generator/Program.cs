using ProtoBench.Codec.Generator;
using ProtoBench.Codec.Generator.Build;
using ProtoBench.Codec.Generator.Model;
using ProtoBench.Messages.Generator;

if (args.Length < 2)
{
    await Console.Error.WriteLineAsync("usage: <folder of protoc-gen-slab> <output folder> <message or package>=<type or namespace>=<namespace of FlatBuffers' code>...");
    return 2;
}

// what the slab codec's generator has read: its arguments and protoc's descriptors
var (slab, output) = (args[0], args[1]);
var arguments = Arguments.Read(await File.ReadAllLinesAsync(Path.Combine(slab, "arguments.txt")));
var descriptors = new DescriptorReader().Read(await File.ReadAllBytesAsync(Path.Combine(slab, "descriptors.bin")));
var schema = new Schema(descriptors.File, arguments, new Diagnostics());
ProtoMessage[] all = [.. schema.Files.SelectMany(file => file.AllMessages)];
if (Directory.Exists(output)) Directory.Delete(output, recursive: true);
Directory.CreateDirectory(output);
foreach (var argument in args[2..])
{
    var pair = argument.Split('=');
    foreach (var (root, qualified) in Roots(pair[0], pair[1]))
    {
        await File.WriteAllTextAsync(Path.Combine(output, qualified + ".cs"), PlainClasses.Write(root, qualified));
        if (pair[2].Length == 0) continue;
        var (flat, functions) = PlainClasses.WriteFlatBuffers(root, qualified, pair[2]);
        await File.WriteAllTextAsync(Path.Combine(output, root.Descriptor.Name + ".fbs"), flat);
        await File.WriteAllTextAsync(Path.Combine(output, qualified + ".Flat.cs"), functions);
    }
}

return 0;

// The name of a package stands for each message of it that is in no other message. The type of a message M is then MSet.
IEnumerable<(ProtoMessage Root, string Type)> Roots(string name, string type)
{
    if (all.FirstOrDefault(message => message.ProtoName == name) is { } one) return [(one, type)];
    var inner = all.SelectMany(message => message.Fields.Select(field => field.Message)).ToHashSet();
    ProtoMessage[] roots =
        [.. all.Where(message => message.File.Descriptor.Package == name && message.Parent is null && !inner.Contains(message))];
    return roots.Length > 0 ? roots.Select(root => (root, $"{type}.{root.Descriptor.Name}Set"))
        : throw new FormatException($"There is no message {name}.");
}

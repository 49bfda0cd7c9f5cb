using System.Text;

namespace ProtoBench.Tests;

/// <summary>A folder in which projects are created, with captured messages of shop.Order in every form.</summary>
sealed class NewProjectFolder(string name = "orders-bench") : IDisposable
{
    public static string Schema { get; } = Path.Combine(Golden.Root, "tests", "ProtoBench.Tests", "New");

    public static string OrderProto { get; } = Path.Combine(Schema, "shop", "order.proto");

    /// <summary>Services shop.Desk (Place, Forget, Watch) and shop.Door (Open).</summary>
    public static string DeskProto { get; } = Path.Combine(Schema, "shop", "desk.proto");

    /// <summary>Names without a package that a created project also uses: messages Task and List, methods Received and Dispose.</summary>
    public static string ClashProto { get; } = Path.Combine(Schema, "clash.proto");

    public string Root { get; } = Directory.CreateTempSubdirectory("new-").FullName;

    public string Project => Path.Combine(Root, name);

    public void Dispose() => Directory.Delete(Root, recursive: true);

    public (int Exit, string Output, string Error) New(params string[] options) => NewOf("shop.Order", "order.proto", options);

    public (int Exit, string Output, string Error) NewOf(string message, string proto, params string[] options) =>
        Sandbox.Run(NewVerb.Create(),
            [Project, "--proto", Path.Combine(Schema, "shop", proto), "-I", Schema, "--message", message, .. options]);

    public (int Exit, string Output, string Error) NewOfService(string proto, params string[] options) =>
        Sandbox.Run(NewVerb.Create(), [Project, "--proto", proto, "-I", Path.GetDirectoryName(proto)!, "-I", Schema, .. options]);

    public string[] Left(params string[] known) =>
        [.. Directory.EnumerateFileSystemEntries(Root).Select(Path.GetFileName).OfType<string>().Except(known)
            .Order(StringComparer.Ordinal)];

    public string Put(string name, string content) => Put(name, Encoding.UTF8.GetBytes(content));

    public string Put(string name, byte[] content)
    {
        var path = Path.Combine(Root, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, content);
        return path;
    }

    /// <summary>The same message in every form: id "one", two tags, and a price.</summary>
    public string PutCaptured()
    {
        const string json = """{ "id": "one", "tags": ["a", "b"], "price": 2.5 }""";
        byte[] wire = [0x0A, 3, .. "one"u8, 0xF9, 3, .. BitConverter.GetBytes(2.5), 0xC2, 4, 1, (byte)'a', 0xC2, 4, 1, (byte)'b'];
        Put("captured/a.bin", wire);
        Put("captured/b.json", json);
        Put("captured/c.jsonl", json + "\n\n" + json + "\n");
        Put("captured/d.txtpb", "id: \"one\"\ntags: [\"a\", \"b\"]\nprice: 2.5\n");
        Put("captured/e.delimited", [(byte)wire.Length, .. wire, (byte)wire.Length, .. wire]);
        return Path.Combine(Root, "captured");
    }
}

using Google.FlatBuffers;
using ProtoBench.DataSets;

namespace ProtoBench.Messages.Tests;

public class FlatBuffersTests
{
    static readonly PlainMesh mesh = new()
    {
        Triangles = [new() { V0 = new() { X = 1, Y = 2, Z = 3 }, Normal = new() }, new() { V2 = new() { Y = -4 } }],
    };

    [Fact]
    public async Task The_code_is_what_flatc_generates()
    {
        var folder = Path.Combine(Golden.Root, "src", "Messages", "FlatBuffers");
        using var output = new TempFolder();
        await using var flatc = await Node.StartAsync("flatc.mjs", folder, output.Path);
        var (exit, text) = await flatc.EndAsync(TimeSpan.FromMinutes(5));
        Assert.True(exit == 0, text);
        Assert.Equal(Code(output.Path), Code(folder));
    }

    [Fact]
    public void A_message_is_read_as_it_was_written()
    {
        var builder = new FlatBufferBuilder(1);
        for (var times = 0; times < 2; times++)
        {
            MeshSet.WriteFlat(builder, mesh);
            var bytes = new ByteBuffer(builder.SizedByteArray());
            Assert.Equivalent(mesh, MeshSet.ReadFlat(bytes), strict: true);
            Assert.Equal(MeshSet.Touch(mesh), MeshSet.TouchFlat(bytes));
        }
    }

    static Dictionary<string, string> Code(string folder) => Directory.GetFiles(folder, "*.cs")
        .ToDictionary(file => Path.GetFileName(file), file => File.ReadAllText(file).ReplaceLineEndings("\n"));
}

using System.Formats.Cbor;
using ProtoBench.DataSets;

namespace ProtoBench.Messages.Tests;

public class CborTests
{
    /// <summary>The bytes are from the rules of RFC 8949.</summary>
    [Fact]
    public void A_message_is_an_array_of_its_fields()
    {
        var writer = new CborWriter(CborConformanceMode.Lax);
        PlainEmbeddings message = new() { Model = "m", Items = [new() { Id = "é", Vector = [1, 0.1f] }], PromptTokens = 300 };
        EmbeddingsSet.WriteCbor(writer, message);
        Assert.Equal("83616D818262C3A982F93C00FA3DCCCCCD19012C", Convert.ToHexString(writer.Encode()));
    }

    [Fact]
    public void Fields_that_a_newer_writer_has_added_are_skipped()
    {
        var embeddings = EmbeddingsSet.ReadCbor(new CborReader(Convert.FromHexString("85616D80182A8201A10203F5"), CborConformanceMode.Lax));
        Assert.Equal(("m", 42u), (embeddings.Model, embeddings.PromptTokens));
    }
}

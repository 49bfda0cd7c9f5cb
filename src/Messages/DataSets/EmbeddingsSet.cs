using ProtoBench.Gpb.Sets;
using static ProtoBench.DataSets.Draw;

namespace ProtoBench.DataSets;

/// <summary>256 vectors of 768 floats.</summary>
public readonly partial struct EmbeddingsSet : IDataSet<Embeddings, SlabProtobuf.Sets.Embeddings, PlainEmbeddings>
{
    const int texts = 256;
    const int dimensions = 768;

    public static Embeddings Generate(Random random) => new()
    {
        Model = "text-embedding",
        Items =
        {
            Many(texts, _ => new Embedding { Id = random.Hex(16), Vector = { Many(dimensions, _ => random.Single(-0.1f, 0.1f)) } }),
        },
        PromptTokens = (uint)random.Next(10_000, 100_000),
    };
}

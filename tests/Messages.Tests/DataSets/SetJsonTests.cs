using Google.Protobuf;
using ProtoBench.Codec;
using ProtoBench.DataSets;

namespace ProtoBench.Messages.Tests;

public class SetJsonTests
{
    [Fact]
    public void The_slab_codec_writes_the_JSON_of_Google()
    {
        CompareSet<Gpb.Sets.AccessLog, SlabProtobuf.Sets.AccessLog, PlainAccessLog, AccessLogSet>();
        CompareSet<Gpb.Descriptors.FileDescriptorProto, SlabProtobuf.Descriptors.FileDescriptorProto, PlainFileDescriptorProto,
            DescriptorSet>();
        CompareSet<Gpb.Sets.Embeddings, SlabProtobuf.Sets.Embeddings, PlainEmbeddings, EmbeddingsSet>();
        CompareSet<Gpb.Sets.GameUpdates, SlabProtobuf.Sets.GameUpdates, PlainGameUpdates, GameUpdatesSet>();
        CompareSet<Gpb.Sets.MapTile, SlabProtobuf.Sets.MapTile, PlainMapTile, MapTileSet>();
        CompareSet<Gpb.Sets.Mesh, SlabProtobuf.Sets.Mesh, PlainMesh, MeshSet>();
        CompareSet<Gpb.Sets.PackedMesh, SlabProtobuf.Sets.PackedMesh, PlainPackedMesh, PackedMeshSet>();
        CompareSet<Gpb.Sets.SaveData, SlabProtobuf.Sets.SaveData, PlainSaveData, SaveDataSet>();
        CompareSet<Gpb.Sets.Telemetry, SlabProtobuf.Sets.Telemetry, PlainTelemetry, TelemetrySet>();
        CompareSet<Gpb.Sets.TransitFeed, SlabProtobuf.Sets.TransitFeed, PlainTransitFeed, TransitFeedSet>();
    }

    static void CompareSet<TGoogle, TSlab, TPlain, TSet>()
        where TGoogle : class, IMessage<TGoogle>
        where TSlab : struct, ISlabMessage<TSlab>
        where TPlain : class
        where TSet : IDataSet<TGoogle, TSlab, TPlain>
    {
        // the first 10,000 elements: the text of all triangles of a mesh has 30 MB
        var google = TSet.Generate(new(44));
        foreach (var field in google.Descriptor.Fields.InDeclarationOrder().Where(field => field.IsRepeated))
        {
            var list = (System.Collections.IList)field.Accessor.GetValue(google);
            while (list.Count > 10_000) list.RemoveAt(list.Count - 1);
        }

        using var message = Message<TSlab>.Rent();
        message.Parse(google.ToByteArray());
        GoogleJson.AssertSame(google, () => message.Value.ToJson());
    }
}

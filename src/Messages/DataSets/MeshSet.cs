using ProtoBench.Gpb.Sets;
using static ProtoBench.DataSets.Draw;

namespace ProtoBench.DataSets;

/// <summary>125,000 triangles, each a message of four messages of three floats.</summary>
public readonly partial struct MeshSet : IDataSet<Mesh, SlabProtobuf.Sets.Mesh, PlainMesh>
{
    internal const int Triangles = 125_000;

    public static Mesh Generate(Random random) => new()
    {
        Triangles =
        {
            Many(Triangles, _ => new Triangle { V0 = Vector(random), V1 = Vector(random), V2 = Vector(random), Normal = Vector(random) }),
        },
    };

    static Vector Vector(Random random) =>
        new() { X = random.Single(-1, 1), Y = random.Single(-1, 1), Z = random.Single(-1, 1) };
}

/// <summary>The triangles of <see cref="MeshSet"/> as two lists of floats.</summary>
public readonly partial struct PackedMeshSet : IDataSet<PackedMesh, SlabProtobuf.Sets.PackedMesh, PlainPackedMesh>
{
    public static PackedMesh Generate(Random random)
    {
        var mesh = new PackedMesh();
        foreach (var triangle in MeshSet.Generate(random).Triangles)
        {
            foreach (var corner in (Vector[])[triangle.V0, triangle.V1, triangle.V2])
                mesh.Corners.Add([corner.X, corner.Y, corner.Z]);
            mesh.Normals.Add([triangle.Normal.X, triangle.Normal.Y, triangle.Normal.Z]);
        }

        return mesh;
    }
}

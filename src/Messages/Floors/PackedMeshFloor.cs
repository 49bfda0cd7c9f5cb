namespace ProtoBench.Floors;

/// <summary>The lower bound of <see cref="DataSets.PackedMeshSet"/>.</summary>
public sealed unsafe class PackedMeshFloor() : SetFloor(6_000_009)
{
    Slice corners, normals;

    public override long Touch() => Sum(In<float>(corners)) + Sum(In<float>(normals));

    private protected override void Read(byte* p, byte* end)
    {
        corners = normals = default;
        if (p < end && *p == 10) corners = Packed(ref p, end, sizeof(float));
        if (p < end && *p == 18) normals = Packed(ref p, end, sizeof(float));
        End(p, end);
    }

    private protected override byte* Write(byte* to)
    {
        PutSlice(ref to, 10, corners);
        PutSlice(ref to, 18, normals);
        return to;
    }
}

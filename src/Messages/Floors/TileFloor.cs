namespace ProtoBench.Floors;

/// <summary>The lower bound of <see cref="DataSets.MapTileSet"/>.</summary>
public sealed unsafe class TileFloor() : SetFloor(bytes)
{
    const int bytes = 1 << 18;

    readonly Layer[] layers = new Layer[16];
    readonly Feature[] features = new Feature[4_096];
    readonly Value[] values = new Value[1_024];
    readonly Slice[] keys = new Slice[256];

    // a number has at least one byte, and 16 are read and written at once
    readonly uint[] tags = new uint[bytes + 16], geometry = new uint[bytes + 16];
    int layerCount, featureCount, valueCount, keyCount, tagCount, pointCount;

    public override long Touch()
    {
        var sum = Sum(keys.AsSpan(0, keyCount));
        foreach (ref readonly var layer in layers.AsSpan(0, layerCount))
            sum += (long)layer.Version + layer.Extent + Sum(layer.Name);
        foreach (ref readonly var feature in features.AsSpan(0, featureCount))
            sum += (long)feature.Id + feature.Shape;
        foreach (var tag in tags.AsSpan(0, tagCount))
            sum += tag;
        foreach (var step in geometry.AsSpan(0, pointCount))
            sum += (int)step;
        foreach (ref readonly var value in values.AsSpan(0, valueCount))
            sum += Sum(value.Text) + (long)value.Number + value.Whole + (value.Flag ? 1 : 0);
        return sum;
    }

    private protected override void Read(byte* p, byte* end)
    {
        layerCount = featureCount = valueCount = keyCount = tagCount = pointCount = 0;
        fixed (uint* tag = tags, point = geometry)
        {
            while (p < end && *p == 10)
                p = ReadLayer(p, end, ref layers[layerCount++], tag, point);
            End(p, end);
        }
    }

    byte* ReadLayer(byte* p, byte* end, ref Layer layer, uint* tag, uint* point)
    {
        end = Message(ref p, end);
        layer = default;
        if (p < end && *p == 8) layer.Version = (uint)Number(ref p);
        if (p < end && *p == 18) layer.Name = Text(ref p, end);
        for (; p < end && *p == 26; layer.Features++)
            p = ReadFeature(p, end, ref features[featureCount++], tag, point);
        for (; p < end && *p == 34; layer.Keys++)
            keys[keyCount++] = Text(ref p, end);
        for (; p < end && *p == 42; layer.Values++)
            p = ReadValue(p, end, ref values[valueCount++]);
        if (p < end && *p == 48) layer.Extent = (uint)Number(ref p);
        return End(p, end);
    }

    byte* ReadFeature(byte* p, byte* end, ref Feature feature, uint* tag, uint* point)
    {
        end = Message(ref p, end);
        feature = default;
        if (p < end && *p == 8) feature.Id = WideNumber(ref p);
        if (p < end && *p == 18)
        {
            var inner = Message(ref p, end);
            feature.Tags = (int)(Varints(p, inner, tag + tagCount, zigZag: false) - tag) - tagCount;
            tagCount += feature.Tags;
            p = inner;
        }

        if (p < end && *p == 24) feature.Shape = (int)Number(ref p);
        if (p < end && *p == 34)
        {
            var inner = Message(ref p, end);
            feature.Geometry = (int)(Varints(p, inner, point + pointCount, zigZag: true) - point) - pointCount;
            pointCount += feature.Geometry;
            p = inner;
        }

        return End(p, end);
    }

    byte* ReadValue(byte* p, byte* end, ref Value value)
    {
        end = Message(ref p, end);
        value = default;
        if (p < end && *p == 10) (value.Text, value.HasText) = (Text(ref p, end), true);
        if (p < end && *p == 17) (value.Number, value.HasNumber) = (Fixed<double>(ref p), true);
        if (p < end && *p == 24) (value.Whole, value.HasWhole) = (LongZigZag(Number(ref p)), true);
        if (p < end && *p == 32) (value.Flag, value.HasFlag) = (Bool(ref p), true);
        return End(p, end);
    }

    static long LongZigZag(ulong value) => (long)(value >> 1) ^ -(long)(value & 1);

    private protected override byte* Write(byte* to)
    {
        int feature = 0, key = 0, value = 0;
        fixed (uint* firstTag = tags, firstPoint = geometry)
        {
            uint* tag = firstTag, point = firstPoint;
            foreach (ref readonly var layer in layers.AsSpan(0, layerCount))
            {
                var content = Open(ref to, 10, 3);
                PutNumber(ref to, 8, layer.Version);
                PutSlice(ref to, 18, layer.Name);
                foreach (ref readonly var one in features.AsSpan(feature, layer.Features))
                {
                    to = WriteFeature(to, one, tag, point);
                    tag += one.Tags;
                    point += one.Geometry;
                }

                foreach (var one in keys.AsSpan(key, layer.Keys))
                    PutPresentSlice(ref to, 34, one);
                foreach (ref readonly var one in values.AsSpan(value, layer.Values))
                    to = WriteValue(to, one);
                PutNumber(ref to, 48, layer.Extent);
                Close(ref to, content, 3);
                (feature, key, value) = (feature + layer.Features, key + layer.Keys, value + layer.Values);
            }
        }

        return to;
    }

    static byte* WriteFeature(byte* to, in Feature feature, uint* tag, uint* point)
    {
        var content = Open(ref to, 26);
        PutWideNumber(ref to, 8, feature.Id);
        if (feature.Tags != 0) to = WriteList(to, 18, tag, feature.Tags, zigZag: false);
        PutNumber(ref to, 24, (ulong)feature.Shape);
        if (feature.Geometry != 0) to = WriteList(to, 34, point, feature.Geometry, zigZag: true);
        Close(ref to, content);
        return to;
    }

    static byte* WriteList(byte* to, byte tag, uint* from, int count, bool zigZag)
    {
        var content = Open(ref to, tag);
        to = PutVarints(to, from, count, zigZag);
        Close(ref to, content);
        return to;
    }

    byte* WriteValue(byte* to, in Value value)
    {
        var content = Open(ref to, 42);
        if (value.HasText) PutPresentSlice(ref to, 10, value.Text);
        if (value.HasNumber) PutPresentFixed(ref to, 17, value.Number);
        if (value.HasWhole) PutPresent(ref to, 24, (ulong)((value.Whole << 1) ^ (value.Whole >> 63)));
        if (value.HasFlag) PutPresent(ref to, 32, value.Flag ? 1u : 0);
        Close(ref to, content);
        return to;
    }

    struct Layer
    {
        public Slice Name;
        public uint Version, Extent;
        public int Features, Keys, Values;
    }

    struct Feature
    {
        public ulong Id;
        public int Shape, Tags, Geometry;
    }

    struct Value
    {
        public Slice Text;
        public double Number;
        public long Whole;
        public bool Flag, HasText, HasNumber, HasWhole, HasFlag;
    }
}
